//===- Progress.cpp - How far a search has come ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Failures in the order of Status, which is that of a candidate's life.
//
//===----------------------------------------------------------------------===//

#include "baco/Report/Progress.h"

using namespace baco;
using namespace baco::report;

// Anchors the vtable.
ProgressListener::~ProgressListener() = default;

void ProgressListener::announce(std::string_view, std::string_view) {}

uint64_t report::numFailures(const StatusCounts &counts) {
  uint64_t total = 0;
  for (int i = 0; i < numStatuses; ++i)
    if (isFailure(static_cast<Status>(i)))
      total += counts[i];
  return total;
}

std::string report::describeFailures(const StatusCounts &counts) {
  uint64_t total = numFailures(counts);
  if (total == 0)
    return {};
  std::string kinds;
  for (int i = 0; i < numStatuses; ++i) {
    Status status = static_cast<Status>(i);
    if (!isFailure(status) || counts[i] == 0)
      continue;
    kinds += (kinds.empty() ? "" : ", ") + std::to_string(counts[i]) + " " +
             std::string(statusName(status));
  }
  return std::to_string(total) + " failed (" + kinds + ")";
}
