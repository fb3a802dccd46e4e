//===- KernelScalars.cpp - Sizes, offsets and flags of a kernel -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With constants in place of its scalars, upstream's range analysis gives the
// range of each subscript of a kernel. So the analysis is evaluated for given
// values, and never solved for them; this works for any computation of indices.
//
//===----------------------------------------------------------------------===//

#include "SignatureParts.h"

#include "baco/KernelAnalysis/KernelSignature.h"
#include "baco/LoopNest/ExpandSoftmax.h"
#include "baco/LoopNest/GeneratedDialects.h"
#include "baco/Schedule/Bufferize.h"
#include "baco/Schedule/ExpandRecipes.h"
#include "baco/Verification/Scalars.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using baco::runtime::ScalarValues;
using baco::runtime::Signature;
namespace runtime = baco::runtime;

//===----------------------------------------------------------------------===//
// Uses of a scalar
//===----------------------------------------------------------------------===//

/// Whether `use` stores a number in memory.
static bool isStored(OpOperand &use) {
  return llvm::TypeSwitch<Operation *, bool>(use.getOwner())
      .Case<memref::StoreOp, affine::AffineStoreOp>(
          [&](auto op) { return &use == &op.getValueMutable(); })
      .Case([&](vector::StoreOp op) {
        return &use == &op.getValueToStoreMutable();
      })
      .Case([&](vector::TransferWriteOp op) {
        return &use == &op.getValueToStoreMutable();
      })
      .Default(false);
}

/// Whether more than numbers (addresses, loops, branches) may depend on
/// `scalar`. Unknown uses count as such.
static bool isStructural(Value scalar) {
  SmallVector<Value> worklist = {scalar};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isa<linalg::YieldOp>(user) || isStored(use))
        continue;
      if (auto structured = dyn_cast<linalg::LinalgOp>(user)) {
        worklist.push_back(structured.getMatchingBlockArgument(&use));
        continue;
      }
      if (user->getNumRegions() > 0 ||
          user->hasTrait<OpTrait::IsTerminator>() ||
          !isMemoryEffectFree(user) || isa<ViewLikeOpInterface>(user))
        return true;
      if (seen.insert(user).second)
        llvm::append_range(worklist, user->getResults());
    }
  return false;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

namespace {
/// The safety of an op, or of a whole kernel.
enum class Verdict {
  Safe,
  /// Some index may be too large; it usually is if the least one isn't
  /// negative.
  TooLarge,
  Unknown
};

/// A kernel as loops and accesses to memrefs.
class BoundsChecker {
public:
  /// Copies `kernel`; `isUsable` is false if that failed.
  explicit BoundsChecker(func::FuncOp kernel);

  bool isUsable() const { return static_cast<bool>(module); }
  /// The safety of all accesses, and of the ends of loops, when `kernel` is
  /// called with these values.
  Verdict judge(const ScalarValues &values) const;

private:
  OwningOpRef<ModuleOp> module;
  std::string name;
};

/// Looks at a kernel with the results of the analysis.
class SafetyCheck {
public:
  explicit SafetyCheck(DataFlowSolver &solver) : solver(solver) {}
  /// The safety of an op itself.
  Verdict judge(Operation *op) const;
  /// The safety of an op and of the ops in its regions.
  Verdict judgeAll(Operation *op) const;

private:
  bool isLive(Block &block) const;
  bool isEmpty(scf::ForOp loop) const;
  const IntegerValueRange *rangeOf(Value value) const;
  Verdict judgeIndex(OpFoldResult index, int64_t reach, Value memory,
                     unsigned dim) const;
  Verdict judgeAccess(ValueRange indices, Value memory,
                      ArrayRef<int64_t> extents) const;
  Verdict judgeSizes(ValueRange sizes, MemRefType type) const;
  Verdict judgeView(memref::SubViewOp view) const;
  bool isPositive(OpFoldResult number) const;
  std::optional<APInt> least(OpFoldResult number) const {
    return boundOf(number, &ConstantIntRanges::smin);
  }
  std::optional<APInt> greatest(OpFoldResult number) const {
    return boundOf(number, &ConstantIntRanges::smax);
  }
  std::optional<APInt> boundOf(OpFoldResult number,
                               const APInt &(ConstantIntRanges::*bound)()
                                   const) const;

