//===- InterleavedConstants.cpp - Constant rows byte by byte --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterleavedConstants.h"

#include "DotProducts.h"
#include "baco/Target/Constants/ConstantCopies.h"

#include "baco/Analysis/MemoryRoots.h"
#include "baco/IR/ConstantArgument.h"
#include "baco/LoopNest/FunctionMemory.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/IR/AffineValueMap.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <numeric>

using namespace mlir;
using namespace baco;
using namespace baco::target;
using affine::AffineForOp;
using affine::AffineParallelOp;
using affine::AffineValueMap;
using affine::AffineVectorLoadOp;
using func::FuncOp;

/// The rows that an instruction takes at once.
static constexpr int64_t numRows = 4;

//===----------------------------------------------------------------------===//
// Subscripts
//===----------------------------------------------------------------------===//

namespace {
/// A divisor of a number, which is 0 for 0 alone, and its constant bounds, both
/// included.
struct NumberRange {
  int64_t divisor = 1;
  std::optional<int64_t> lower, upper;
};
} // namespace

static NumberRange rangeOf(AffineMap map, unsigned result, ValueRange operands);

/// The range of an operand of an affine op.
static NumberRange rangeOf(Value value) {
  AffineMap lower, upper;
  SmallVector<Value> lowerOperands, upperOperands;
  int64_t step;
  if (AffineForOp loop = affine::getForInductionVarOwner(value)) {
    lower = loop.getLowerBoundMap();
    upper = loop.getUpperBoundMap();
    lowerOperands = llvm::to_vector(loop.getLowerBoundOperands());
    upperOperands = llvm::to_vector(loop.getUpperBoundOperands());
    step = loop.getStepAsInt();
  } else if (AffineParallelOp loop =
                 affine::getAffineParallelInductionVarOwner(value)) {
    unsigned number = cast<BlockArgument>(value).getArgNumber();
    lower = loop.getLowerBoundMap(number);
    upper = loop.getUpperBoundMap(number);
    lowerOperands = llvm::to_vector(loop.getLowerBoundsOperands());
    upperOperands = llvm::to_vector(loop.getUpperBoundsOperands());
    step = loop.getSteps()[number];
  } else {
    return {};
  }
  NumberRange range{step, std::nullopt, std::nullopt};
  // The largest of the lower bounds and the smallest of the upper ones hold, so
  // that each is a bound.
  for (unsigned i = 0; i < lower.getNumResults(); ++i) {
    NumberRange bound = rangeOf(lower, i, lowerOperands);
    range.divisor = std::gcd(range.divisor, bound.divisor);
    if (bound.lower)
      range.lower = std::max(range.lower.value_or(*bound.lower), *bound.lower);
  }
  for (unsigned i = 0; i < upper.getNumResults(); ++i)
    if (NumberRange bound = rangeOf(upper, i, upperOperands); bound.upper)
      range.upper =
          std::min(range.upper.value_or(*bound.upper - 1), *bound.upper - 1);
  return range;
}

