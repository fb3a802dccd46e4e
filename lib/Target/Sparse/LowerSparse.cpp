//===- LowerSparse.cpp - From sparse tensors to loops on buffers ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's sparsifier without its run-time library, and the passes that it
// needs before and behind it.
//
//===----------------------------------------------------------------------===//

#include "SparseBuffers.h"
#include "SparseLoops.h"

#include "baco/IR/SparseEncoding.h"
#include "baco/IR/SparsifierOptions.h"
#include "baco/IR/Walk.h"
#include "baco/Schedule/Bufferize.h"
#include "baco/Target/CPU/LowerToLoops.h"
#include "baco/Target/Passes.h"
#include "baco/Target/Sparse/TunedFormats.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/SparseTensor/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-lower-sparse"

namespace baco::target {
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
                          SparsifierOptions::Parallel parallel) {
  SparsificationOptions sparsification(strategyOf(parallel),
                                       SparseEmitStrategy::kFunctional,
                                       /*enableRT=*/false);
  // The passes that follow free its allocations.
  // Vectors are made later, with the options of each function.
  manager.addPass(createSparsificationAndBufferizationPass(
      getBufferizationOptionsForSparsification(/*analysisOnly=*/false),
      sparsification, /*createSparseDeallocs=*/false,
      /*enableRuntimeLibrary=*/false, /*enableBufferInitialization=*/false,
      /*vectorLength=*/0, /*enableVLAVectorization=*/false, /*simd32=*/false,
      /*enableGPULibgen=*/false, sparsification.sparseEmitStrategy,
      sparsification.parallelizationStrategy));
}

