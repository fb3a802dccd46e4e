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
#include "GroupSpec.h"

namespace baco {

/// The limits of one build.
struct BuildLimits {
  /// Candidates, about 100 ns each.
  uint64_t steps;
  /// Edges, and words of remembered states; 24 bytes each.
  size_t size;
  /// Choices of conjuncts whose remainders are tabulated (Remainder.h).
  uint64_t remainderChoices;
};

/// Why a build ended early.
enum class BuildStop {
  None,
  Limit,
  /// There are 2^128 leaves or more.
  Overflow
};

struct BuildResult {
  BuildStop stop;
  /// Without value: not built, or there is no leaf.
  std::optional<Diagram> diagram;
};

/// The diagram of a group with the levels in this order; `anyLeaf`: only of the
/// first leaf that is found.
BuildResult buildDiagram(const GroupSpec &group,
                         const std::vector<size_t> &order,
                         const Domains &domains, const BuildLimits &limits,
                         bool anyLeaf = false);

} // namespace baco

#endif // BACO_LIB_SPACE_DIAGRAMBUILDER_H
