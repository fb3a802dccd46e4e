//===- RegisterRecipes.cpp - Recipes for the tools ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Recipe/RegisterRecipes.h"

#include "baco/IR/RecipeVerifier.h"
#include "baco/Recipe/RecipeAnalysis.h"
#include "baco/TransformOps/BacoTransformOps.h"

#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace baco;

namespace {
/// Follows the steps of a recipe, and drops the constraints that these state.
class RecipeVerifier : public RecipeVerifierInterface {
public:
  using RecipeVerifierInterface::RecipeVerifierInterface;

  LogicalResult verifyRecipe(Operation *op, RecipeAttr recipe) const override {
    return RecipeAnalysis(op, recipe).run();
  }
};
} // namespace

void baco::registerRecipes(DialectRegistry &registry) {
  registerTransformOps(registry);
  registry.addExtension(+[](MLIRContext *, BacoDialect *dialect) {
    dialect->addInterfaces<RecipeVerifier>();
  });
}
