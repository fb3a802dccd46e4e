//===- Comparer.h - Measures finalists again --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_MEASURE_COMPARER_H
#define BACO_MEASURE_COMPARER_H

#include "baco/Measure/Rounds.h"

namespace baco::measure {

/// Whatever runs candidates, for a final comparison.
class Comparer {
public:
  virtual ~Comparer() = default;

  /// The rounds of a final comparison, in which finalists run in turns.
  virtual Result<Comparison> compare(const std::vector<Finalist> &finalists,
                                     const RoundsOptions &rounds) = 0;
};

} // namespace baco::measure

#endif // BACO_MEASURE_COMPARER_H
