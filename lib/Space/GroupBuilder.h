//===- GroupBuilder.h - Diagrams of groups ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds an order in which the diagram of a group stays small. There may be
// none: counting what constraints let pass is #P-hard. Then some conjuncts are
// left out of the diagram. They stay loose: users of the diagram have to check
// them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_GROUPBUILDER_H
#define BACO_LIB_SPACE_GROUPBUILDER_H

#include "Diagram.h"
#include "GroupSpec.h"

namespace baco {

/// The representation of a group.
struct BuiltGroup {
  /// One; or, with loose conjuncts, those of the groups that are left without
  /// these. Parameters that only loose conjuncts read are in none.
  std::vector<Diagram> diagrams;
  std::vector<Conjunct> loose;
  /// Set if there is no leaf: conjuncts that contradict each other.
  std::optional<GroupSpec> clash;
};

/// Builds the diagrams of a group: about two seconds and 200 MB at most for 20
/// parameters and constraints, one second of them for the attempt without loose
/// ones. Unsupported if the group has 2^128 leaves or more, or if conditions
/// alone need too large a diagram; the message names its parameters.
Result<BuiltGroup> buildGroup(const GroupSpec &group, const Domains &domains);

/// The same for many groups, each by one thread; see Space::create. Small ones
/// aren't worth a thread and are built by the caller's.
std::vector<Result<BuiltGroup>>
buildGroups(const std::vector<GroupSpec> &groups, const Domains &domains,
            unsigned maxThreads);

/// Looks for a leaf of a group, with all of its conjuncts.
struct LeafSearch {
  /// Whether the answer is certain; if not, the search took too long.
  bool isDone;
  /// A diagram of the leaf, if there is one.
  std::optional<Diagram> leaf;
};
LeafSearch findLeaf(const GroupSpec &group, const Domains &domains);

} // namespace baco

#endif // BACO_LIB_SPACE_GROUPBUILDER_H
