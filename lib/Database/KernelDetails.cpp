//===- KernelDetails.cpp - A kernel beside its trials ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Database/KernelDetails.h"
#include "baco/Support/Json.h"

#include <cmath>

using namespace baco;
using namespace baco::database;

std::optional<TimeBound> KernelDetails::bound() const {
  constexpr double nsPerS = 1e9;
  double computing = flops && flopsPerS ? nsPerS * *flops / *flopsPerS : 0;
  double loading = bytes && bytesPerS ? nsPerS * *bytes / *bytesPerS : 0;
  if (!(computing > 0) && !(loading > 0))
    return std::nullopt;
  return computing > loading ? TimeBound{computing, BoundKind::Computing}
                             : TimeBound{loading, BoundKind::Memory};
}

namespace {
struct Member {
  const char *name;
  std::optional<double> KernelDetails::*value;
};
} // namespace

static constexpr Member members[] = {
    {"calls", &KernelDetails::calls},
    {"flops", &KernelDetails::flops},
    {"bytes", &KernelDetails::bytes},
    {"flops_per_s", &KernelDetails::flopsPerS},
    {"bytes_per_s", &KernelDetails::bytesPerS},
};

static constexpr struct {
  const char *name;
  double TimeShares::*value;
} timeShares[] = {{"computing", &TimeShares::computing},
                  {"moving", &TimeShares::moving},
                  {"elsewhere", &TimeShares::elsewhere}};

std::string KernelDetails::write() const {
  Json json = Json::object();
  for (const auto &[name, value] : members)
    if (const std::optional<double> &known = this->*value)
      json[name] = *known;
  if (countsIntegers)
    json["counts_integers"] = true;
  json["threads"] = threads;
  json["listings"] = Json::array();
  for (const auto &[trial, text, shares] : listings) {
    Json listing = {{"trial", trial ? Json(*trial) : Json()}, {"text", text}};
    if (shares)
      for (const auto &[name, value] : timeShares)
        listing["shares"][name] = (*shares).*value;
    json["listings"].push_back(std::move(listing));
  }
  return printJson(json);
}

/// The shares of a listing; nullopt if they are unknown or no such thing.
static std::optional<TimeShares> readShares(const Json &listing) {
  auto found = listing.find("shares");
  if (found == listing.end() || !found->is_object())
    return std::nullopt;
  TimeShares shares;
  for (const auto &[name, value] : timeShares) {
    auto number = found->find(name);
    if (number == found->end() || !number->is_number())
      return std::nullopt;
    double share = number->get<double>();
    if (!(share >= 0 && share <= 1))
      return std::nullopt;
    shares.*value = share;
  }
  return shares;
}

std::optional<KernelDetails>
database::readKernelDetails(std::string_view metadata) {
  Json json = tryParseJson(metadata);
  if (!json.is_object() || !json.contains("kernel") ||
      !json["kernel"].is_object())
    return std::nullopt;
  const Json &kernel = json["kernel"];
  KernelDetails details;
  for (const auto &[name, value] : members) {
    auto found = kernel.find(name);
    if (found == kernel.end() || !found->is_number())
      continue;
    double number = found->get<double>();
    if (std::isfinite(number) && number > 0)
      details.*value = number;
  }
  details.countsIntegers = kernel.value("counts_integers", Json()) == true;
  if (auto threads = kernel.find("threads");
      threads != kernel.end() && threads->is_number_unsigned())
    details.threads = threads->get<uint64_t>();
  auto listings = kernel.find("listings");
  if (listings == kernel.end() || !listings->is_array())
    return details;
  for (const Json &listing : *listings) {
    if (!listing.is_object() || !listing.contains("text") ||
        !listing["text"].is_string())
      continue;
    std::optional<uint64_t> trial;
    if (listing.contains("trial") && listing["trial"].is_number_unsigned())
      trial = listing["trial"].get<uint64_t>();
    details.listings.push_back(
        {trial, listing["text"].get<std::string>(), readShares(listing)});
  }
  return details;
}