  DataFlowSolver &solver;
};
} // namespace

/// With less, no analysis takes long.
static constexpr int64_t maxOps = 5000;

BoundsChecker::BoundsChecker(func::FuncOp kernel) : name(kernel.getName()) {
  int64_t numOps = 0;
  auto source = kernel->getParentOfType<ModuleOp>();
  source.walk([&](Operation *) { ++numOps; });
  if (numOps > maxOps)
    return;
  ScopedDiagnosticHandler silence(kernel.getContext(),
                                  [](Diagnostic &) { return success(); });
  FailureOr<OwningOpRef<ModuleOp>> copy = baco::schedule::isolate(source, name);
  if (failed(copy))
    return;
  if (baco::schedule::hasTensors(**copy) &&
      failed(baco::schedule::bufferize(**copy)))
    return;
  baco::loopnest::expandSoftmaxes(**copy);
  PassManager manager(kernel.getContext(), ModuleOp::getOperationName());
  manager.addPass(createInlinerPass());
  manager.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createCanonicalizerPass());
  if (succeeded(manager.run(**copy)))
    module = std::move(*copy);
}

void baco::target::bindScalars(func::FuncOp function,
                               const ScalarValues &values) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  // Results on tensors have no argument here.
  for (auto [argument, value] : llvm::zip(function.getArguments(), values)) {
    Type type = argument.getType();
    if (!type.isIntOrIndex())
      continue;
    unsigned width = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                    : type.getIntOrFloatBitWidth();
    APInt bits = APInt(64, value, /*isSigned=*/true).sextOrTrunc(width);
    argument.replaceAllUsesWith(arith::ConstantOp::create(
        builder, function.getLoc(), IntegerAttr::get(type, bits)));
  }
}

Verdict BoundsChecker::judge(const ScalarValues &values) const {
  OwningOpRef<ModuleOp> probe = module.get().clone();
  auto function = probe->lookupSymbol<func::FuncOp>(name);
  baco::target::bindScalars(function, values);
  DataFlowSolver solver(DataFlowConfig().setInterprocedural(false));
  dataflow::loadBaselineAnalyses(solver);
  solver.load<dataflow::IntegerRangeAnalysis>();
  if (failed(solver.initializeAndRun(function)))
    return Verdict::Unknown;
  return SafetyCheck(solver).judgeAll(function);
}

bool SafetyCheck::isLive(Block &block) const {
  const auto *state = solver.lookupState<dataflow::Executable>(
      solver.getProgramPointBefore(&block));
  return !state || state->isLive();
}

/// Whether a loop has no iterations. The analysis knows no range of the
/// induction variable of such loops.
bool SafetyCheck::isEmpty(scf::ForOp loop) const {
  std::optional<APInt> begin = least(loop.getLowerBound()),
                       end = greatest(loop.getUpperBound());
  return begin && end && end->sle(*begin);
}

Verdict SafetyCheck::judgeAll(Operation *op) const {
  Verdict worst = isa<func::FuncOp>(op) ? Verdict::Safe : judge(op);
  auto loop = dyn_cast<scf::ForOp>(op);
  if (loop && isEmpty(loop))
    return worst;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      // Code that doesn't run is safe.
      if (isLive(block))
        for (Operation &inner : block) {
          worst = std::max(worst, judgeAll(&inner));
          if (worst == Verdict::Unknown)
            return worst;
        }
  return worst;
}

/// Null: nothing is known.
const IntegerValueRange *SafetyCheck::rangeOf(Value value) const {
  const auto *lattice =
      solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
  if (!lattice || lattice->getValue().isUninitialized())
    return nullptr;
  return &lattice->getValue();
}

