//===- UnsatCore.h - Constraints that contradict each other -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Minimal sets of constraints that contradict each other.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_UNSATCORE_H
#define BACO_LIB_SPACE_UNSATCORE_H

#include "GroupSpec.h"

namespace baco {

/// The EmptySpace error of a group without leaves. It names a set of
/// constraints and conditions that clash, minimal in that without any one of
/// them there would be a leaf (within the limits of the builder). Deletion
/// filter: Chinneck and Dravnieks, "Locating Minimal Infeasible Constraint Sets
/// in Linear Programs", ORSA Journal on Computing 3 (1991).
Error describeUnsatCore(const GroupSpec &group, const Domains &domains,
                        const std::vector<Constraint> &constraints,
                        const std::vector<Condition> &conditions);

/// The EmptySpace error that names some rules.
Error emptySpace(const std::vector<const Rule *> &rules,
                 const std::vector<Constraint> &constraints,
                 const std::vector<Condition> &conditions);

} // namespace baco

#endif // BACO_LIB_SPACE_UNSATCORE_H
