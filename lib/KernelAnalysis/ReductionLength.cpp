//===- ReductionLength.cpp - How long a kernel's sums are -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over each function: ops get the number of terms in their results
// from those of their operands, and every write adds what it sums.
//
//===----------------------------------------------------------------------===//

#include "SignatureParts.h"

#include "baco/IR/Walk.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include <map>

using namespace mlir;

/// The longest sum that is told apart from longer ones: beyond it a tolerance
/// that grows with the length is meaningless.
static constexpr int64_t maxLength = int64_t(1) << 40;

/// a * b, at most `maxLength`.
static int64_t multiply(int64_t a, int64_t b) {
  int64_t product;
  if (llvm::MulOverflow(a, b, product))
    return maxLength;
  return std::clamp<int64_t>(product, 1, maxLength);
}

/// The number of terms of a value to which the terms of `update`, one of which
/// is the value itself, are added `times` times.
static int64_t accumulate(int64_t times, int64_t update) {
  return times > 1 ? multiply(times, std::max<int64_t>(update - 1, 1)) : update;
}

/// The root memory of `memory`.
static Value rootOf(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  return memory;
}

/// The memory that `op` itself is known to write.
static SmallVector<Value> writtenBy(Operation *op) {
  SmallVector<Value> written;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return written;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects<MemoryEffects::Write>(instances);
  for (const MemoryEffects::EffectInstance &instance : instances)
    if (Value value = instance.getValue();
        value && isa<BaseMemRefType>(value.getType()))
      written.push_back(value);
  return written;
}

static bool hasFloats(Value value) {
  return isa<FloatType, ComplexType>(getElementTypeOrSelf(value.getType())) &&
         !isa<BaseMemRefType>(value.getType());
}

namespace {
class TermCounter {
public:
  explicit TermCounter(func::FuncOp kernel);

  /// The number of terms in what a call writes or returns.
  struct Function {
    int64_t terms = 1;
    /// By argument: whether it is known to be written.
    SmallVector<bool> writes;
  };
  const Function &count(func::FuncOp function);

private:
  int64_t termsOf(Value value) const {
    return results.lookup_or(value.getDefiningOp(), 1);
  }
  int64_t maxTerms(ValueRange values) const;
  int64_t maxYielded(Operation *op) const;

  int64_t tripCount(LoopLikeOpInterface loop) const;
  int64_t repetitions(Operation *op, ValueRange addresses) const;

  int64_t inResults(Operation *op);
  int64_t inWrites(Operation *op, Function &function);
  int64_t reducedPoints(linalg::LinalgOp op) const;
  int64_t inLinalg(linalg::LinalgOp op) const;
  int64_t inContraction(vector::ContractionOp op) const;
  int64_t inCall(func::CallOp call, Function &function);

  /// For loops without a static trip count: the largest extent of an argument;
  /// for those without induction variables, its largest number of elements.
  int64_t largestExtent = 1, largestSize = 1;
  llvm::DenseMap<Operation *, int64_t> results;
  std::map<Operation *, Function> functions;
};
} // namespace

TermCounter::TermCounter(func::FuncOp kernel) {
  for (Type type : kernel.getArgumentTypes()) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped || !shaped.hasStaticShape())
      continue;
    int64_t size = 1;
    for (int64_t extent : shaped.getShape()) {
      largestExtent = std::max(largestExtent, extent);
      size = multiply(size, extent);
    }
    largestSize = std::max(largestSize, size);
  }
}

/// Only floats are rounded.
int64_t TermCounter::maxTerms(ValueRange values) const {
  int64_t terms = 1;
  for (Value value : values)
    if (hasFloats(value))
      terms = std::max(terms, termsOf(value));
  return terms;
}

/// The most terms that a region of `op` yields.
int64_t TermCounter::maxYielded(Operation *op) const {
  int64_t terms = 1;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!block.empty())
        terms = std::max(terms, maxTerms(block.back().getOperands()));
  return terms;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The number of iterations of a loop of several dimensions.
