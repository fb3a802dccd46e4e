//===- OrderSearch.h - Search for an order of levels ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For groups that are too large in the orders of LevelOrder.h.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_ORDERSEARCH_H
#define BACO_LIB_SPACE_ORDERSEARCH_H

#include "DiagramBuilder.h"

namespace baco {

/// Improves an order of the levels of a group's tree by simulated annealing of
/// an estimate of the work that building the tree takes. Takes some tens of
/// milliseconds for 30 parameters; the same order each time. The tree is built
/// with remainders of conjuncts of up to so many choices.
std::vector<size_t> searchOrder(const GroupSpec &group, const Domains &domains,
                                uint64_t remainderChoices,
                                std::vector<size_t> start);

} // namespace baco

#endif // BACO_LIB_SPACE_ORDERSEARCH_H
