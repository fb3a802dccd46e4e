//===- OutlineKernels.cpp - Functions of what is tuned --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Frontend/OutlineKernels.h"
#include "baco/IR/BacoDialect.h"
#include "baco/Schedule/Bufferize.h"
#include "baco/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-outline-kernels"

namespace baco {
#define GEN_PASS_DEF_OUTLINEKERNELSPASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

namespace {
struct OutlineKernelsPass
    : public baco::impl::OutlineKernelsPassBase<OutlineKernelsPass> {
  using Base::Base;

  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    // Whether all can become memory is tried.
    baco::schedule::registerBufferizeDialects(registry);
  }

protected:
  void runOnOperation() override {
    baco::frontend::OutlinedKernels outlined =
        baco::frontend::outlineKernels(getOperation(), {.entry = entry});
    LDBG() << outlined.size() << " kernels are functions now";
  }
};
} // namespace
