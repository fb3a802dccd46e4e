//===- AnnotateGpuRows.cpp - Ops on the rows of a matrix ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuKnobs.h"
#include "baco/Analysis/RowGroup.h"
#include "baco/TransformOps/GpuOps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

/// The group of `op` if a block can have its rows in registers, or needn't.
static std::optional<RowGroup> findGroup(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() != 1)
    return std::nullopt;
  llvm::Expected<RowGroup> group = findRowGroup(op);
  if (llvm::errorToBool(group.takeError()))
    return std::nullopt;
  return std::move(*group);
}

/// Whether all matrices have the elements of a row next to each other.
static bool isAlongMemory(const RowGroup &group) {
  return llvm::all_of(group.ops, [&](const PlacedOp &placed) {
    return llvm::all_of(placed.dims, [&](ArrayRef<unsigned> dims) {
      return dims.empty() || dims.back() == group.rows.size() ||
             !llvm::is_contained(dims, group.rows.size());
    });
  });
}

bool schedule::hasRows(linalg::LinalgOp op) {
  return findGroup(op).has_value();
}

SmallVector<PlacedOp> schedule::listRows(linalg::LinalgOp op) {
  std::optional<RowGroup> group = findGroup(op);
  return group ? std::move(group->ops) : SmallVector<PlacedOp>();
}

RecipeAttr schedule::planRows(linalg::LinalgOp op, const GpuLimits &gpu) {
  std::optional<RowGroup> group = findGroup(op);
  if (!group || !gpu.hasShuffles)
    return {};
  int64_t bytes = 1;
  for (const PlacedOp &placed : group->ops)
    for (mlir::Value operand : placed.op->getOperands())
      bytes = std::max(bytes, countBytes(operand.getType()));
  int64_t rows = llvm::product_of(group->rows), columns = group->columns;
  Numbers widths = divisorsWithin(columns, 1, nvidia::maxAccessBytes / bytes),
          lanes, ofBlock;
  llvm::erase_if(widths,
                 [](int64_t width) { return !llvm::isPowerOf2_64(width); });
  for (int64_t count = 1; count <= gpu.maxThreads; count *= 2)
    if (count >= group->leastLanes() && (count == 1 || count <= columns))
      lanes.push_back(count);
  if (lanes.empty())
    return {};
  for (int64_t count = 1; count <= gpu.maxThreads; count *= 2)
    ofBlock.push_back(count);
  // A lane has some elements. Rows have several warps if they are too long, or
  // too few for four warps in each multiprocessor.
  const int64_t enough = gpu.multiprocessors * 4 * nvidia::warpSize;
  int64_t width = isAlongMemory(*group) ? widths.back() : 1, wanted = 1;
  while (wanted < nvidia::warpSize && wanted * 4 * width <= columns)
    wanted *= 2;
  while (rows * wanted < enough && wanted * 8 * width <= columns &&
         wanted < lanes.back())
    wanted *= 2;
  wanted = std::max(wanted, lanes.front());
  bool isLarge = rows * wanted >= enough;
  int64_t threads = isLarge ? 4 * nvidia::warpSize : nvidia::warpSize;
  Numbers all[] = {ofBlock, lanes, widths};
  Numbers point = nearest(
      all, {std::max<int64_t>(1, threads / wanted), wanted, width},
      [&](ArrayRef<int64_t> p) {
        return p[0] * p[1] >= nvidia::warpSize && p[0] * p[1] <= gpu.maxThreads;
      });
  if (point.empty())
    return {};
  RecipeBuilder builder(op.getContext());
  return builder.recipe(GpuRowsAttr::get(
      op.getContext(), builder.knob("B", ofBlock, point[0]),
      builder.knob("L", lanes, point[1]), builder.knob("V", widths, point[2])));
}
