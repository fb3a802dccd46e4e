//===- DiagramBuilder.h - From constraints to trees -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the diagram of a group depth first, remembering nodes by what the open
// constraints see (Residual), with candidates from these (Candidates).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_DIAGRAMBUILDER_H
#define BACO_LIB_SPACE_DIAGRAMBUILDER_H

#include "Diagram.h"
#include "Domain.h"
#include "Rule.h"

#include <optional>

namespace baco {

/// Parameters that share conjuncts.
struct GroupSpec {
  /// Increasing.
  std::vector<size_t> parameters;
  std::vector<Conjunct> conjuncts;
};

/// The diagram of a group; nullopt if it has no leaf. Unsupported if it takes
/// too long or too much memory (30 million candidates, 8 million edges and
/// words of remembered states: about 200 MB; up to nine tries, most of them
/// with less, of other orders), or has 2^128 leaves or more: the message names
/// the group's parameters.
Result<std::optional<Diagram>> buildDiagram(const GroupSpec &group,
                                            const Domains &domains);

/// The same for many groups, each by one thread; see Space::create. Small ones
/// aren't worth a thread and are built by the caller's.
std::vector<Result<std::optional<Diagram>>>
buildDiagrams(const std::vector<GroupSpec> &groups, const Domains &domains,
              unsigned maxThreads);

/// Whether a group has a leaf; the same errors.
Result<bool> hasLeaf(const GroupSpec &group, const Domains &domains);

} // namespace baco

#endif // BACO_LIB_SPACE_DIAGRAMBUILDER_H