/// Appends the passes that complete its lowering.
static void addPassesBehindSparsifier(OpPassManager &manager) {
  schedule::buildPassesBehindBufferization(manager);
  manager.addPass(createStorageSpecifierToLLVMPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Moves allocations that all branches return in front of them.
static void hoistYields(scf::IfOp branches) {
  if (!branches.elseBlock())
    return;
  for (OpResult result : branches.getResults()) {
    auto allocationOf = [&](Block *block) -> memref::AllocOp {
      Value yielded =
          block->getTerminator()->getOperand(result.getResultNumber());
      auto made = yielded.getDefiningOp<memref::AllocOp>();
      // A dynamic extent may be computed in the branch.
      return made && made->getBlock() == block &&
                     made.getType().hasStaticShape()
                 ? made
                 : memref::AllocOp();
    };
    memref::AllocOp first = allocationOf(branches.thenBlock()),
                    second = allocationOf(branches.elseBlock());
    if (!first || !second || first.getType() != second.getType())
      continue;
    first->moveBefore(branches);
    second.replaceAllUsesWith(first.getResult());
    second.erase();
    result.replaceAllUsesWith(first.getResult());
  }
}

/// Lets functions of the module write results where their callers want them.
static LogicalResult passResults(ModuleOp module) {
  // A result that is an argument itself needs no parameter of its own.
  if (failed(bufferization::dropEquivalentBufferResults(module)))
    return failure();
  bufferization::BufferResultsToOutParamsOpts options;
  options.hoistStaticAllocs = true;
  options.modifyPublicFunctions = true;
  options.filterFn = [](func::FuncOp *function) {
    // Only functions that the module calls are changed, and upstream fails at a
    // result of dynamic shape.
    return !SymbolTable::symbolKnownUseEmpty(*function,
                                             (*function)->getParentOp()) &&
           llvm::all_of(function->getResultTypes(), [](Type type) {
             auto memref = dyn_cast<MemRefType>(type);
             return !memref || memref.hasStaticShape();
           });
  };
  if (failed(bufferization::promoteBufferResultsToOutParams(module, options)))
    return failure();
  module.walk([](scf::IfOp branches) { hoistYields(branches); });
  return success();
}

/// Whether all calls of `function` are in `callers` and pass it memory that
/// doesn't overlap.
static bool getsDistinctMemory(func::FuncOp function,
                               const DenseSet<Operation *> &callers) {
  auto uses = SymbolTable::getSymbolUses(function, function->getParentOp());
  return uses && llvm::all_of(*uses, [&](const SymbolTable::SymbolUse &use) {
           auto call = dyn_cast<func::CallOp>(use.getUser());
           // A use other than a call, such as an address, may pass any memory.
           if (!call ||
               !callers.contains(call->getParentOfType<func::FuncOp>()))
             return false;
           SmallVector<Value> memory =
               llvm::filter_to_vector(call.getOperands(), [](Value value) {
                 return isa<MemRefType>(value.getType());
               });
           for (auto [i, first] : llvm::enumerate(memory))
             for (Value second : ArrayRef(memory).drop_front(i + 1))
               if (!areApart(first, second))
                 return false;
           return true;
         });
}

/// The functions of `names` whose arguments are distinct memory: public ones,
/// as docs/Sparse.md says, and functions that only these call, with such
/// memory.
static SmallVector<func::FuncOp> findEntries(ModuleOp module,
                                             ArrayRef<StringAttr> names) {
  SmallVector<func::FuncOp> entries, others;
  for (StringAttr name : names) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    (function.isPublic() ? entries : others).push_back(function);
  }
  DenseSet<Operation *> known(entries.begin(), entries.end());
  for (size_t before = 0; before != others.size();) {
    // A function becomes known by callers that have just become known, so the
    // search goes on until nothing changes.
    before = others.size();
    llvm::erase_if(others, [&](func::FuncOp function) {
      if (!getsDistinctMemory(function, known))
        return false;
      known.insert(function);
      entries.push_back(function);
      return true;
    });
  }
  return entries;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

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

/// Fails if `function`, which returned sparse tensors, does more than to make
/// their buffers: nothing else is lowered there.
static LogicalResult checkPacking(func::FuncOp function) {
  // Drop unused tensors, which the program has assembled.
  function.walk([](bufferization::ToTensorOp op) {
    if (op->use_empty())
      op->erase();
  });
  auto isMemory = llvm::IsaPred<BaseMemRefType>;
  auto isTensor = llvm::IsaPred<TensorType>;
  return visitAll<Operation *>(function, [&](Operation *op) -> LogicalResult {
    // Later passes lower these.
    if (isa<bufferization::ToTensorOp, sparse_tensor::AssembleOp,
            UnrealizedConversionCastOp>(op))
      return success();
    if (llvm::any_of(op->getOperandTypes(), isTensor) ||
        llvm::any_of(op->getResultTypes(), isTensor))
      return op->emitError("computes with tensors in a function that returns a "
                           "sparse one, which isn't supported; move it to "
                           "another function");
    // The callee may get other arguments, or assume distinct memory.
    if (isa<func::CallOp>(op) &&
        (llvm::any_of(op->getOperandTypes(), isMemory) ||
         llvm::any_of(op->getResultTypes(), isMemory)))
      return op->emitError("passes memory to a function where a sparse tensor "
                           "is returned, which isn't supported; call it from "
                           "another function");
    return success();
  });
}

/// Fails if an op still works on sparse tensors.
static LogicalResult checkLowered(ModuleOp module) {
  return visitAll<linalg::LinalgOp>(
      module, [](linalg::LinalgOp op) -> LogicalResult {
        if (llvm::none_of(op->getOperandTypes(), baco::isSparse))
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
    options.clear();
    // These look for sparse tensors, and so come before the tensors are
    // flattened.
    if (failed(readOptions()) || failed(checkLevelOrder(module)) ||
        failed(checkSelects(module)) || failed(checkReductions(module)))
      return signalPassFailure();
    SmallVector<func::FuncOp> packing = findPackingFunctions();
    if (failed(flattenSparseTensors(module)))
      return signalPassFailure();
    for (func::FuncOp function : packing)
      if (failed(checkPacking(function)))
        return signalPassFailure();
    // They manage their memory.
    for (func::FuncOp function : packing) {
      function->remove();
      options.erase(function.getSymNameAttr());
    }
    if (failed(lower()))
      signalPassFailure();
    for (func::FuncOp function : packing)
      module.push_back(function);
  }

private:
  /// Reads the options of all functions that have sparse tensors.
  LogicalResult readOptions() {
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
      options[function.getSymNameAttr()] = *own;
    }
    return success();
  }

  /// Runs upstream's sparsifier on `module`, which has to be in the operation.
  LogicalResult sparsify(ModuleOp module,
                         SparsifierOptions::Parallel parallel) {
    OpPassManager manager(ModuleOp::getOperationName());
    addSparsifier(manager, parallel);
    return runPipeline(manager, module);
  }

  /// Sparsifies each function with its own strategy. Upstream's pass takes
  /// modules, as it needs the effects of callees, and one strategy for all
  /// functions: functions with other strategies get their bodies from a copy.
  LogicalResult sparsifyEach() {
    ModuleOp module = getOperation();
    using Parallel = SparsifierOptions::Parallel;
    llvm::MapVector<Parallel, SmallVector<StringAttr>> functionsOf;
    for (auto &[name, own] : options)
      functionsOf[own.parallel].push_back(name);
    if (functionsOf.empty())
      return sparsify(module, Parallel::None);
    SmallVector<OwningOpRef<ModuleOp>> copies;
    for (auto &[parallel, names] : llvm::drop_begin(functionsOf)) {
      OwningOpRef<ModuleOp> copy = module.clone();
      module.push_back(*copy);
      LogicalResult done = sparsify(*copy, parallel);
      // The reference erases the copy, so the module must not have it any more.
      (*copy)->remove();
      if (failed(done))
        return failure();
      copies.push_back(std::move(copy));
    }
    // The module itself comes last, because the copies are made of functions
    // that are not sparsified.
    if (failed(sparsify(module, functionsOf.front().first)))
      return failure();
    for (auto [way, copy] :
         llvm::zip_equal(llvm::drop_begin(functionsOf), copies))
      for (StringAttr name : way.second)
        module.lookupSymbol<func::FuncOp>(name).getBody().takeBody(
            copy->lookupSymbol<func::FuncOp>(name).getBody());
    return success();
  }

  LogicalResult lower() {
    ModuleOp module = getOperation();
    DenseSet<StringAttr> own;
    for (auto function : module.getOps<func::FuncOp>())
      own.insert(function.getSymNameAttr());
    OpPassManager cleanUp(ModuleOp::getOperationName());
    // A result that was reshaped there and back becomes the buffer itself.
    cleanUp.addPass(createCanonicalizerPass());
    OpPassManager behind(ModuleOp::getOperationName());
    addPassesBehindSparsifier(behind);
    // Workers don't verify the results of passes.
    if (failed(sparsifyEach()) || failed(verify(module)) ||
        failed(checkLowered(module)) || failed(checkConversions(module, own)) ||
        failed(runPipeline(cleanUp, module)) || failed(passResults(module)) ||
        failed(runPipeline(behind, module)) || failed(checkRaces(module)))
      return failure();
    forwardWholeBuffers(module);
    SmallVector<StringAttr> names;
    for (auto &[name, own] : options)
      names.push_back(name);
    SmallVector<func::FuncOp> entries = findEntries(module, names);
    // Arguments of other functions may overlap.
    if (distinctArguments)
      for (func::FuncOp function : entries) {
        // A tile is one vector before its sum is carried; so the sum stays in
        // registers as vectors.
        vectorizeTiles(function);
        carrySums(function);
      }
    // Factors are found in sums that loops carry.
    for (auto &[name, own] : options)
      if (own.factor)
        factorSums(module.lookupSymbol(name));
    keepOuterLoopsRolled(module);
    for (auto &[name, own] : options)
      vectorizeLoops(module.lookupSymbol(name), own);
    mergeSegments(module);
    // Vectors have their reductions by now.
    relaxArithmetic(module);
    // The sums that loops carry are vectors by now.
    keepSumsRolled(module);
    keepAroundGathersRolled(module);
    // A count that the function's options choose replaces those above.
    for (auto &[name, own] : options)
      unrollRows(module.lookupSymbol(name), own);
    for (func::FuncOp function : entries) {
      fuseFills(function);
      if (distinctArguments)
        // LLVM then loads and stores once what iterations share.
        assumeDistinctArguments(function);
    }
    return success();
  }

  SmallVector<func::FuncOp> findPackingFunctions() {
    return llvm::filter_to_vector(
        getOperation().getOps<func::FuncOp>(), [](func::FuncOp function) {
          return llvm::any_of(function.getResultTypes(), baco::isSparse);
        });
  }

  /// The options of each function, in the order of the functions.
  llvm::MapVector<StringAttr, SparsifierOptions> options;
};
} // namespace