/// The range of a result of `map`.
static NumberRange rangeOf(AffineMap map, unsigned result,
                           ValueRange operands) {
  SmallVector<AffineExpr> scaled;
  SmallVector<std::optional<int64_t>> lower, upper;
  MLIRContext *context = map.getContext();
  unsigned numDims = map.getNumDims();
  for (auto [i, operand] : llvm::enumerate(operands)) {
    NumberRange range = rangeOf(operand);
    // Products show what the operands' own divisors are.
    AffineExpr itself = i < numDims ? getAffineDimExpr(i, context)
                                    : getAffineSymbolExpr(i - numDims, context);
    scaled.push_back(itself * range.divisor);
    lower.push_back(range.lower);
    upper.push_back(range.upper);
  }
  AffineExpr expression = map.getResult(result);
  auto bound = [&](bool isUpper) {
    return getBoundForAffineExpr(expression, numDims, map.getNumSymbols(),
                                 lower, upper, isUpper);
  };
  return {expression
              .replaceDimsAndSymbols(ArrayRef(scaled).take_front(numDims),
                                     ArrayRef(scaled).drop_front(numDims))
              .getLargestKnownDivisor(),
          bound(false), bound(true)};
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

MemRefType InterleavedConstants::Layout::copyType() const {
  ArrayRef<int64_t> shape = array.getType().getShape();
  SmallVector<int64_t> extents{numParts};
  for (auto [dim, extent] : llvm::enumerate(shape.drop_back()))
    if (dim != rows)
      extents.push_back(extent);
  extents.append({shape[rows] / numRows, vector.getNumElements() * numRows});
  return MemRefType::get(extents, vector.getElementType());
}

SmallVector<AffineExpr>
InterleavedConstants::Layout::subscripts(ArrayRef<AffineExpr> ofArray) const {
  SmallVector<AffineExpr> result{
      (ofArray.back() - column).floorDiv(vector.getNumElements())};
  for (auto [dim, subscript] : llvm::enumerate(ofArray.drop_back()))
    if (dim != rows)
      result.push_back(subscript);
  result.push_back(ofArray[rows].floorDiv(numRows));
  result.push_back(getAffineConstantExpr(0, ofArray.front().getContext()));
  return result;
}

Value InterleavedConstants::copyOf(const Layout &layout) {
  Value &copy =
      copies[{layout.array.getAsOpaquePointer(), layout.rows,
              layout.vector.getNumElements(), layout.column, layout.numParts}];
  if (copy)
    return copy;
  Location loc = layout.array.getLoc();
  ImplicitLocOpBuilder builder(loc, function.getContext());
  builder.setInsertionPointToStart(&function.front());
  MemRefType type = layout.copyType();
  copy = loopnest::allocateInFunction(builder, loc, type);
  copy.getDefiningOp()->setAttr(kCopyBuffer, builder.getUnitAttr());
  // The copy is at the start of the function, and so is an argument.
  Value array = layout.array;
  builder.setInsertionPointAfterValue(array.getDefiningOp() ? array : copy);
  // One iteration for each place of the copy, whose last subscript is 0.
  ArrayRef<int64_t> extents = type.getShape().drop_back();
  SmallVector<int64_t> zeros(extents.size(), 0), ones(extents.size(), 1);
  affine::buildAffineLoopNest(
      builder, loc, zeros, extents, ones,
      [&](OpBuilder &body, Location, ValueRange iterators) {
        ImplicitLocOpBuilder inner(loc, body);
        unsigned count = iterators.size(), next = 1;
        SmallVector<AffineExpr> first;
        for (int64_t dim = 0; dim + 1 < layout.array.getType().getRank(); ++dim)
          first.push_back(dim == layout.rows
                              ? inner.getAffineDimExpr(count - 1) * numRows
                              : inner.getAffineDimExpr(next++));
        first.push_back(inner.getAffineDimExpr(0) *
                            layout.vector.getNumElements() +
                        layout.column);
        SmallVector<Value> vectors;
        for (int64_t row = 0; row < numRows; ++row) {
          SmallVector<AffineExpr> at = first;
          at[layout.rows] = at[layout.rows] + row;
          vectors.push_back(AffineVectorLoadOp::create(
              inner, layout.vector, layout.array,
              AffineMap::get(count, 0, at, inner.getContext()), iterators));
        }
        affine::AffineVectorStoreOp::create(
            inner, interleave(inner, vectors), copy,
            AffineMap::get(count, 0, layout.subscripts(first),
                           inner.getContext()),
            iterators);
      });
  return copy;
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

static AffineValueMap subscriptsOf(AffineVectorLoadOp load) {
  return {load.getAffineMap(), load.getMapOperands()};
}

/// The dimension, other than the last one, in which each load reads the place
/// behind that of the load before it; nullopt if there is none, or if they
/// differ in anything else.
static std::optional<unsigned> findRows(ArrayRef<AffineVectorLoadOp> loads) {
  AffineVectorLoadOp first = loads.front();
  unsigned rank = first.getMemRefType().getRank();
  std::optional<unsigned> rows;
  for (int64_t number = 1; number < int64_t(loads.size()); ++number) {
    AffineVectorLoadOp load = loads[number];
    if (load.getMemRef() != first.getMemRef() ||
        load.getType() != first.getType())
      return std::nullopt;
    // Maps of the same subscripts may have their operands in other orders.
    AffineValueMap distance;
    AffineValueMap::difference(subscriptsOf(load), subscriptsOf(first),
                               &distance);
    SmallVector<unsigned> moved;
    for (unsigned dim = 0; dim < rank; ++dim)
      if (distance.getResult(dim) != 0)
        moved.push_back(dim);
    if (moved.size() != 1 || distance.getResult(moved[0]) != number ||
        rows.value_or(moved[0]) != moved[0] || moved[0] + 1 == rank)
      return std::nullopt;
    rows = moved[0];
  }
  return rows;
}

/// Whether copies of `array` are made before the first call of `function`.
static bool isCopiedAhead(TypedValue<MemRefType> array, FuncOp function) {
  MemRefType type = array.getType();
  return type.hasStaticShape() && type.getLayout().isIdentity() &&
         array.getParentBlock() == &function.front() &&
         (isa<BlockArgument>(array) ||
          array.getDefiningOp<memref::GetGlobalOp>()) &&
         isConstantMemory(array) && isOnlyRead(array);
}

Value InterleavedConstants::load(ImplicitLocOpBuilder &builder,
                                 ArrayRef<Value> vectors) {
  SmallVector<AffineVectorLoadOp> loads;
  for (Value vector : vectors)
    if (auto load = vector.getDefiningOp<AffineVectorLoadOp>())
      loads.push_back(load);
  if (loads.size() != numRows || vectors.size() != numRows)
    return {};
  std::optional<unsigned> rows = findRows(loads);
  AffineVectorLoadOp first = loads.front();
  auto array = cast<TypedValue<MemRefType>>(first.getMemRef());
  if (!rows || !isCopiedAhead(array, function))
    return {};
  AffineMap map = first.getAffineMap();
  ValueRange operands = first.getMapOperands();
  int64_t rank = array.getType().getRank(),
          length = first.getVectorType().getNumElements();
  if (rangeOf(map, *rows, operands).divisor % numRows != 0)
    return {};
  // The parts from the first column that is loaded to the last one: copies for
  // vectors of other lengths have the rest of the rows.
  NumberRange columns = rangeOf(map, rank - 1, operands);
  int64_t column = columns.lower.value_or(0);
  // Bounds of loops may be loose, and the copy must not read behind the rows.
  int64_t last = array.getType().getDimSize(rank - 1) - length;
  last = std::min(last, columns.upper.value_or(last));
  // One part may begin anywhere; the others follow the first column's part.
  bool isOnePart = columns.lower == columns.upper && columns.lower;
  if (column < 0 || last < column ||
      (!isOnePart && columns.divisor % length != 0))
    return {};
  if (!isOnePart)
    column = column / length * length;
  Layout layout{array, *rows, first.getVectorType(), column,
                (last - column) / length + 1};
  Value copy = copyOf(layout);
  return AffineVectorLoadOp::create(
      builder,
      VectorType::get(length * numRows, array.getType().getElementType()), copy,
      AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                     layout.subscripts(map.getResults()), builder.getContext()),
      operands);
}
