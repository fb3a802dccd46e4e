//===- ExplainChoice.h - Why one may not choose that ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Explains why the search never tries some values.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SPACE_EXPLAINCHOICE_H
#define BACO_SPACE_EXPLAINCHOICE_H

#include "baco/Space/Space.h"

#include <utility>

namespace baco {

/// Values of some parameters of a space: indices and values, each parameter
/// once.
using ChosenValues = std::vector<std::pair<size_t, ParameterValue>>;

/// The domain of a parameter as text: its first values, its range, or the
/// number of elements to order.
std::string describeValues(const Parameter &parameter);

struct ChoiceExplanation {
  bool isAllowed = false;
  /// If it isn't: one sentence for each constraint that the choice violates by
  /// itself; if there is none, one that names constraints which leave nothing
  /// to the other parameters.
  std::vector<std::string> reasons;
  /// If it is: the number of configurations with this choice in decimal (an
  /// upper bound unless `isCountExact`), and the one nearest to the default.
  std::string count;
  bool isCountExact = false;
  Configuration nearest;
};

/// Whether any configuration of the space has these values. Unsupported where
/// that can't be found out (Space::create).
Result<ChoiceExplanation> explainChoice(const Space &space,
                                        const ChosenValues &choice);

/// The same as lines of text.
std::string describeChoice(const Space &space, const ChosenValues &choice,
                           const ChoiceExplanation &explanation);

} // namespace baco

#endif // BACO_SPACE_EXPLAINCHOICE_H
