//===- TransposeConstants.cpp - Weights in the order of use ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/GlobalOptimization/TransposeConstants.h"
#include "baco/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-transpose-constants"

namespace baco {
#define GEN_PASS_DEF_TRANSPOSECONSTANTSPASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

namespace {
struct TransposeConstantsPass
    : public baco::impl::TransposeConstantsPassBase<TransposeConstantsPass> {
  using Base::Base;

protected:
  void runOnOperation() override {
    int64_t count = baco::globalopt::transposeConstants(getOperation());
    LDBG() << count << " ops have changed";
  }
};
} // namespace
