//===- ExpandRecipes.cpp - Turn recipes into a schedule -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Transforms/Passes.h"

#include "baco/IR/BacoDialect.h"
#include "baco/Recipe/RegisterRecipes.h"
#include "baco/Schedule/ExpandRecipes.h"

#include "mlir/Dialect/SMT/IR/SMTDialect.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-expand-recipes"

namespace baco {
#define GEN_PASS_DEF_EXPANDRECIPESPASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

using namespace mlir;

namespace {
struct ExpandRecipesPass
    : public baco::impl::ExpandRecipesPassBase<ExpandRecipesPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    // A plugin of passes can't register them.
    baco::registerRecipes(registry);
  }

protected:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<OwningOpRef<ModuleOp>> schedule =
        baco::schedule::expandRecipes(module);
    if (failed(schedule))
      return signalPassFailure();
    if ((*schedule)->getBody()->empty())
      return;
    LDBG() << "adds " << (*schedule)->getBody()->getOperations().size()
           << " sequences";
    baco::schedule::removeRecipes(module);
    module->setAttr(transform::TransformDialect::kWithNamedSequenceAttrName,
                    UnitAttr::get(&getContext()));
    module.getBody()->getOperations().splice(
        module.getBody()->end(), (*schedule)->getBody()->getOperations());
  }
};
} // namespace
