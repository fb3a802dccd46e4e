//===- LowerToCPU.cpp - From linalg to the LLVM dialect -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream passes, in an order that works for vectorized and for scalar code,
// and small passes where one has to look at the module first.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/TeamOptions.h"
#include "baco/LoopNest/ExpandSoftmax.h"
#include "baco/LoopNest/GeneratedDialects.h"
#include "baco/Target/CPU/LowerToLoops.h"
#include "baco/Target/Passes.h"
#include "baco/Target/Pipelines.h"

#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/SCFToOpenMP/SCFToOpenMP.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-lower-to-cpu"

namespace baco::target {
#define GEN_PASS_DEF_PREPAREFORCPUPASS
#define GEN_PASS_DEF_PARALLELTOOPENMPPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;
using baco::TeamOptions;

namespace {

/// Requests the C interface of public functions, makes softmaxes the linalg ops
/// that they stand for, which upstream does only on tensors, and copies of
/// strided memrefs linalg ops: upstream lowers those to calls of `memrefCopy`,
/// which would need a run-time library beside the kernel.
struct PrepareForCPU
    : baco::target::impl::PrepareForCPUPassBase<PrepareForCPU> {
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    baco::loopnest::registerGeneratedDialects(registry);
  }

protected:
  void runOnOperation() override {
    WalkResult launches = getOperation().walk([](gpu::LaunchOp launch) {
      emitError(launch.getLoc())
          << "'gpu.launch' doesn't run on a CPU; lower it by "
             "baco-lower-to-nvvm, or use a recipe without steps for GPUs";
      return WalkResult::interrupt();
    });
    if (launches.wasInterrupted())
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      // The wrapper takes descriptors by their address, which C can pass.
      if (function.isPublic() && !function.isExternal())
        function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                          UnitAttr::get(&getContext()));
    baco::loopnest::expandSoftmaxes(getOperation());
    // LLVM takes minutes for hundreds of them around each other.
    // The loops are listed first, as promoting one erases it under the walk.
    SmallVector<affine::AffineForOp> loops;
    getOperation().walk(
        [&](affine::AffineForOp loop) { loops.push_back(loop); });
    for (affine::AffineForOp loop : loops)
      (void)affine::promoteIfSingleIteration(loop);
    getOperation().walk([](memref::CopyOp copy) {
      auto source = dyn_cast<MemRefType>(copy.getSource().getType());
      auto target = dyn_cast<MemRefType>(copy.getTarget().getType());
      if (!source || !target ||
          (source.getLayout().isIdentity() && target.getLayout().isIdentity()))
        return;
      // Upstream lowers such a copy to a call of its run-time library.
      LDBG() << "strided copy: " << copy;
      baco::target::makeCopyLinalg(copy);
    });
  }
};

/// Makes parallel loops OpenMP regions, which the team of the worker runs
/// (runtime/Team.h) or any OpenMP library. Parallel reductions have no
/// counterpart there: a module with such a loop stays as it is, and later
/// passes make all of its loops sequential ones.
struct ParallelToOpenMP
    : baco::target::impl::ParallelToOpenMPPassBase<ParallelToOpenMP> {
protected:
  void runOnOperation() override {
    bool isParallel = false, reduces = false;
    getOperation().walk([&](scf::ParallelOp loop) {
      isParallel = true;
      reduces |= loop.getNumReductions() > 0;
    });
    LDBG() << "parallel loops: " << isParallel
           << ", with reductions: " << reduces;
    if (!isParallel || reduces)
      return;
    OpPassManager manager(ModuleOp::getOperationName());
    manager.addPass(createConvertSCFToOpenMPPass());
    if (failed(runPipeline(manager, getOperation())))
      return signalPassFailure();
    getOperation().walk(
        [](omp::ParallelOp region) { repeatDistinctObjects(region); });
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      // The dialect's verifier has read them before.
      llvm::Expected<TeamOptions> options = TeamOptions::read(function);
      if (!options) {
        function.emitError() << llvm::toString(options.takeError());
        return signalPassFailure();
      }
      function.walk([&](omp::ParallelOp region) { setTeam(region, *options); });
    }
    getOperation().walk([](omp::LoopNestOp loop) {
      for (auto scope : llvm::make_early_inc_range(
               loop.getRegion().getOps<memref::AllocaScopeOp>()))
        inlineScope(scope);
    });
  }

  /// Says in `region` again what is known to be different memory: it becomes a
  /// function of its own, which gets pointers through a structure.
  static void repeatDistinctObjects(omp::ParallelOp region) {
    llvm::SetVector<mlir::Value> captured;
    getUsedValuesDefinedAbove(region.getRegion(), captured);
    SmallVector<mlir::Value> apart =
        llvm::filter_to_vector(captured, [](mlir::Value value) {
          return value.getDefiningOp<memref::DistinctObjectsOp>() != nullptr;
        });
    // One memory alone is apart from nothing that is known.
    if (apart.size() < 2)
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(&region.getRegion().front());
    auto known =
        memref::DistinctObjectsOp::create(builder, region.getLoc(), apart);
    for (auto [value, same] : llvm::zip_equal(apart, known.getResults()))
      // Uses outside of the region keep the old value, which dominates them.
      for (OpOperand &use : llvm::make_early_inc_range(value.getUses()))
        if (use.getOwner() != known && region->isProperAncestor(use.getOwner()))
          use.set(same);
  }

  /// Says how threads share the loop in `region`.
  static void setTeam(omp::ParallelOp region, const TeamOptions &options) {
    OpBuilder builder(region);
    auto number = [&](int64_t value, unsigned width) {
      return arith::ConstantIntOp::create(builder, region.getLoc(), value,
                                          width)
          .getResult();
    };
    if (options.threads > 0)
      region.getNumThreadsMutable().assign(number(options.threads, 32));
    // Threads wait at the end of the region: once is enough.
    for (auto loop : region.getRegion().front().getOps<omp::WsloopOp>())
      loop.setNowait(isa<omp::TerminatorOp>(loop->getNextNode()));
    // A loop without a clause is shared in equal parts, which is this schedule.
    if (options.schedule == TeamOptions::Schedule::Static && options.chunk == 0)
      return;
    region.walk([&](omp::WsloopOp loop) {
      builder.setInsertionPoint(loop);
      loop.setScheduleKind(kindOf(options.schedule));
      loop.getScheduleChunkMutable().assign(
          // OpenMP takes a chunk of 1 where a dynamic or guided schedule names
          // none.
          number(std::max<int64_t>(options.chunk, 1), 64));
    });
  }

  static omp::ClauseScheduleKind kindOf(TeamOptions::Schedule schedule) {
    switch (schedule) {
    case TeamOptions::Schedule::Static:
      return omp::ClauseScheduleKind::Static;
    case TeamOptions::Schedule::Dynamic:
      return omp::ClauseScheduleKind::Dynamic;
    case TeamOptions::Schedule::Guided:
      return omp::ClauseScheduleKind::Guided;
    }
    llvm_unreachable("unknown schedule");
  }

  /// The scope that upstream puts around each iteration may hold one block
  /// only, so that loops in it could not become branches.
  static void inlineScope(memref::AllocaScopeOp scope) {
    OpBuilder builder(scope);
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
    mlir::Value stack =
        LLVM::StackSaveOp::create(builder, scope.getLoc(), pointer);
    Block &body = scope.getBodyRegion().front();
    // The block goes into another one, which has its own terminator.
    body.getTerminator()->erase();
    scope->getBlock()->getOperations().splice(scope->getIterator(),
                                              body.getOperations());
    LLVM::StackRestoreOp::create(builder, scope.getLoc(), stack);
    scope.erase();
  }
};

} // namespace

