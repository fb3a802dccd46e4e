//===- Winograd.cpp - Convolutions with fewer products --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/GlobalOptimization/Winograd.h"
#include "baco/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-winograd"

namespace baco {
#define GEN_PASS_DEF_WINOGRADPASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

namespace {
struct WinogradPass : public baco::impl::WinogradPassBase<WinogradPass> {
  using Base::Base;

protected:
  void runOnOperation() override {
    auto options = baco::globalopt::parseWinograd(tile);
    if (options && options->isMeasured)
      options = baco::Error{baco::ErrorCode::InvalidArgument,
                            "tile: only a search measures; give off, 2, 4 or a "
                            "list for shapes"};
    if (!options) {
      emitError(getOperation()->getLoc()) << options.error().message;
      return signalPassFailure();
    }
    options->isForced = isForced;
    options->entry = entry;
    int64_t count = baco::globalopt::applyWinograd(getOperation(), *options);
    LDBG() << count << " convolutions have changed";
  }
};
} // namespace
