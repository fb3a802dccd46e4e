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

#include "baco/Target/CPU/BufferizeTensors.h"

#include "baco/Schedule/Bufferize.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-bufferize-tensors"

using namespace mlir;
using namespace baco;

namespace {
struct BufferizeTensors
    : PassWrapper<BufferizeTensors, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BufferizeTensors)

  StringRef getArgument() const final { return "baco-bufferize-tensors"; }
  StringRef getDescription() const final {
    return "bufferize modules that have tensors";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
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

std::unique_ptr<Pass> baco::target::createBufferizeTensorsPass() {
  return std::make_unique<BufferizeTensors>();
}
