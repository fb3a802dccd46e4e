//===- SparsifyRules.h - Rules of a sparse format ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_RECIPE_SPARSIFYRULES_H
#define BACO_LIB_RECIPE_SPARSIFYRULES_H

#include "baco/Analysis/IterationGraph.h"
#include "baco/Recipe/RecipeAnalysis.h"

namespace baco {

/// A loop that is split, and by what.
struct TiledLoop {
  int64_t loop;
  Quantity size;
  int64_t extent;
  /// Whether it indexes the sparse operand.
  bool isSparse;
};

/// States the constraints of `step` on the op of `graph`, whose loops `tiles`
/// are still to be split. Fails with an error if no values of knobs can meet
/// them.
mlir::LogicalResult stateSparsifyRules(SparsifyAttr step,
                                       const IterationGraph &graph,
                                       llvm::ArrayRef<TiledLoop> tiles,
                                       RecipeAnalysis &state);

} // namespace baco

#endif // BACO_LIB_RECIPE_SPARSIFYRULES_H
