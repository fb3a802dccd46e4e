//===- Isolate.cpp - One function and what it needs -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By upstream's removal of dead symbols.
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/ExpandRecipes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

FailureOr<OwningOpRef<ModuleOp>> baco::schedule::isolate(ModuleOp module,
                                                         StringRef entry) {
  OwningOpRef<ModuleOp> copy = module.clone();
  for (auto function : copy->getOps<func::FuncOp>())
    if (function.getName() == entry)
      function.setPublic();
    else
      function.setPrivate();
  PassManager manager(module.getContext());
  manager.addPass(createSymbolDCEPass());
  if (failed(manager.run(*copy)))
    return failure();
  return copy;
}
