//===- DecomposeForGpu.cpp - Ops that become several kernels --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/GpuSchedule/AnnotateGpu.h"
#include "baco/Schedule/Bufferize.h"
#include "baco/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-decompose-for-gpu"

namespace baco {
#define GEN_PASS_DEF_DECOMPOSEFORGPUPASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

namespace {
struct DecomposeForGpuPass
    : public baco::impl::DecomposeForGpuPassBase<DecomposeForGpuPass> {
  using Base::Base;

  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    baco::schedule::registerBufferizeDialects(registry);
  }

protected:
  void runOnOperation() override {
    int64_t count = baco::schedule::decomposeForGpu(getOperation());
    LDBG() << count << " ops are linalg ops now";
  }
};
} // namespace
