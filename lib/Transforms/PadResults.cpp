//===- PadResults.cpp - Results with borders ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Frontend/LowerFrontEnds.h"
#include "baco/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-pad-results"

namespace baco {
#define GEN_PASS_DEF_PADRESULTSPASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

namespace {
struct PadResultsPass : public baco::impl::PadResultsPassBase<PadResultsPass> {
  using Base::Base;

protected:
  void runOnOperation() override {
    int64_t count = baco::frontend::padResults(getOperation(), entry);
    LDBG() << count << " paddings are gone";
  }
};
} // namespace
