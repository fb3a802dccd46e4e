//===- ChannelsLast.cpp - Images in the order of vectors ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/GlobalOptimization/ChannelsLast.h"
#include "baco/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-channels-last"

namespace baco {
#define GEN_PASS_DEF_CHANNELSLASTPASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

using namespace mlir;

namespace {
struct ChannelsLastPass
    : public baco::impl::ChannelsLastPassBase<ChannelsLastPass> {
  using Base::Base;

protected:
  void runOnOperation() override {
    baco::Result<baco::globalopt::Layout> parsed =
        baco::globalopt::parseLayout(layout);
    if (!parsed) {
      emitError(getOperation()->getLoc()) << parsed.error().message;
      return signalPassFailure();
    }
    int64_t count = baco::globalopt::convertToChannelsLast(
        getOperation(), {.layout = *parsed, .entry = entry});
    LDBG() << count << " convolutions have changed";
  }
};
} // namespace
