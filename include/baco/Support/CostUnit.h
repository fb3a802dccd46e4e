//===- CostUnit.h - Units of what is minimized ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outcomes have nanoseconds, unless the evaluator has something else in their
// place. Messages of such outcomes say so, wherever they are stored.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_COSTUNIT_H
#define BACO_SUPPORT_COSTUNIT_H

#include "baco/Support/Outcome.h"

namespace baco {

enum class CostUnit {
  Nanoseconds,
  /// Of a model: the evaluator `static`.
  Cycles,
  /// Any number that a program prints; it need not be positive.
  Number
};

/// The prefixes of messages of outcomes in the other units.
inline constexpr std::string_view staticCostNote =
    "static cost in cycles, not a time";
inline constexpr std::string_view plainNumberNote = "a number, not a time";

/// The unit of Outcome::timeNs.
inline CostUnit costUnitOf(const Outcome &outcome) {
  if (outcome.status != Status::Ok)
    return CostUnit::Nanoseconds;
  return outcome.message.starts_with(staticCostNote)    ? CostUnit::Cycles
         : outcome.message.starts_with(plainNumberNote) ? CostUnit::Number
                                                        : CostUnit::Nanoseconds;
}

inline bool isStaticCost(const Outcome &outcome) {
  return costUnitOf(outcome) == CostUnit::Cycles;
}

} // namespace baco

#endif // BACO_SUPPORT_COSTUNIT_H