std::optional<APInt>
SafetyCheck::boundOf(OpFoldResult number,
                     const APInt &(ConstantIntRanges::*bound)() const) const {
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return APInt(64, *constant, /*isSigned=*/true);
  const IntegerValueRange *range = rangeOf(cast<Value>(number));
  if (!range)
    return std::nullopt;
  return (range->getValue().*bound)().sextOrTrunc(64);
}

bool SafetyCheck::isPositive(OpFoldResult number) const {
  std::optional<APInt> lowest = least(number);
  return lowest && lowest->isStrictlyPositive();
}

/// The extent of `memory`, where it is known.
static OpFoldResult extentOf(Value memory, unsigned dim) {
  auto type = cast<MemRefType>(memory.getType());
  Builder builder(memory.getContext());
  if (!type.isDynamicDim(dim))
    return builder.getIndexAttr(type.getDimSize(dim));
  Operation *source = memory.getDefiningOp();
  if (auto view = dyn_cast_or_null<memref::SubViewOp>(source)) {
    llvm::SmallBitVector dropped = view.getDroppedDims();
    for (auto [i, size] : llvm::enumerate(view.getMixedSizes()))
      if (!dropped[i] && dim-- == 0)
        return size;
  }
  if (isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(source))
    return source->getOperand(type.getDynamicDimIndex(dim));
  return {};
}

/// Indices from `index` to `reach` elements beyond it.
Verdict SafetyCheck::judgeIndex(OpFoldResult index, int64_t reach, Value memory,
                                unsigned dim) const {
  OpFoldResult extent = extentOf(memory, dim);
  std::optional<APInt> lowest = least(index), highest = greatest(index),
                       bound = extent ? least(extent) : std::nullopt;
  if (!lowest || !highest || !bound || lowest->isNegative())
    return Verdict::Unknown;
  bool overflows = false;
  APInt last = highest->sadd_ov(APInt(64, reach), overflows);
  return !overflows && last.slt(*bound) ? Verdict::Safe : Verdict::TooLarge;
}

/// `extents` are those of a vector, for the innermost dimensions.
Verdict SafetyCheck::judgeAccess(ValueRange indices, Value memory,
                                 ArrayRef<int64_t> extents) const {
  Verdict worst = Verdict::Safe;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    size_t fromEnd = indices.size() - dim;
    int64_t extent =
        fromEnd <= extents.size() ? extents[extents.size() - fromEnd] : 1;
    worst = std::max(worst, judgeIndex(index, extent - 1, memory, dim));
  }
  return worst;
}

/// A temporary of these dynamic sizes.
Verdict SafetyCheck::judgeSizes(ValueRange sizes, MemRefType type) const {
  constexpr double maxElements = 1 << 26;
  double elements = 1;
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent))
      elements *= static_cast<double>(extent);
  for (Value size : sizes) {
    std::optional<APInt> lowest = least(size), highest = greatest(size);
    if (!lowest || lowest->isNegative() || !highest)
      return Verdict::Unknown;
    elements *= static_cast<double>(highest->getSExtValue());
  }
  return elements <= maxElements ? Verdict::Safe : Verdict::TooLarge;
}

Verdict SafetyCheck::judgeView(memref::SubViewOp view) const {
  Verdict worst = Verdict::Safe;
  for (auto [dim, offset, size, stride] :
       llvm::enumerate(view.getMixedOffsets(), view.getMixedSizes(),
                       view.getMixedStrides())) {
    std::optional<APInt> fewest = least(size), most = greatest(size);
    std::optional<int64_t> step = getConstantIntValue(stride);
    // Far from an overflow.
    constexpr int64_t maxStep = 1 << 20;
    if (!fewest || !most || fewest->isNegative() || !step || *step < 0 ||
        *step > maxStep)
      return Verdict::Unknown;
    // An empty view may begin at the end.
    if (most->isZero())
      continue;
    // Beyond any extent.
    constexpr int64_t maxSize = int64_t(1) << 40;
    int64_t last = std::min(most->getSExtValue(), maxSize) - 1;
    worst = std::max(worst,
                     judgeIndex(offset, last * *step, view.getSource(), dim));
  }
  return worst;
}

