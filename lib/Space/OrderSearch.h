//===- OrderSearch.h - Search for an order of levels ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For groups that are too large in the orders of VariableOrder.h: better
// orders, and conjuncts to leave out of the diagram.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_ORDERSEARCH_H
#define BACO_LIB_SPACE_ORDERSEARCH_H

#include "OrderCost.h"

namespace baco {

/// An order of the levels of a group's tree.
struct LevelPlan {
  std::vector<size_t> order;
  /// Per conjunct of the group: whether the tree leaves it out.
  std::vector<char> isLoose;
  /// OrderCost::workBits of these.
  double workBits;
};

/// Improves an order by simulated annealing of its cost. Takes about ten
/// milliseconds for 30 parameters; the same order each time.
LevelPlan searchOrder(const GroupSpec &group, OrderCost &cost,
                      std::vector<size_t> start);

/// The same for an order together with conjuncts to leave out, so that the work
/// is at most `maxWorkBits` and the product of the shares that these conjuncts
/// let pass is as large as possible. Conjuncts of conditions are never left
/// out: if it is they that cost too much, `workBits` is larger.
LevelPlan searchRelaxation(const GroupSpec &group, OrderCost &cost,
                           std::vector<size_t> start, double maxWorkBits);

} // namespace baco

#endif // BACO_LIB_SPACE_ORDERSEARCH_H
