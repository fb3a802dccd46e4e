//===- Outcome.cpp - Outcomes of candidates -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Support/Outcome.h"

#include <algorithm>
#include <cassert>

using namespace baco;

static constexpr std::string_view names[numStatuses] = {"ok",
                                                        "transform-failed",
                                                        "compile-failed",
                                                        "launch-failed",
                                                        "crashed",
                                                        "timed-out",
                                                        "out-of-memory",
                                                        "wrong-result",
                                                        "device-fault",
                                                        "lost",
                                                        "cancelled"};

std::string_view baco::statusName(Status status) {
  assert(static_cast<int>(status) < numStatuses && "not a status");
  return names[static_cast<int>(status)];
}

void KernelResources::include(const KernelResources &other) {
  registers = std::max(registers, other.registers);
  spillBytes = std::max(spillBytes, other.spillBytes);
  sharedBytes = std::max(sharedBytes, other.sharedBytes);
  stackBytes = std::max(stackBytes, other.stackBytes);
}

std::optional<Status> baco::parseStatus(std::string_view name) {
  for (int i = 0; i < numStatuses; ++i)
    if (names[i] == name)
      return static_cast<Status>(i);
  return std::nullopt;
}
