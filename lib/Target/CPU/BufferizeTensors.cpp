//===- BufferizeTensors.cpp - From tensors to memrefs ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bufferizes ops that the schedule left on tensors or didn't change. Most
// modules have none, and skip the passes.
//
//===----------------------------------------------------------------------===//

#include "baco/Target/Passes.h"

#include "baco/Schedule/Bufferize.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-bufferize-tensors"

namespace baco::target {
#define GEN_PASS_DEF_BUFFERIZETENSORSPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;
using namespace baco;

namespace {
struct BufferizeTensors
    : baco::target::impl::BufferizeTensorsPassBase<BufferizeTensors> {
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    schedule::registerBufferizeDialects(registry);
  }

  void runOnOperation() override {
    if (!schedule::hasTensors(getOperation()))
      return;
    LDBG() << "the module has tensors";
    OpPassManager pipeline(ModuleOp::getOperationName());
    schedule::buildBufferizePipeline(pipeline);
    if (failed(runPipeline(pipeline, getOperation())))
      signalPassFailure();
  }
};
} // namespace
