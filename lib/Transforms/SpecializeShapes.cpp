//===- SpecializeShapes.cpp - Make versions for known shapes --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Transforms/Passes.h"

#include "baco/Frontend/SpecializeShapes.h"

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
    if (failed(baco::frontend::specializeShapes(getOperation(), shape)))
      signalPassFailure();
  }
};
} // namespace
