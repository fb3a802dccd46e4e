//===- Trial.h - A trial as it is stored ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A candidate in the journal. Configurations are JSON text here, so that the
// database doesn't depend on spaces.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DATABASE_TRIAL_H
#define BACO_DATABASE_TRIAL_H

#include "baco/Support/Outcome.h"

#include <cstdint>
#include <optional>
#include <string>

namespace baco::database {

struct Trial {
  /// 0, 1, 2, ... in the order of asking.
  uint64_t number = 0;
  /// A JSON object on one line, parameter name to value (baco/Format).
  std::string configuration;
  /// The search's state for later suggestions (`Suggestion::state`).
  std::string state;
  /// Unset while the trial is pending, that is, asked for and without outcome.
  std::optional<Outcome> outcome;
  /// Status and message of a trial that was ok, but failed when it was measured
  /// again in a final comparison. The search is not told, so that it continues
  /// in the same way with and without a comparison.
  std::optional<Outcome> failure = {};

  /// `failure` if there is one, else `outcome`; null while it is pending.
  const Outcome *result() const {
    return failure ? &*failure : outcome ? &*outcome : nullptr;
  }
  /// Whether the candidate works: its trial was ok, and it failed in no final
  /// comparison.
  bool works() const { return result() && result()->status == Status::Ok; }
};

} // namespace baco::database

#endif // BACO_DATABASE_TRIAL_H
