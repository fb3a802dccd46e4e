//===- VariableOrder.h - Orders of the parameters in a diagram --*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order in which the parameters of a group become levels of its tree.
// Counts don't depend on it; the size of the diagram does.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_VARIABLEORDER_H
#define BACO_LIB_SPACE_VARIABLEORDER_H

#include "Rule.h"

namespace baco {

/// Orders worth trying, different ones, the most promising first. `group`
/// holds parameters, `conjuncts` what they share (reading no others), and
/// `sizes[k]` the number of values of parameter k.
std::vector<std::vector<size_t>>
variableOrders(const std::vector<size_t> &group,
               const std::vector<Conjunct> &conjuncts,
               const std::vector<uint64_t> &sizes);

} // namespace baco

#endif // BACO_LIB_SPACE_VARIABLEORDER_H
