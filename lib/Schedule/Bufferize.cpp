//===- Bufferize.cpp - Tensors become memrefs, by passes ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin layer over upstream's One-Shot Bufferize.
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/Bufferize.h"

#include "baco/IR/Walk.h"
#include "baco/Target/Passes.h"

#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-bufferize"

using namespace mlir;
using namespace baco;

bool baco::schedule::hasTensors(Operation *root) {
  auto isTensor = llvm::IsaPred<TensorType>;
  return contains(root, [&](Operation *op) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    return llvm::any_of(op->getResultTypes(), isTensor) ||
           (function && !function.isExternal() &&
            llvm::any_of(function.getArgumentTypes(), isTensor));
  });
}

void baco::schedule::buildBufferizePipeline(OpPassManager &manager) {
  manager.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  manager.addPass(bufferization::createOneShotBufferizePass(options));
  manager.addPass(target::createForwardCopiesPass());
  buildPassesBehindBufferization(manager);
}

void baco::schedule::buildPassesBehindBufferization(OpPassManager &manager) {
  bufferization::BufferResultsToOutParamsPassOptions results;
  results.hoistStaticAllocs = true;
  results.modifyPublicFunctions = true;
  manager.addPass(bufferization::createBufferResultsToOutParamsPass(results));
  bufferization::BufferDeallocationPipelineOptions deallocation;
  bufferization::buildBufferDeallocationPipeline(manager, deallocation);
}

void baco::schedule::registerBufferizeDialects(DialectRegistry &registry) {
  registry.insert<tensor::TensorDialect>();
  OpPassManager manager(ModuleOp::getOperationName());
  buildBufferizePipeline(manager);
  manager.getDependentDialects(registry);
}

/// Whether `type` has properties, such as sparsity, that upstream's
/// bufferization drops.
static bool hasEncoding(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getEncoding();
}

static LogicalResult checkEncodings(ModuleOp module) {
  return visitAll<Operation *>(module, [](Operation *op) -> LogicalResult {
    SmallVector<Type> types(op->getResultTypes());
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      llvm::append_range(types, function.getArgumentTypes());
    const auto *found = llvm::find_if(types, hasEncoding);
    if (found == types.end())
      return success();
    return op->emitError("has a tensor of type ")
           << *found << ", whose encoding a memref can't have";
  });
}

/// Upstream's conversion of results to arguments crashes where two of them are
/// one allocation.
static LogicalResult checkResults(ModuleOp module) {
  return visitAll<func::ReturnOp>(
      module, [](func::ReturnOp end) -> LogicalResult {
        llvm::SmallDenseSet<mlir::Value> seen;
        for (mlir::Value result : end.getOperands())
          if (isa<TensorType>(result.getType()) && !seen.insert(result).second)
            return end.emitError("returns a tensor twice");
        return success();
      });
}

LogicalResult baco::schedule::bufferize(ModuleOp module) {
  if (failed(checkEncodings(module)) || failed(checkResults(module)))
    return failure();
  LDBG() << "bufferizes the module at " << module.getLoc();
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  buildBufferizePipeline(manager);
  return manager.run(module);
}
