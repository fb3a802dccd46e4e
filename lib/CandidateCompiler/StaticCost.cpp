//===- StaticCost.cpp - Cycles of a module's kernels, by a model ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StaticCost.h"

#include "baco/CostModel/KernelWork.h"
#include "baco/IR/DiagnosticRecorder.h"
#include "baco/Support/CostUnit.h"
#include "baco/Target/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/FormatVariadic.h"

#define DEBUG_TYPE "baco-static-cost"

namespace baco::target {
#define GEN_PASS_DEF_STATICCOSTPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;
using namespace baco;
using namespace baco::target;

/// Grid and block, all constants.
static llvm::Expected<LaunchShape> readShape(gpu::LaunchFuncOp launch) {
  LaunchShape shape;
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  const Value values[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
  for (auto [index, value] : llvm::enumerate(values)) {
    std::optional<int64_t> constant = getConstantIntValue(value);
    if (!constant || *constant < 1)
      return llvm::createStringError(
          "the launch depends on values that aren't positive constants");
    (index < 3 ? shape.grid : shape.block)[index % 3] = *constant;
  }
  return shape;
}

/// Fails if a launch exceeds the limits of all GPUs.
static llvm::Error checkShape(const LaunchShape &shape) {
  auto tooMany = [](const llvm::Twine &what, int64_t most, int64_t got) {
    return llvm::createStringError("too many " + what + ": " +
                                   llvm::Twine(got) + ", but " +
                                   llvm::Twine(most) + " is the most");
  };
  for (int i = 0; i < 3; ++i) {
    std::string along = std::string(" along ") + "xyz"[i];
    if (shape.grid[i] > nvidia::maxGridExtents[i])
      return tooMany("blocks" + along, nvidia::maxGridExtents[i],
                     shape.grid[i]);
    if (shape.block[i] > nvidia::maxBlockExtents[i])
      return tooMany("threads" + along, nvidia::maxBlockExtents[i],
                     shape.block[i]);
  }
  if (shape.numThreads() > nvidia::maxThreads)
    return tooMany("threads in a block", nvidia::maxThreads,
                   shape.numThreads());
  return llvm::Error::success();
}

/// Whether a multiprocessor can run a block.
static llvm::Error checkNeeds(const NvidiaGpu &gpu, const BlockNeeds &needs,
                              int64_t dynamicShared) {
  std::string chip(gpu.chip);
  int64_t staticShared = needs.sharedBytes - dynamicShared;
  if (staticShared > nvidia::maxStaticShared)
    return llvm::createStringError(
        "too much static shared memory: " + llvm::Twine(staticShared) +
        " bytes, but " + llvm::Twine(nvidia::maxStaticShared) + " is the most");
  if (needs.sharedBytes > gpu.maxDynamicShared)
    return llvm::createStringError(
        "too much shared memory: " + llvm::Twine(needs.sharedBytes) +
        " bytes, but a block has at most " + llvm::Twine(gpu.maxDynamicShared) +
        " on " + chip);
  return llvm::Error::success();
}

/// How often the loops around a launch repeat it.
static llvm::Expected<double> countLaunches(gpu::LaunchFuncOp launch) {
  double count = 1;
  for (Operation *parent = launch->getParentOp();
       parent && !isa<func::FuncOp>(parent); parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    std::optional<llvm::APInt> trips =
        loop ? loop.getStaticTripCount() : std::nullopt;
    if (!trips)
      return llvm::createStringError("how often it is launched isn't static");
    count *= static_cast<double>(trips->getZExtValue());
  }
  return count;
}

/// The size of the buffer behind each operand in bytes; 0: it isn't known.
static SmallVector<double> sizesOf(gpu::LaunchFuncOp launch) {
  SmallVector<double> sizes;
  DataLayout layout = DataLayout::closest(launch);
  for (Type type : launch.getKernelOperands().getTypes()) {
    auto memref = dyn_cast<MemRefType>(type);
    bool isKnown = memref && memref.hasStaticShape();
    sizes.push_back(isKnown
                        ? static_cast<double>(memref.getNumElements()) *
                              static_cast<double>(
                                  layout.getTypeSize(memref.getElementType())
                                      .getFixedValue())
                        : 0);
  }
  return sizes;
}

namespace {
/// The LLVM IR of the binaries of a module, parsed once each.
class KernelCode {
public:
  explicit KernelCode(const KernelAssembler *assembler)
      : assembler(assembler) {}

  llvm::Expected<llvm::Function *> find(gpu::LaunchFuncOp launch);
  /// The assembler's report on `kernel`; null without an assembler.
  llvm::Expected<const KernelResources *> assemble(llvm::Function &kernel);

private:
  const KernelAssembler *assembler;
  llvm::LLVMContext context;
  llvm::StringMap<std::unique_ptr<llvm::Module>> modules;
  /// The reports of the assembler, in the order of the calls.
  llvm::MapVector<llvm::Module *, runtime::Assembly> assemblies;
};
} // namespace

llvm::Expected<llvm::Function *> KernelCode::find(gpu::LaunchFuncOp launch) {
  std::unique_ptr<llvm::Module> &code =
      modules[launch.getKernelModuleName().getValue()];
  auto binary = SymbolTable::lookupNearestSymbolFrom<gpu::BinaryOp>(
      launch, launch.getKernelModuleName());
  if (!code && binary)
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
      if (object.getFormat() != gpu::CompilationTarget::Offload)
        continue;
      auto parsed = llvm::parseBitcodeFile(
          llvm::MemoryBufferRef(object.getObject().getValue(), "kernels"),
          context);
      if (!parsed)
        return parsed.takeError();
      code = std::move(*parsed);
    }
  if (llvm::Function *kernel =
          code ? code->getFunction(launch.getKernelName()) : nullptr)
    return kernel;
  return llvm::createStringError(
      "the kernel has no LLVM IR; lower the module by "
      "baco-lower-to-nvvm='format=llvm' before");
}

llvm::Expected<const KernelResources *>
KernelCode::assemble(llvm::Function &kernel) {
  if (!assembler)
    return nullptr;
  llvm::Module *module = kernel.getParent();
  if (!assemblies.contains(module)) {
    auto made = assembler->assemble(*module);
    if (!made)
      return made.takeError();
    assemblies[module] = std::move(*made);
  }
  const auto &kernels = assemblies[module].kernels;
  auto found = kernels.find(kernel.getName().str());
  if (found == kernels.end())
    return llvm::createStringError(
        "ptxas doesn't say what it needs; it may be too old or too new");
  return &found->second;
}

static llvm::Expected<LaunchCost>
costOfLaunch(gpu::LaunchFuncOp launch, const NvidiaGpu &gpu, KernelCode &code) {
  LaunchCost cost;
  auto shape = readShape(launch);
  if (!shape)
    return shape.takeError();
  if (llvm::Error error = checkShape(*shape))
    return std::move(error);
  int64_t dynamicShared = 0;
  if (Value size = launch.getDynamicSharedMemorySize()) {
    std::optional<int64_t> constant = getConstantIntValue(size);
    if (!constant)
      return llvm::createStringError(
          "the size of dynamic shared memory isn't a constant");
    dynamicShared = *constant;
  }
  auto launches = countLaunches(launch);
  if (!launches)
    return launches.takeError();
  cost.launches = *launches;
  auto kernel = code.find(launch);
  if (!kernel)
    return kernel.takeError();
  auto assembled = code.assemble(**kernel);
  if (!assembled)
    return assembled.takeError();
  auto work =
      countWork(**kernel, *shape, dynamicShared, sizesOf(launch), *assembled);
  if (!work)
    return work.takeError();
  cost.work = std::move(*work);
  BlockNeeds &needs = cost.work.needs;
  if (llvm::Error error = checkNeeds(gpu, needs, dynamicShared))
    return std::move(error);
  // The others are spilled.
  needs.registers = std::min(needs.registers, limitRegisters(needs.threads));
  if (countResidentBlocks(gpu, needs) == 0)
    return llvm::createStringError("no multiprocessor has room for a block");
  cost.bounds = boundKernel(gpu, cost.work);
  return cost;
}

llvm::Expected<double> target::costOfLaunches(
    ModuleOp module, const NvidiaGpu &gpu,
    function_ref<void(gpu::LaunchFuncOp, const LaunchCost &)> onLaunch,
    const KernelAssembler *assembler) {
  KernelCode code(assembler);
  SmallVector<gpu::LaunchFuncOp> launches;
  module.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
  double cycles = 0;
  for (gpu::LaunchFuncOp launch : launches) {
    auto cost = costOfLaunch(launch, gpu, code);
    if (!cost)
      return llvm::createStringError("kernel '" + launch.getKernelName().str() +
                                     "': " + llvm::toString(cost.takeError()));
    cycles += cost->cycles();
    LDBG() << launch.getKernelName() << ": " << cost->cycles()
           << " cycles, launched " << cost->launches << " times";
    if (onLaunch)
      onLaunch(launch, *cost);
  }
  return cycles;
}

/// The resources that a launch needs, and the unit that takes the most cycles.
static std::string describeLaunch(const LaunchCost &cost,
                                  const NvidiaGpu &gpu) {
  const BlockNeeds &needs = cost.work.needs;
  const GpuBounds &bounds = cost.bounds;
  StringRef busiest = bounds.largest() == bounds.multiprocessor
                          ? "multiprocessors"
                      : bounds.largest() == bounds.memory ? "memory"
                                                          : "the L2 cache";
  std::string registers = std::to_string(needs.registers) + " registers";
  if (const auto &assembled = cost.work.assembled)
    registers += ", " + std::to_string(assembled->spillBytes) +
                 " bytes of spills by ptxas";
  else
    registers = "about " + registers;
  return llvm::formatv("{0}: {1}, {2} bytes of shared memory, {3} resident "
                       "blocks of {4} threads, bound by {5}",
                       StringRef(staticCostNote), registers, needs.sharedBytes,
                       countResidentBlocks(gpu, needs), needs.threads, busiest)
      .str();
}

/// Fails if `function` accesses memory or computes outside of kernels: the host
/// of a GPU only launches them.
static llvm::Error checkHost(func::FuncOp function) {
  Operation *other = nullptr;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::LaunchOp>(op))
      return WalkResult::skip();
    if (isa<linalg::LinalgOp, memref::LoadOp, memref::StoreOp, memref::CopyOp,
            affine::AffineLoadOp, affine::AffineStoreOp, vector::TransferReadOp,
            vector::TransferWriteOp>(op)) {
      other = op;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (!other)
    return llvm::Error::success();
  std::string place;
  llvm::raw_string_ostream(place) << other->getLoc();
  return llvm::createStringError(
      "'" + other->getName().getStringRef() +
      "' isn't in a kernel; give each op of the function a recipe with "
      "gpu_blocks and gpu_threads (" +
      place + ")");
}

llvm::Error target::lowerKernels(ModuleOp module, StringRef entry,
                                 std::unique_ptr<Pass> lowering) {
  if (auto function = module.lookupSymbol<func::FuncOp>(entry))
    if (llvm::Error error = checkHost(function))
      return error;
  DiagnosticRecorder recorder(module.getContext());
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.addPass(std::move(lowering));
  manager.enableVerifier(false);
  if (failed(manager.run(module)))
    return llvm::createStringError(
        recorder.message("lowering the kernels failed"));
  return llvm::Error::success();
}

llvm::Error target::lowerKernels(ModuleOp module, NVVM::NVVMTargetAttr target,
                                 StringRef entry) {
  LowerToNvvmPassOptions options;
  options.chip = target.getChip().str();
  options.features = target.getFeatures().str();
  options.format = "llvm";
  return lowerKernels(module, entry, createLowerToNvvmPass(options));
}

llvm::Expected<ModuleCost> target::costOfModule(ModuleOp module,
                                                NVVM::NVVMTargetAttr target,
                                                runtime::PtxAssembler *ptxas) {
  // Verified with the attribute.
  const NvidiaGpu *gpu = findNvidiaGpu(target.getChip());
  assert(gpu && "the table of chips has a row for each target");
  ModuleCost cost;
  double most = 0;
  std::optional<KernelAssembler> assembler;
  if (ptxas)
    assembler.emplace(KernelAssembler{*ptxas, target});
  auto cycles = costOfLaunches(
      module, *gpu,
      [&](gpu::LaunchFuncOp, const LaunchCost &launch) {
        if (launch.work.assembled) {
          if (!cost.resources)
            cost.resources.emplace();
          cost.resources->include(*launch.work.assembled);
        }
        if (launch.cycles() <= most)
          return;
        most = launch.cycles();
        cost.note = describeLaunch(launch, *gpu);
      },
      assembler ? &*assembler : nullptr);
  if (!cycles)
    return cycles.takeError();
  // Each launch has a note.
  if (cost.note.empty())
    return llvm::createStringError(
        "no kernel is left, because nothing reads what the function computes; "
        "let it write its results to arguments, or return them");
  cost.cycles = *cycles;
  return cost;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct StaticCostPass
    : public baco::target::impl::StaticCostPassBase<StaticCostPass> {
  using Base::Base;

protected:
  void runOnOperation() override {
    markAllAnalysesPreserved();
    const NvidiaGpu *gpu = findNvidiaGpu(chip);
    if (!gpu) {
      emitError(getOperation().getLoc())
          << "baco-static-cost: chip '" << chip << "' is unknown; it can be "
          << listNvidiaChips();
      return signalPassFailure();
    }
    auto cycles =
        costOfLaunches(getOperation(), *gpu,
                       [&](gpu::LaunchFuncOp launch, const LaunchCost &cost) {
                         report(launch, cost, *gpu);
                       });
    if (cycles)
      return;
    emitError(getOperation().getLoc())
        << "baco-static-cost: " << llvm::toString(cycles.takeError());
    signalPassFailure();
  }

private:
  static void report(gpu::LaunchFuncOp launch, const LaunchCost &cost,
                     const NvidiaGpu &gpu) {
    const KernelWork &work = cost.work;
    auto whole = [](double number) {
      return static_cast<int64_t>(std::llround(number));
    };
    double sectors = 0;
    for (const KernelWork::Buffer &buffer : work.buffers)
      sectors += buffer.sectors;
    InFlightDiagnostic remark = emitRemark(launch.getLoc());
    remark << "'" << launch.getKernelName().getValue() << "': static cost "
           << whole(cost.cycles())
           << " cycles, not a time: " << whole(cost.bounds.multiprocessor)
           << " by multiprocessors, " << whole(cost.bounds.l2)
           << " by the L2 cache, " << whole(cost.bounds.memory) << " by memory";
    remark.attachNote() << work.blocks << " blocks of " << work.needs.threads
                        << " threads, " << countResidentBlocks(gpu, work.needs)
                        << " resident; about " << work.needs.registers
                        << " registers; " << work.needs.sharedBytes
                        << " bytes of shared memory";
    remark.attachNote() << "in a block " << whole(work.instructions)
                        << " instructions of warps, "
                        << whole(work.accessCycles) << " cycles of accesses, "
                        << whole(sectors) << " sectors; latency "
                        << whole(work.latency);
  }
};
} // namespace
