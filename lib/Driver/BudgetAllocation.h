//===- BudgetAllocation.h - Sharing a budget among kernels ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluations are shared in proportion to time, because a kernel that takes
// most of a module's time can gain most. Each kernel gets at least a few,
// because its default may be far from its best.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DRIVER_BUDGETALLOCATION_H
#define BACO_LIB_DRIVER_BUDGETALLOCATION_H

#include <cstdint>
#include <vector>

namespace baco::driver {

/// A kernel that shares a budget.
struct Share {
  /// Its part of the module's time, in any unit; > 0 and finite.
  double weight = 1;
  /// The most evaluations that it can use (the size of its space); >= 1.
  uint64_t room = UINT64_MAX;
  /// Evaluations that it has been granted.
  uint64_t granted = 0;
};

/// The least that a kernel gets, if the budget allows.
inline constexpr uint64_t minShare = 10;

/// Grants `extra` more evaluations by weight, as whole numbers (largest
/// remainders, the first kernel of several with the same); evaluations that
/// exceed a kernel's limit go to the others. Returns the evaluations that
/// exceed all limits. The kernels marked in `isOpen` take part.
uint64_t grantByWeight(std::vector<Share> &shares,
                       const std::vector<bool> &isOpen, uint64_t extra);

/// Shares `budget`: `minShare` for each kernel, or an equal part of the
/// budget if that is less, and at least 1 even beyond the budget; the rest by
/// weight.
void shareBudget(std::vector<Share> &shares, uint64_t budget);

} // namespace baco::driver

#endif // BACO_LIB_DRIVER_BUDGETALLOCATION_H
