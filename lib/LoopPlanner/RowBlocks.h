//===- RowBlocks.h - Products and what is around them -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPPLANNER_ROWBLOCKS_H
#define BACO_LIB_LOOPPLANNER_ROWBLOCKS_H

#include "PlanStrategies.h"

#include <string>

namespace baco::polyhedral {

/// Nests of a program, from the first on, that had better take turns on blocks
/// of rows: products, and what computes their operands or uses their results.
///
/// Sharing loops over single rows is legal if and only if sharing loops over
/// blocks of rows is, whatever their size: each dependence then goes to the
/// same row or a later one, and statements of a block stay in order.
class RowBlocks {
public:
  RowBlocks(const NestModel &model, const LoopSchedule &original,
            const MachineSizes &host);

  /// Bytes that the first `statements` hand over to each other for so many
  /// rows.
  double bytesOfBlock(size_t statements, int64_t rows) const;

  const NestModel &model;
  const LoopSchedule &original;
  const MachineSizes &host;
  /// Shared loops; the last one is that over rows.
  unsigned outer = 0;
  /// How many nests; 0: none.
  size_t count = 0;

private:
  size_t find() const;
  bool fits(unsigned statement) const;
  bool isHandedOver(const std::string &array, size_t statements) const;
  bool sharesArray(unsigned statement) const;
};

/// Plans all nests of the program, if their `count` says so.
Result<LoopPlan> planRowBlocks(const RowBlocks &blocks);

} // namespace baco::polyhedral

#endif // BACO_LIB_LOOPPLANNER_ROWBLOCKS_H
