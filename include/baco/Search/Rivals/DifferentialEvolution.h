//===- DifferentialEvolution.h - A population of points ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Differential evolution on every kind of parameter, one trial at a time.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_DIFFERENTIALEVOLUTION_H
#define BACO_SEARCH_RIVALS_DIFFERENTIALEVOLUTION_H

#include "baco/Search/Rivals/BatchSearch.h"

namespace baco::search {

struct DifferentialEvolutionOptions {
  /// At least 3. OpenTuner's default.
  size_t populationSize = 30;
  /// The probability with which a parameter is combined, in [0, 1]. That of
  /// OpenTuner's DifferentialEvolutionAlt.
  double crossoverRate = 0.2;
};

/// Differential evolution (Storn and Price, "Differential evolution", J. of
/// Global Optimization 11 (1997)) as OpenTuner has it. A random population; in
/// turn, each member is challenged by itself with some parameters (at least
/// one) replaced by x1 + F (x2 - x3), where the x are different random members
/// or the best point of all, and F is uniform in [0.5, 1); see `combine`. The
/// cheaper of the two stays.
class DifferentialEvolution : public BatchSearch {
public:
  explicit DifferentialEvolution(Space space,
                                 DifferentialEvolutionOptions options = {})
      : space(std::move(space)), options(options) {}

  std::vector<Point> next(const Evaluations &known, Random &random) override;

private:
  Point challenger(const Evaluations &known, Random &random) const;

  Space space;
  DifferentialEvolutionOptions options;
  std::vector<Point> population;
  /// The member that is challenged, and by whom.
  size_t member = 0;
  std::optional<Point> trial;
};

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_DIFFERENTIALEVOLUTION_H
