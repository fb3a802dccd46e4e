//===- RecipeVerifier.h - Checks recipes against their ops ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect knows the fields of steps, but not what steps require of an op:
// lib/Recipe does, and implements this interface (registerRecipes). Without it
// the dialect accepts any recipe on any op, and passes that follow the recipe
// report the error.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_RECIPEVERIFIER_H
#define BACO_IR_RECIPEVERIFIER_H

#include "baco/IR/BacoAttributes.h"

#include "mlir/IR/DialectInterface.h"

namespace baco {

class RecipeVerifierInterface
    : public mlir::DialectInterface::Base<RecipeVerifierInterface> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RecipeVerifierInterface)
  explicit RecipeVerifierInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// Whether `op` can follow `recipe`. Fails with a diagnostic at the op, or at
  /// the step that is to blame.
  virtual mlir::LogicalResult verifyRecipe(mlir::Operation *op,
                                           RecipeAttr recipe) const = 0;
};

} // namespace baco

#endif // BACO_IR_RECIPEVERIFIER_H
