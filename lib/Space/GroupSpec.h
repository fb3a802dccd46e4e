//===- GroupSpec.h - Parameters that share conjuncts ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input of a diagram's construction.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_GROUPSPEC_H
#define BACO_LIB_SPACE_GROUPSPEC_H

#include "Domain.h"
#include "Rule.h"

namespace baco {

/// Parameters that share conjuncts.
struct GroupSpec {
  /// Increasing.
  std::vector<size_t> parameters;
  std::vector<Conjunct> conjuncts;
};

/// Joins parameters that share a conjunct. The groups are ordered by their
/// first parameters; parameters that no conjunct reads are in none.
std::vector<GroupSpec> groupsOf(const std::vector<Conjunct> &conjuncts,
                                size_t numParameters);

} // namespace baco

#endif // BACO_LIB_SPACE_GROUPSPEC_H
