//===- StaticCost.h - Costs in the place of times ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outcomes of the evaluator `static` have cycles of a model where others have
// nanoseconds. Their messages say so, wherever they are stored.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_STATICCOST_H
#define BACO_SUPPORT_STATICCOST_H

#include "baco/Support/Outcome.h"

namespace baco {

/// The prefix of the message of an outcome with a cost.
inline constexpr std::string_view staticCostNote =
    "static cost in cycles, not a time";

/// Whether Outcome::timeNs is a cost in cycles.
inline bool isStaticCost(const Outcome &outcome) {
  return outcome.status == Status::Ok &&
         outcome.message.starts_with(staticCostNote);
}

} // namespace baco

#endif // BACO_SUPPORT_STATICCOST_H
