//===- GpuKnobs.cpp - Choices in recipes for GPUs -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuKnobs.h"

#include "baco/Analysis/Epilogue.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

Numbers schedule::divisorsWithin(int64_t extent, int64_t least, int64_t most,
                                 int64_t unit) {
  Numbers all, large;
  for (int64_t i = unit; i <= std::min(most, extent); i += unit)
    if (extent % i == 0) {
      all.push_back(i);
      if (i >= least)
        large.push_back(i);
    }
  return large.empty() ? all : large;
}

int64_t schedule::roundUp(int64_t extent, int64_t maxUnit) {
  for (int64_t unit = maxUnit; unit > 1; unit /= 2) {
    auto rounded = static_cast<int64_t>(llvm::alignTo(extent, unit));
    // A warp of threads is worth more.
    int64_t tolerance = unit == nvidia::warpSize ? 6 : 16;
    if ((rounded - extent) * tolerance <= extent)
      return rounded;
  }
  return extent;
}

int64_t schedule::roundForMma(int64_t extent, int64_t unit) {
  auto rounded =
      static_cast<int64_t>(llvm::alignTo(roundUp(extent, maxExtentUnit), unit));
  if (rounded > extent && rounded > nvidia::warpSize &&
      divisorsWithin(rounded, nvidia::warpSize, 256, unit).size() == 1)
    return llvm::alignTo(rounded, nvidia::warpSize);
  return rounded;
}

Attribute RecipeBuilder::knob(StringRef name, ArrayRef<int64_t> values,
                              int64_t chosen) {
  if (values.size() == 1)
    return getI64IntegerAttr(values[0]);
  return KnobAttr::get(context, name,
                       OrdinalAttr::get(context, values, /*log=*/values[0] > 0),
                       getI64IntegerAttr(chosen), DenseF64ArrayAttr());
}

SmallVector<Attribute> RecipeBuilder::zeros(size_t count) {
  return SmallVector<Attribute>(count, getI64IntegerAttr(0));
}

TileAttr RecipeBuilder::tile(ArrayRef<Attribute> sizes) {
  return TileAttr::get(context, getArrayAttr(sizes), /*order=*/{},
                       /*remainders=*/{}, /*rest=*/0);
}

TileAttr RecipeBuilder::tileAlong(linalg::LinalgOp op, unsigned iterator,
                                  Attribute size) {
  SmallVector<Attribute> sizes = zeros(op.getNumLoops());
  sizes[iterator] = size;
  return tile(sizes);
}

void RecipeBuilder::pad(SmallVectorImpl<Attribute> &steps, linalg::LinalgOp op,
                        ArrayRef<int64_t> extents) {
  if (extents != ArrayRef<int64_t>(op.getStaticLoopRanges()))
    steps.insert(steps.begin(),
                 GpuPadAttr::get(context, getDenseI64ArrayAttr(extents)));
}

void RecipeBuilder::addEpilogue(SmallVectorImpl<Attribute> &steps,
                                linalg::LinalgOp op) {
  if (!findEpilogue(op).isEmpty())
    steps.insert(steps.begin(), GpuEpilogueAttr::get(context));
}

/// The longest vector, in elements, of those with up to 16 bytes at whose
/// multiples all rows of the operand begin.
static int64_t alignmentOf(OpOperand &operand) {
  auto type = cast<MemRefType>(operand.get().getType());
  int64_t offset, longest = nvidia::maxAccessBytes / countBytes(type);
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset) || ShapedType::isDynamicShape(strides))
    return 1;
  strides.back() = offset;
  for (int64_t stride : strides)
    longest = std::gcd(longest, stride);
  return longest;
}

GpuSharedAttr RecipeBuilder::copyAhead(linalg::LinalgOp op,
                                       std::array<int64_t, 2> rows,
                                       int64_t numTiles, Attribute padding,
                                       const GpuLimits &gpu) {
  auto [least, bytes] = std::minmax(countBytes(op->getOperand(0).getType()),
                                    countBytes(op->getOperand(1).getType()));
  int64_t longest = nvidia::maxAccessBytes / bytes;
  int64_t width = std::gcd(longest, std::gcd(rows[0], rows[1]));
  int64_t aligned = std::gcd(width, std::gcd(alignmentOf(op->getOpOperand(0)),
                                             alignmentOf(op->getOpOperand(1))));
  Attribute stages;
  bool areAsync =
      gpu.hasAsyncCopies && aligned * least >= nvidia::minAsyncBytes;
  if (areAsync && numTiles > 1)
    stages = knob("S", {1, 2, 3, 4}, numTiles > 2 ? 3 : 2);
  else if (gpu.hasAsyncCopies && numTiles > 1) // By registers.
    stages = knob("S", {1, 2}, 2);
  // Copies by registers shift vectors that rows don't begin with, others are
  // several accesses.
  if (areAsync && numTiles > 1)
    width = aligned;
  // Vectors aren't longer than the rows of operands that will be padded.
  for (int64_t i : {0, 1})
    width = std::min<int64_t>(
        width,
        llvm::bit_floor<uint64_t>(op.getShape(&op->getOpOperand(i)).back()));
  return GpuSharedAttr::get(
      context, getDenseI64ArrayAttr({0, 1}),
      knob("V", divisorsWithin(longest, 1, longest), width), padding,
      /*run=*/{}, stages, gpu.maxShared,
      /*enabled=*/{});
}

