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
