//===- BufferizeTensors.cpp - From tensors to memrefs ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a schedule has left on tensors, and what was never scheduled. Most
// modules have none, and pay nothing.
//
//===----------------------------------------------------------------------===//

#include "BufferizeTensors.h"

#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace {
struct BufferizeTensors
    : PassWrapper<BufferizeTensors, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BufferizeTensors)

  StringRef getArgument() const final { return "baco-bufferize-tensors"; }
  StringRef getDescription() const final {
    return "bufferize modules that have tensors";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<tensor::TensorDialect>();
    makePipeline().getDependentDialects(registry);
  }

  void runOnOperation() override {
    if (!hasTensors(getOperation()))
      return;
    OpPassManager pipeline = makePipeline();
    if (failed(runPipeline(pipeline, getOperation())))
      signalPassFailure();
  }

private:
  static bool hasTensors(Operation *root) {
    return root
        ->walk([](Operation *op) {
          return llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  static OpPassManager makePipeline() {
    OpPassManager manager(ModuleOp::getOperationName());
    manager.addPass(bufferization::createEmptyTensorEliminationPass());
    bufferization::OneShotBufferizePassOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.functionBoundaryTypeConversion =
        bufferization::LayoutMapOption::IdentityLayoutMap;
    manager.addPass(bufferization::createOneShotBufferizePass(options));
    bufferization::BufferDeallocationPipelineOptions deallocation;
    bufferization::buildBufferDeallocationPipeline(manager, deallocation);
    return manager;
  }
};
} // namespace

std::unique_ptr<Pass> baco::target::createBufferizeTensorsPass() {
  return std::make_unique<BufferizeTensors>();
}
