//===- Witness.h - Feasible points, or why there are none -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trees have leaves, but loose constraints may forbid all of them; a tree
// without leaves has a minimal set of constraints that contradict each other.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_WITNESS_H
#define BACO_LIB_SPACE_WITNESS_H

#include "GroupSpec.h"
#include "SpaceData.h"

namespace baco {

/// Sets `witness` and `isSparse` of a space with loose conjuncts, some of them
/// those of `hardGroups`: by draws, then walks, then a search of the full trees
/// of these groups. EmptySpace if there is no feasible point, or draws of reals
/// found none; Unsupported if none is found otherwise, or walks don't lead to
/// enough different points.
Result<void> findWitness(detail::SpaceData &data,
                         const std::vector<GroupSpec> &hardGroups);

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

#endif // BACO_LIB_SPACE_WITNESS_H
