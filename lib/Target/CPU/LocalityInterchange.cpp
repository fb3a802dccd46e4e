//===- LocalityInterchange.cpp - Loop orders for locality -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything becomes loops first, so that the dependence analysis of
// lib/LoopNest decides which loops may be reordered. It is more precise than
// that of linalg ops: ops whose operands are views of the same memory keep
// their meaning.
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/LowerToLoops.h"
#include "baco/Target/Passes.h"

#include "TransposeOperands.h"

#include "baco/IR/Walk.h"
#include "baco/LoopNest/ExpandSoftmax.h"
#include "baco/LoopNest/GeneratedDialects.h"
#include "baco/LoopNest/PrepareNest.h"

#include "mlir/Dialect/Affine/Analysis/AffineAnalysis.h"
#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-locality-interchange"

namespace baco::target {
#define GEN_PASS_DEF_LOCALITYINTERCHANGEPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;

/// The largest number of nests. An analysis takes up to a second for each, and
/// each of many nests matters little.
static constexpr size_t maxNests = 64;

namespace {
/// For tests: applies interchangeForLocality to each function without calls.
struct LocalityInterchange
    : baco::target::impl::LocalityInterchangePassBase<LocalityInterchange> {
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    baco::loopnest::registerGeneratedDialects(registry);
  }

protected:
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      // A caller might pass memory that overlaps, which the analyses exclude.
      if (!function.isExternal() && baco::target::isNeverCalled(function))
        baco::target::interchangeForLocality(function);
  }
};
} // namespace

bool baco::target::isNeverCalled(func::FuncOp function) {
  return SymbolTable::symbolKnownUseEmpty(function,
                                          function->getParentRegion());
}

/// Whether `loop` repeats a load in its body, whose innermost loop is another.
static bool repeatsLoad(affine::AffineForOp loop) {
  return loop
      ->walk([&](affine::AffineLoadOp load) {
        return llvm::is_contained(load.getIndices(), loop.getInductionVar())
                   ? WalkResult::advance()
                   : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Whether upstream's analyses of dependences hold for `nest`: they know only
/// accesses of the affine dialect, and take all memrefs for different memory.
static bool isAnalyzable(affine::AffineForOp nest) {
  llvm::SmallSetVector<Value, 8> written, accessed;
  bool hasOthers = baco::contains(nest, [&](Operation *op) {
    if (auto read = dyn_cast<affine::AffineReadOpInterface>(op)) {
      accessed.insert(read.getMemRef());
    } else if (auto write = dyn_cast<affine::AffineWriteOpInterface>(op)) {
      written.insert(write.getMemRef());
      accessed.insert(write.getMemRef());
    } else {
      // The walk also visits the ops in regions, which answer for themselves.
      return op->getNumRegions() == 0 && !isMemoryEffectFree(op);
    }
    return false;
  });
  return !hasOthers && llvm::all_of(written, [&](Value memory) {
    return llvm::all_of(accessed, [&](Value other) {
      return memory == other || baco::target::areApart(memory, other);
    });
  });
}

/// Lets a few iterations of a loop run side by side in the loop in it, if there
/// are enough of them. If they can't, nothing is changed. Returns whether they
/// do.
static bool jam(affine::AffineForOp loop) {
  constexpr uint64_t factor = 4;
  std::optional<uint64_t> trips = affine::getConstantTripCount(loop);
  return trips && *trips >= factor * factor &&
         succeeded(affine::loopUnrollJamByFactor(loop, factor));
}

/// Lets a few iterations of the outermost loop of a nest of three or more run
/// side by side in the innermost one, so that they share loads; and a few
/// iterations of the loop around the innermost one, so that they share stores,
/// too, as the terms of a sum do. Returns whether the latter do.
static bool jamIterations(affine::AffineForOp outermost) {
  SmallVector<affine::AffineForOp> band;
  affine::getPerfectlyNestedLoops(band, outermost);
  // Long bodies have enough to do between their accesses.
  constexpr size_t longBody = 32;
  if (band.size() < 2 || !isAnalyzable(outermost) ||
      band.back().getBody()->getOperations().size() > longBody)
    return false;
  // This is decided before the first jam, which changes the nest.
  bool isParallel = band.size() > 2 && repeatsLoad(outermost) &&
                    affine::isLoopParallel(outermost);
  // If the loop may be the innermost one, its iterations may be jammed.
  affine::AffineForOp last = band[band.size() - 2];
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, band.size()));
  std::swap(order.back(), order[order.size() - 2]);
  bool sharesStores = repeatsLoad(last) &&
                      affine::isValidLoopInterchangePermutation(band, order) &&
                      jam(last);
  if (isParallel)
    jam(outermost);
  return sharesStores;
}

void baco::target::assumeDistinctArguments(func::FuncOp entry) {
  auto memories =
      llvm::filter_to_vector(entry.getArguments(), [](Value argument) {
        return isa<MemRefType>(argument.getType());
      });
  // One memory alone is distinct from nothing.
  if (memories.size() < 2)
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&entry.getBody().front());
  SmallVector<Value> operands(memories.begin(), memories.end());
  auto distinct =
      memref::DistinctObjectsOp::create(builder, entry.getLoc(), operands);
  // The op itself has to keep the arguments.
  for (auto [argument, same] : llvm::zip_equal(operands, distinct.getResults()))
    argument.replaceAllUsesExcept(same, distinct);
}

bool baco::target::interchangeForLocality(func::FuncOp entry) {
  ScopedDiagnosticHandler silence(entry.getContext(),
                                  [](Diagnostic &) { return success(); });
  loopnest::expandSoftmaxes(entry);
  // Copies are made while ops have maps, which say how operands are indexed.
  transposeOperands(entry);
  PassManager manager(entry.getContext(), func::FuncOp::getOperationName());
  manager.addPass(createConvertLinalgToAffineLoopsPass());
  manager.addPass(createForallToForLoopPass());
  manager.addPass(createParallelForToNestedForsPass());
  // Each of them leaves ops that it can't convert, which are lowered later.
  if (failed(manager.run(entry)))
    return false;
  SmallVector<Operation *> nests;
  for (Block &block : entry.getBody())
    for (Operation &op : block)
      if (isa<scf::ForOp, affine::AffineForOp>(op) && nests.size() < maxNests)
        nests.push_back(&op);
  for (Operation *nest : nests) {
    Location location = nest->getLoc();
    bool isChanged = loopnest::makeInnermostContiguous(nest);
    LDBG() << location << ": " << (isChanged ? "interchanged" : "as it was");
  }
  bool sharesStores = false;
  for (auto loop : llvm::to_vector(entry.getOps<affine::AffineForOp>()))
    sharesStores |= jamIterations(loop);
  return sharesStores;
}