Verdict SafetyCheck::judge(Operation *op) const {
  auto known = [](bool isSafe) {
    return isSafe ? Verdict::Safe : Verdict::Unknown;
  };
  auto isPositive = [&](Value step) { return this->isPositive(step); };
  return llvm::TypeSwitch<Operation *, Verdict>(op)
      .Case<memref::LoadOp, memref::StoreOp>([&](auto access) {
        return judgeAccess(access.getIndices(), access.getMemRef(), {});
      })
      .Case<vector::LoadOp, vector::StoreOp>([&](auto access) {
        return judgeAccess(access.getIndices(), access.getBase(),
                           access.getVectorType().getShape());
      })
      .Case<vector::TransferReadOp, vector::TransferWriteOp>([&](auto access) {
        if (!access.getPermutationMap().isMinorIdentity() ||
            !isa<MemRefType>(access.getBase().getType()))
          return Verdict::Unknown;
        return judgeAccess(access.getIndices(), access.getBase(),
                           access.getVectorType().getShape());
      })
      .Case<memref::AllocOp, memref::AllocaOp>([&](auto alloc) {
        return judgeSizes(alloc.getDynamicSizes(), alloc.getType());
      })
      .Case([&](memref::SubViewOp view) { return judgeView(view); })
      .Case([&](memref::CopyOp copy) {
        return known(
            cast<MemRefType>(copy.getSource().getType()).hasStaticShape() &&
            cast<MemRefType>(copy.getTarget().getType()).hasStaticShape());
      })
      .Case<memref::DeallocOp, memref::DimOp, memref::GetGlobalOp,
            memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(
          [](Operation *) { return Verdict::Safe; })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
            arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(
          [&](auto op) {
            // Divisors in memory get values other than 0.
            std::optional<APInt> lowest = least(op.getRhs()),
                                 highest = greatest(op.getRhs());
            return known(!lowest || !highest || !lowest->isZero() ||
                         !highest->isZero());
          })
      .Case([&](scf::ForOp loop) { return known(isPositive(loop.getStep())); })
      .Case([&](scf::ParallelOp loop) {
        return known(llvm::all_of(loop.getStep(), isPositive));
      })
      .Default([&](Operation *op) {
        // A loop of another form may not end.
        return known(
            !isa<scf::WhileOp>(op) &&
            llvm::none_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>));
      });
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Whether `values` are so small that larger ones may be safe, but can't be
/// proved so.
static bool mayBeTooSmall(const Signature &signature,
                          const ScalarValues &values,
                          const BoundsChecker &checker) {
  // Loops are entered, and have some rest.
  constexpr int64_t large = 8;
  for (auto [i, argument] : llvm::enumerate(signature.arguments)) {
    if (!argument.isStructural || argument.isGiven || values[i] >= large ||
        values[i] == runtime::rangeOf(argument.type).greatest)
      continue;
    ScalarValues next = values;
    ++next[i];
    if (checker.judge(next) == Verdict::Unknown)
      return true;
  }
  return false;
}

void baco::target::readScalars(func::FuncOp kernel, Signature &signature) {
  bool hasStructural = false;
  for (auto [value, argument] :
       llvm::zip_equal(kernel.getArguments(), signature.arguments)) {
    if (!runtime::isIntegerScalar(argument))
      continue;
    argument.isStructural = isStructural(value);
    hasStructural |= argument.isStructural;
  }
  if (!hasStructural) {
    runtime::chooseScalars(signature,
                           [](const ScalarValues &) { return true; });
    return;
  }
  BoundsChecker checker(kernel);
  signature.hasSafeScalars =
      checker.isUsable() &&
      runtime::chooseScalars(signature,
                             [&](const ScalarValues &values) {
                               return checker.judge(values) == Verdict::Safe;
                             }) &&
      !mayBeTooSmall(signature, runtime::timedValues(signature), checker);
}
