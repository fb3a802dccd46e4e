//===- BudgetAllocation.cpp - Sharing a budget among kernels --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BudgetAllocation.h"

#include <algorithm>
#include <cstddef>
#include <utility>

using namespace baco;
using namespace baco::driver;

static double sumOfWeights(const std::vector<Share> &shares,
                           const std::vector<size_t> &members) {
  double sum = 0;
  for (size_t i : members)
    sum += shares[i].weight;
  return sum;
}

/// Grants all of `extra` by weight, up to the limits of the members.
static void grantAll(std::vector<Share> &shares, std::vector<size_t> members,
                     uint64_t extra) {
  double sum = sumOfWeights(shares, members);
  std::vector<double> remainders(shares.size());
  uint64_t left = extra;
  for (size_t i : members) {
    double exact = static_cast<double>(extra) * (shares[i].weight / sum);
    uint64_t whole = std::min({static_cast<uint64_t>(exact), left,
                               shares[i].room - shares[i].granted});
    remainders[i] = exact - static_cast<double>(whole);
    shares[i].granted += whole;
    left -= whole;
  }
  std::sort(members.begin(), members.end(), [&](size_t a, size_t b) {
    return std::pair(-remainders[a], a) < std::pair(-remainders[b], b);
  });
  while (left > 0)
    for (size_t i : members)
      if (left > 0 && shares[i].granted < shares[i].room) {
        ++shares[i].granted;
        --left;
      }
}

uint64_t driver::grantByWeight(std::vector<Share> &shares,
                               const std::vector<bool> &isOpen,
                               uint64_t extra) {
  std::vector<size_t> members;
  for (size_t i = 0; i < shares.size(); ++i)
    if (isOpen[i] && shares[i].granted < shares[i].room)
      members.push_back(i);
  // Grants their limit to members whose share exceeds it, until there are none.
  while (!members.empty() && extra > 0) {
    double sum = sumOfWeights(shares, members);
    uint64_t before = extra;
    auto isFilled = [&](size_t i) {
      uint64_t room = shares[i].room - shares[i].granted;
      double part = static_cast<double>(before) * (shares[i].weight / sum);
      if (part < static_cast<double>(room))
        return false;
      uint64_t given = std::min(room, extra);
      shares[i].granted += given;
      extra -= given;
      return true;
    };
    if (std::erase_if(members, isFilled) == 0) {
      grantAll(shares, members, extra);
      return 0;
    }
  }
  return extra;
}

void driver::shareBudget(std::vector<Share> &shares, uint64_t budget) {
  uint64_t each = std::clamp<uint64_t>(
      budget / std::max<size_t>(shares.size(), 1), 1, minShare);
  uint64_t given = 0;
  for (Share &share : shares) {
    share.granted = std::min(each, share.room);
    given += share.granted;
  }
  if (given < budget)
    grantByWeight(shares, std::vector<bool>(shares.size(), true),
                  budget - given);
}
