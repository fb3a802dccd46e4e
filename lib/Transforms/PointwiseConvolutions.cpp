//===- PointwiseConvolutions.cpp - Convolutions of 1 x 1 ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/GlobalOptimization/PointwiseConvolutions.h"
#include "baco/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-pointwise-convolutions"

namespace baco {
#define GEN_PASS_DEF_POINTWISECONVOLUTIONSPASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

namespace {
struct PointwiseConvolutionsPass
    : public baco::impl::PointwiseConvolutionsPassBase<
          PointwiseConvolutionsPass> {
  using Base::Base;

protected:
  void runOnOperation() override {
    int64_t count = baco::globalopt::convertPointwise(getOperation(), entry);
    LDBG() << count << " convolutions have become products";
  }
};
} // namespace
