//===- SpecializeShapes.cpp - Make versions for known shapes --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Transforms/Passes.h"

#include "baco/Frontend/SpecializeShapes.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-specialize-shapes"

namespace baco {
#define GEN_PASS_DEF_SPECIALIZESHAPESPASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

namespace {
struct SpecializeShapesPass
    : public baco::impl::SpecializeShapesPassBase<SpecializeShapesPass> {
  using Base::Base;

  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    baco::frontend::registerSpecializeDialects(registry);
  }

protected:
  void runOnOperation() override {
    LDBG() << "shapes besides those of callers: '" << shape << "'";
    mlir::FailureOr<baco::frontend::RequestedShapes> shapes =
        baco::frontend::readShapeOption(getOperation(), shape);
    if (failed(shapes) ||
        failed(baco::frontend::specializeShapes(getOperation(), *shapes)))
      signalPassFailure();
  }
};
} // namespace