static std::optional<int64_t> boxSize(LoopLikeOpInterface loop) {
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(),
       steps = loop.getLoopSteps();
  if (!lower || !upper || !steps)
    return std::nullopt;
  int64_t size = 1;
  for (auto [low, high, step] : llvm::zip_equal(*lower, *upper, *steps)) {
    auto lowValue = getConstantIntValue(low),
         highValue = getConstantIntValue(high),
         stepValue = getConstantIntValue(step);
    if (!lowValue || !highValue || !stepValue || *stepValue <= 0)
      return std::nullopt;
    size = multiply(size,
                    llvm::divideCeilSigned(*highValue - *lowValue, *stepValue));
  }
  return size;
}

int64_t TermCounter::tripCount(LoopLikeOpInterface loop) const {
  if (auto affineFor = dyn_cast<affine::AffineForOp>(loop.getOperation()))
    if (std::optional<uint64_t> count = affine::getConstantTripCount(affineFor))
      return std::clamp<int64_t>(*count, 1, maxLength);
  if (auto parallel = dyn_cast<affine::AffineParallelOp>(loop.getOperation())) {
    if (auto ranges = parallel.getConstantRanges()) {
      int64_t size = 1;
      for (auto [range, step] : llvm::zip_equal(*ranges, parallel.getSteps()))
        size = multiply(size, llvm::divideCeilSigned(range, step));
      return size;
    }
  }
  std::optional<APInt> count = loop.getStaticTripCount();
  if (count && count->getActiveBits() < 62)
    return std::clamp<int64_t>(count->getZExtValue(), 1, maxLength);
  if (std::optional<int64_t> size = boxSize(loop))
    return *size;
  std::optional<SmallVector<Value>> variables = loop.getLoopInductionVars();
  if (!variables || variables->empty())
    return largestSize;
  int64_t trips = 1;
  for (size_t i = 0; i < variables->size(); ++i)
    trips = multiply(trips, largestExtent);
  return trips;
}

/// How often `op` can write one element at `addresses`, if it is run once by
/// its function: as often as the loops run that the addresses don't depend on.
int64_t TermCounter::repetitions(Operation *op, ValueRange addresses) const {
  int64_t product = 1;
  for (auto loop = op->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    if (llvm::none_of(addresses, [&](Value address) {
          return baco::dependsOn(address, loop);
        }))
      product = multiply(product, tripCount(loop));
  // Branches may be loops.
  if (auto function = op->getParentOfType<func::FuncOp>();
      function && !function.getBody().hasOneBlock())
    product = multiply(product, largestSize);
  return product;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

int64_t TermCounter::inContraction(vector::ContractionOp op) const {
  SmallVector<int64_t> extents;
  op.getIterationBounds(extents);
  int64_t terms = maxTerms({op.getLhs(), op.getRhs()});
  for (auto [extent, type] : llvm::zip(extents, op.getIteratorTypesArray()))
    if (type == vector::IteratorType::reduction)
      terms = multiply(terms, extent);
  return terms + termsOf(op.getAcc());
}

/// The number of elements of `from` per element of `to`.
static int64_t ratioOf(Type from, Type to) {
  auto sizeOf = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? vector.getNumElements() : 1;
  };
  return sizeOf(from) / std::max<int64_t>(sizeOf(to), 1);
}

/// The number of terms in the results of `op`.
int64_t TermCounter::inResults(Operation *op) {
  if (isa<arith::AddFOp, arith::SubFOp, complex::AddOp, complex::SubOp>(op))
    return termsOf(op->getOperand(0)) + termsOf(op->getOperand(1));
  // Either part is the sum of two products.
  if (isa<complex::MulOp, complex::DivOp>(op))
    return 2 * maxTerms(op->getOperands());
  if (isa<math::FmaOp, vector::FMAOp>(op))
    return maxTerms(op->getOperands().take_front(2)) +
           termsOf(op->getOperand(2));
  if (auto contraction = dyn_cast<vector::ContractionOp>(op))
    return inContraction(contraction);
  if (isa<vector::ReductionOp, vector::MultiDimReductionOp>(op))
    return multiply(maxTerms(op->getOperands()),
                    ratioOf(op->getOperand(0).getType(),
                            op->getResult(0).getType())) +
           1;
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        op, call.getCalleeAttr());
    int64_t terms = maxTerms(op->getOperands());
    return callee ? terms + count(callee).terms : terms;
  }
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    // Carried values are block arguments; parallel reductions are not.
    bool carries = isa<scf::ForOp, affine::AffineForOp>(op);
    return accumulate(tripCount(loop), maxYielded(op) + !carries) +
           maxTerms(op->getOperands()) - 1;
  }
  // On tensors; loops around it carry these.
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return accumulate(reducedPoints(structured), maxYielded(op)) +
           maxTerms(op->getOperands()) - 1;
  return std::max(maxTerms(op->getOperands()), maxYielded(op));
}