void baco::target::buildLowerToCPUPipeline(OpPassManager &manager,
                                           const LowerToCPUOptions &options) {
  manager.addPass(createLowerSparsePass());
  // The sparsifier has bufferized what it lowered, so this pass sees other
  // tensors only.
  manager.addPass(createBufferizeTensorsPass());
  manager.addPass(createPrepareForCPUPass());
  // Passes on functions run, and are verified, for several at a time.
  manager.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  manager.addNestedPass<func::FuncOp>(createCSEPass());
  // While all terms of a sum are in one block.
  manager.addPass(createTileProductsPass());
  manager.addPass(createDotProductsPass());
  // Softmaxes and strided copies have become ops of linalg above, so that these
  // loops include theirs.
  addLoweringToLoops(manager);
  manager.addNestedPass<func::FuncOp>(createForallToParallelLoopPass());
  // Behind what makes loops, whose iterations it counts, and before those
  // become regions of threads.
  manager.addPass(createPackConstantsPass({options.packing}));
  manager.addPass(createStoreConstantsPass({options.constants}));
  manager.addNestedPass<func::FuncOp>(createHoistParallelBuffersPass());
  // Parallel loops that this pass leaves become sequential ones below.
  manager.addPass(createParallelToOpenMPPass());
  // This pass chooses between two ways by scf.if, and so comes before branches
  // are made of these.
  manager.addPass(createVectorMathPass());
  // Behind what allocates, and before loops become branches: buffers move out
  // of loops, but not out of regions of threads.
  manager.addPass(createPlanWorkspacePass({options.workspace}));
  manager.addNestedPass<func::FuncOp>(createSCFToControlFlowPass());
  // Before the bounds of rounded numbers become LLVM's intrinsics.
  manager.addNestedPass<func::FuncOp>(createRoundToIntegersPass());
  // Upstream's expansion of maxima and minima, below, takes up to twice the
  // instructions.
  manager.addNestedPass<func::FuncOp>(createExtremaPass());
  manager.addNestedPass<func::FuncOp>(createNarrowToBF16Pass());
  manager.addNestedPass<func::FuncOp>(arith::createArithExpandOpsPass());
  manager.addNestedPass<func::FuncOp>(createConvertMathToLLVMPass());
  // Before vectors are lowered: it calls the library for each element.
  manager.addPass(createConvertMathToLibmPass());
  manager.addPass(createConvertVectorToLLVMPass());
  // One conversion instead of one for each dialect, each of which would look at
  // every op.
  ConvertToLLVMPassOptions conversion;
  conversion.filterDialects = {"arith", "cf",     "complex", "func",
                               "index", "memref", "omp",     "ub"};
  manager.addPass(createConvertToLLVMPass(conversion));
  manager.addPass(createReconcileUnrealizedCastsPass());
  manager.addNestedPass<LLVM::LLVMFuncOp>(createCSEPass());
  manager.addPass(createAlignStackPass());
  manager.addPass(createKeepCallsPass());
}
