//===- LowerSparse.cpp - From sparse tensors to loops on buffers ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's sparsifier without its run-time library, and what it needs before
// and behind it.
//
//===----------------------------------------------------------------------===//

#include "LocalityInterchange.h"
#include "SparseArguments.h"
#include "SparseFills.h"
#include "SparseLoops.h"
#include "SparseSums.h"
#include "SparseVectors.h"

#include "baco/IR/SparseEncoding.h"
#include "baco/IR/SparsifierOptions.h"
#include "baco/IR/Walk.h"
#include "baco/Schedule/Bufferize.h"
#include "baco/Target/Pipelines.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/SparseTensor/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-lower-sparse"

namespace baco::target {
#define GEN_PASS_DECL_LOWERSPARSEPASS
#define GEN_PASS_DEF_LOWERSPARSEPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;
using namespace baco;
using namespace baco::target;

static SparseParallelizationStrategy
strategyOf(SparsifierOptions::Parallel parallel) {
  switch (parallel) {
  case SparsifierOptions::Parallel::None:
    return SparseParallelizationStrategy::kNone;
  case SparsifierOptions::Parallel::DenseOuterLoop:
    return SparseParallelizationStrategy::kDenseOuterLoop;
  case SparsifierOptions::Parallel::AnyStorageOuterLoop:
    return SparseParallelizationStrategy::kAnyStorageOuterLoop;
  }
  llvm_unreachable("unknown strategy");
}

/// Appends upstream's pass that makes loops on buffers.
static void addSparsifier(OpPassManager &manager,
                          const SparsifierOptions &options) {
  SparsificationOptions sparsification(strategyOf(options.parallel),
                                       SparseEmitStrategy::kFunctional,
                                       /*enableRT=*/false);
  // What it allocates is freed by the passes that follow.
  manager.addPass(createSparsificationAndBufferizationPass(
      getBufferizationOptionsForSparsification(/*analysisOnly=*/false),
      sparsification, /*createSparseDeallocs=*/false,
      /*enableRuntimeLibrary=*/false, /*enableBufferInitialization=*/false,
      /*vectorLength=*/0, /*enableVLAVectorization=*/false, /*simd32=*/false,
      /*enableGPULibgen=*/false, sparsification.sparseEmitStrategy,
      sparsification.parallelizationStrategy));
}

/// Appends what is left to do behind it.
static void addPassesBehindSparsifier(OpPassManager &manager) {
  // A result that was reshaped there and back becomes the buffer itself.
  manager.addPass(createCanonicalizerPass());
  schedule::buildPassesBehindBufferization(manager);
  manager.addPass(createStorageSpecifierToLLVMPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

/// Fails at ops of which upstream makes loops that are not valid: it stores
/// the bit that says whether an element is selected.
static LogicalResult checkSelects(ModuleOp module) {
  return visitAll<sparse_tensor::SelectOp>(
      module, [](sparse_tensor::SelectOp op) -> LogicalResult {
        return op.emitOpError("is for sparse results upstream, which aren't "
                              "supported; use 'sparse_tensor.unary' with "
                              "'arith.select', and zero for what isn't "
                              "selected");
      });
}

/// Fails at reductions of which upstream makes IR that is not valid.
static LogicalResult checkReductions(ModuleOp module) {
  return visitAll<linalg::LinalgOp>(
      module, [](linalg::LinalgOp op) -> LogicalResult {
        if (!reducesZerosToTensor(op))
          return success();
        return op.emitError(baco::reducesZerosComplaint);
      });
}

/// Fails if upstream converts tensors at run time, by functions that it makes,
/// which return buffers of any size.
static LogicalResult checkConversions(ModuleOp module,
                                      const DenseSet<StringAttr> &own) {
  return visitAll<func::FuncOp>(
      module, [&](func::FuncOp function) -> LogicalResult {
        if (own.contains(function.getSymNameAttr()) ||
            llvm::none_of(function.getResultTypes(), [](Type type) {
              auto memref = dyn_cast<MemRefType>(type);
              return memref && !memref.hasStaticShape();
            }))
          return success();
        return emitError(function.getLoc())
               << "upstream converts this sparse tensor, as it does where no "
                  "order of loops visits the levels of all operands from the "
                  "outermost to the innermost one, which isn't supported; "
                  "change a format";
      });
}

/// Fails if an op still works on sparse tensors.
static LogicalResult checkLowered(ModuleOp module) {
  return visitAll<linalg::LinalgOp>(
      module, [](linalg::LinalgOp op) -> LogicalResult {
        if (llvm::none_of(op->getOperandTypes(),
                          [](Type type) { return bool(encodingOf(type)); }))
          return success();
        return op.emitError()
               << "upstream's sparsifier makes no loops of this, as it makes "
                  "none of functions that aren't 0 where operands have no "
                  "entries, of ops that it doesn't know, or of several "
                  "results; 'sparse_tensor.unary', 'sparse_tensor.binary' and "
                  "'sparse_tensor.reduce' say what to compute of entries, and "
                  "where there are none, by any op";
      });
}

namespace {
struct LowerSparsePass
    : public baco::target::impl::LowerSparsePassBase<LowerSparsePass> {
  using Base::Base;

protected:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!hasSparseTensors(module))
      return;
    generalizeSparseOps(module);
    releaseOrderOfBlocks(module);
    FailureOr<SparsifierOptions> options = readOptions();
    if (failed(options) || failed(checkLevelOrder(module)) ||
        failed(checkSelects(module)) || failed(checkReductions(module)))
      return signalPassFailure();
    SmallVector<StringAttr> entries;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (!hasSparseBoundary(function) || function.isPrivate())
        continue;
      if (failed(assembleArguments(function)))
        return signalPassFailure();
      entries.push_back(function.getSymNameAttr());
    }
    DenseSet<StringAttr> own;
    for (auto function : module.getOps<func::FuncOp>())
      own.insert(function.getSymNameAttr());
    OpPassManager sparsifier(ModuleOp::getOperationName());
    addSparsifier(sparsifier, *options);
    OpPassManager behind(ModuleOp::getOperationName());
    addPassesBehindSparsifier(behind);
    // Workers don't verify what passes make.
    if (failed(runPipeline(sparsifier, module)) || failed(verify(module)) ||
        failed(checkLowered(module)) || failed(checkConversions(module, own)) ||
        failed(runPipeline(behind, module)) || failed(checkRaces(module)))
      return signalPassFailure();
    forwardWholeBuffers(module);
    // Arguments of other functions may overlap.
    if (distinctArguments)
      for (StringAttr name : entries) {
        auto function = module.lookupSymbol<func::FuncOp>(name);
        vectorizeTiles(function);
        carrySums(function);
      }
    if (options->factor)
      factorSums(module);
    keepOuterLoopsRolled(module);
    vectorizeLoops(module, *options);
    mergeSegments(module);
    relaxVectorArithmetic(module);
    keepSumsRolled(module);
    keepAroundGathersRolled(module);
    unrollRows(module, options->unroll);
    for (StringAttr name : entries) {
      auto function = module.lookupSymbol<func::FuncOp>(name);
      fuseFills(function);
      if (distinctArguments)
        assumeDistinctArguments(function);
    }
  }

private:
  /// The options of all functions on sparse tensors, which must agree.
  FailureOr<SparsifierOptions> readOptions() {
    std::optional<SparsifierOptions> options;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!hasSparseTensors(function))
        continue;
      if (function.isExternal())
        return function.emitError("takes or returns a sparse tensor, and has "
                                  "no body");
      // The dialect's verifier has read them before.
      llvm::Expected<SparsifierOptions> own = SparsifierOptions::read(function);
      if (!own)
        return function.emitError() << llvm::toString(own.takeError());
      if (options && *options != *own)
        return function.emitError("has other options of the sparsifier than a "
                                  "function before; put them into modules of "
                                  "their own");
      options = *own;
    }
    return options.value_or(SparsifierOptions());
  }
};
} // namespace

std::unique_ptr<Pass> baco::target::createLowerSparse(bool distinctArguments) {
  LowerSparsePassOptions options;
  options.distinctArguments = distinctArguments;
  return std::make_unique<LowerSparsePass>(options);
}

void baco::target::registerLowerSparsePass() {
  registerPass([] { return std::make_unique<LowerSparsePass>(); });
}