RecipeAttr RecipeBuilder::recipe(ArrayRef<Attribute> steps,
                                 ArrayRef<ConstraintAttr> where) {
  return RecipeAttr::get(context, getArrayAttr(steps), where, /*nests=*/1);
}

/// A size in a constraint: knobs of one value have no name.
static std::string factor(const NamedSizes &sizes) {
  return sizes.values.size() == 1 ? std::to_string(sizes.values[0])
                                  : sizes.name.str();
}

/// The product of `sizes`, as a constraint says it.
static std::string productOf(ArrayRef<NamedSizes> sizes) {
  return llvm::join(llvm::map_range(sizes, factor), " * ");
}

void RecipeBuilder::limitSums(SmallVectorImpl<ConstraintAttr> &where,
                              ArrayRef<NamedSizes> sizes, int64_t most,
                              StringRef holder) {
  int64_t largest = 1;
  for (const NamedSizes &factor : sizes)
    largest *= factor.values.back();
  if (largest > most)
    where.push_back(ConstraintAttr::get(
        context, productOf(sizes) + " <= " + std::to_string(most),
        "accumulators leave half of the registers of a " + holder.str(),
        /*advisory=*/false));
}

void RecipeBuilder::needWarp(SmallVectorImpl<ConstraintAttr> &where,
                             ArrayRef<NamedSizes> ofThread,
                             ArrayRef<NamedSizes> ofBlock) {
  if (llvm::any_of(ofThread, [](const NamedSizes &sizes) {
        return sizes.values.size() > 1;
      }))
    where.push_back(ConstraintAttr::get(
        context,
        std::to_string(nvidia::warpSize) + " * " + productOf(ofThread) +
            " <= " + productOf(ofBlock),
        "a block has at least one warp of threads", /*advisory=*/false));
}

Numbers schedule::nearest(ArrayRef<Numbers> domains, ArrayRef<int64_t> targets,
                          function_ref<bool(ArrayRef<int64_t>)> holds) {
  Numbers point(domains.size()), best;
  double least = INFINITY;
  auto visit = [&](auto &self, size_t index, double distance) -> void {
    if (distance >= least)
      return;
    if (index == domains.size()) {
      if (holds(point)) {
        best = point;
        least = distance;
      }
      return;
    }
    for (int64_t value : domains[index]) {
      point[index] = value;
      self(self, index + 1,
           distance + std::abs(std::log2(static_cast<double>(value)) -
                               std::log2(static_cast<double>(targets[index]))));
    }
  };
  visit(visit, 0, 0);
  return best;
}

int64_t schedule::countBytes(Type type) {
  return llvm::divideCeil(getElementTypeOrSelf(type).getIntOrFloatBitWidth(),
                          8);
}

Numbers schedule::extentsOf(linalg::LinalgOp op, int64_t operand,
                            ArrayRef<int64_t> tile) {
  SmallVector<AffineExpr> last;
  for (int64_t extent : tile)
    last.push_back(getAffineConstantExpr(extent - 1, op.getContext()));
  Numbers extents;
  for (AffineExpr expression :
       op.getMatchingIndexingMap(&op->getOpOperand(operand)).getResults()) {
    auto end = dyn_cast<AffineConstantExpr>(
        simplifyAffineExpr(expression.replaceDims(last), 0, 0));
    extents.push_back(end ? end.getValue() + 1 : 0);
  }
  return extents;
}

bool schedule::isPoor(const Numbers &divisors, int64_t extent) {
  constexpr int64_t fewest = 8, large = 4 * nvidia::warpSize;
  if (extent >= large && llvm::none_of(divisors, [](int64_t divisor) {
        return divisor % fewest == 0;
      }))
    return true;
  return extent >= 2 * fewest &&
         (divisors.back() < fewest || divisors.size() == 1);
}