int64_t TermCounter::reducedPoints(linalg::LinalgOp op) const {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  int64_t points = 1;
  for (unsigned dim : reductions)
    points = multiply(points, ShapedType::isDynamic(ranges[dim]) ? largestExtent
                                                                 : ranges[dim]);
  return points;
}

int64_t TermCounter::inLinalg(linalg::LinalgOp op) const {
  int64_t times =
      multiply(repetitions(op, op.getDpsInits()), reducedPoints(op));
  return accumulate(times, maxYielded(op));
}

int64_t TermCounter::inCall(func::CallOp call, Function &function) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!callee || llvm::none_of(call.getOperandTypes(),
                               [](Type t) { return isa<BaseMemRefType>(t); }))
    return 0;
  const Function &called = count(callee);
  SmallVector<Value> written;
  for (auto [operand, writes] : llvm::zip(call.getOperands(), called.writes))
    if (writes)
      written.push_back(operand);
  for (Value memory : written)
    if (auto argument = dyn_cast<BlockArgument>(rootOf(memory));
        argument && argument.getOwner()->isEntryBlock() &&
        argument.getArgNumber() < function.writes.size())
      function.writes[argument.getArgNumber()] = true;
  return multiply(called.terms, repetitions(call, written));
}

/// The number of terms in what `op` writes; 0 if it writes nothing.
int64_t TermCounter::inWrites(Operation *op, Function &function) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return inCall(call, function);
  SmallVector<Value> addresses = writtenBy(op);
  if (addresses.empty())
    return 0;
  for (Value memory : addresses)
    if (auto argument = dyn_cast<BlockArgument>(rootOf(memory));
        argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()) &&
        argument.getOwner()->isEntryBlock())
      function.writes[argument.getArgNumber()] = true;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return inLinalg(structured);
  for (Value operand : op->getOperands())
    if (operand.getType().isIndex())
      addresses.push_back(operand);
  int64_t times = repetitions(op, addresses);
  // A softmax, for example, sums along some dimension.
  if (isa_and_nonnull<linalg::LinalgDialect>(op->getDialect()))
    times = multiply(times, largestExtent);
  return accumulate(times, maxTerms(op->getOperands()));
}

const TermCounter::Function &TermCounter::count(func::FuncOp function) {
  auto [known, isNew] = functions.try_emplace(function);
  Function &counted = known->second;
  if (!isNew)
    return counted;
  // The assumption until the function is counted (it may call itself), and for
  // functions without a body. Functions of numbers are those of math.h.
  if (llvm::any_of(function.getArgumentTypes(),
                   [](Type t) { return isa<BaseMemRefType>(t); }))
    counted.terms = largestSize;
  counted.writes.assign(function.getNumArguments(), false);
  if (function.isExternal())
    return counted;
  int64_t terms = 0, returned = 1;
  // Inner ops first, and operands before what uses them.
  function.walk([&](Operation *op) {
    if (isa<func::FuncOp>(op))
      return;
    if (op->getNumResults() > 0)
      results[op] = std::clamp<int64_t>(inResults(op), 1, maxLength);
    if (isa<func::ReturnOp>(op))
      returned = std::max(returned, maxTerms(op->getOperands()));
    terms = std::min(terms + inWrites(op, counted), maxLength);
  });
  counted.terms = std::max(terms, returned);
  return counted;
}

int64_t baco::target::reductionLength(func::FuncOp kernel) {
  return TermCounter(kernel).count(kernel).terms;
}
