//===- PadResults.cpp - Results with borders ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Frontend/LowerFrontEnds.h"

#include "OpWork.h"
#include "baco/GlobalOptimization/RewrittenFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/DebugLog.h"

#include <tuple>

#define DEBUG_TYPE "baco-pad-results"

using namespace mlir;
using namespace baco;
using namespace baco::frontend;

/// Whether the extents of borders are known, none is negative, and they are
/// filled with a constant.
static bool hasKnownBorder(tensor::PadOp pad) {
  auto isKnown = [](ArrayRef<int64_t> extents) {
    return llvm::all_of(extents, [](int64_t extent) {
      return extent >= 0 && !ShapedType::isDynamic(extent);
    });
  };
  Value value = pad.getConstantPaddingValue();
  return pad.getSourceType().hasStaticShape() &&
         pad.getResultType().hasStaticShape() &&
         pad.getSourceType() != pad.getResultType() &&
         isKnown(pad.getStaticLow()) && isKnown(pad.getStaticHigh()) && value &&
         matchPattern(value, m_Constant());
}

/// Whether a user may read a part of the padded tensor instead.
static bool mayReadSlice(OpOperand &use) {
  if (isa<tensor::PadOp>(use.getOwner()))
    return true;
  auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
  return op && op.isDpsInput(&use);
}

/// The op whose result `pad` pads, if that can be computed in the padded
/// tensor.
static linalg::LinalgOp findProducer(tensor::PadOp pad) {
  auto producer = pad.getSource().getDefiningOp<linalg::LinalgOp>();
  if (!producer || producer->getBlock() != pad->getBlock() ||
      isCheapProducer(producer) || !hasKnownBorder(pad) ||
      !llvm::all_of(pad.getSource().getUses(), mayReadSlice))
    return {};
  return producer;
}

namespace {
/// A part of a tensor, with steps of 1.
struct Slice {
  SmallVector<OpFoldResult> offsets, sizes, strides;
};
} // namespace

static Slice sliceOf(OpBuilder &builder, ArrayRef<int64_t> offsets,
                     ArrayRef<int64_t> sizes) {
  return {getAsIndexOpFoldResult(builder.getContext(), offsets),
          getAsIndexOpFoldResult(builder.getContext(), sizes),
          SmallVector<OpFoldResult>(sizes.size(), builder.getIndexAttr(1))};
}

/// Fills one part of `tensor`.
static Value fillSlice(OpBuilder &builder, Location location, Value tensor,
                       Value value, const Slice &slice) {
  Value part = tensor::ExtractSliceOp::create(
      builder, location, tensor, slice.offsets, slice.sizes, slice.strides);
  Value filled =
      linalg::FillOp::create(builder, location, value, part).getResult(0);
  return tensor::InsertSliceOp::create(builder, location, filled, tensor,
                                       slice.offsets, slice.sizes,
                                       slice.strides);
}

/// A tensor of the type of `pad` whose border is filled.
static Value createBorder(OpBuilder &builder, tensor::PadOp pad) {
  Location location = pad.getLoc();
  RankedTensorType type = pad.getResultType();
  // The value may be defined behind.
  Operation *value =
      builder.clone(*pad.getConstantPaddingValue().getDefiningOp());
  Value tensor = tensor::EmptyOp::create(builder, location, type.getShape(),
                                         type.getElementType());
  SmallVector<int64_t> offsets(type.getRank(), 0);
  SmallVector<int64_t> sizes = llvm::to_vector(type.getShape());
  // The parts are disjoint: each lies between the borders of dimensions before.
  for (int64_t d = 0; d < type.getRank(); ++d) {
    int64_t low = pad.getStaticLow()[d], high = pad.getStaticHigh()[d];
    for (auto [offset, size] :
         {std::pair(int64_t(0), low), std::pair(sizes[d] - high, high)}) {
      if (size == 0)
        continue;
      SmallVector<int64_t> at(offsets), extents(sizes);
      at[d] = offset;
      extents[d] = size;
      tensor = fillSlice(builder, location, tensor, value->getResult(0),
                         sliceOf(builder, at, extents));
    }
    offsets[d] = low;
    sizes[d] -= low + high;
  }
  return tensor;
}

/// The first of the structured ops whose results `producer` reads an element at
/// a time, in its block: planned together, they take turns on blocks of rows if
/// nothing is between them.
static Operation *findFirst(linalg::LinalgOp producer) {
  SetVector<Operation *> chain;
  chain.insert(producer);
  Operation *first = producer;
  for (size_t i = 0; i < chain.size(); ++i) {
    auto op = cast<linalg::LinalgOp>(chain[i]);
    if (op->isBeforeInBlock(first))
      first = op;
    bool isElementwise = op.getNumReductionLoops() == 0;
    for (Value operand : isElementwise ? SmallVector<Value>(op->getOperands())
                                       : SmallVector<Value>(op.getDpsInits()))
      if (auto before = operand.getDefiningOp<linalg::LinalgOp>();
          before && before->getBlock() == producer->getBlock() &&
          before->hasOneUse())
        chain.insert(before);
  }
  return first;
}

/// Replaces `pad`, whose source `producer` computes.
static void padResult(tensor::PadOp pad, linalg::LinalgOp producer) {
  Value result = pad.getSource();
  OpBuilder builder(findFirst(producer));
  Value border = createBorder(builder, pad);
  builder.setInsertionPointAfter(producer);
  Location location = producer.getLoc();
  Slice inside =
      sliceOf(builder, pad.getStaticLow(), pad.getSourceType().getShape());
  auto insert = tensor::InsertSliceOp::create(builder, location, result, border,
                                              inside.offsets, inside.sizes,
                                              inside.strides);
  bool isReadElsewhere = !llvm::all_of(result.getUsers(), [&](Operation *user) {
    return user == insert || user == pad;
  });
  if (isReadElsewhere) {
    Value inner = tensor::ExtractSliceOp::create(
        builder, location, cast<RankedTensorType>(result.getType()), insert,
        inside.offsets, inside.sizes, inside.strides);
    result.replaceAllUsesExcept(inner, insert);
  }
  pad.replaceAllUsesWith(insert.getResult());
  pad.erase();
}

/// Lets paddings of one tensor that are equal become the first of them.
static void mergeEqual(func::FuncOp function) {
  using Border = std::tuple<Value, Attribute, Attribute, Attribute>;
  SmallVector<std::pair<Border, tensor::PadOp>> known;
  function.walk([&](tensor::PadOp pad) {
    if (!findProducer(pad))
      return;
    Attribute value;
    matchPattern(pad.getConstantPaddingValue(), m_Constant(&value));
    Border border(pad.getSource(), pad.getStaticLowAttr(),
                  pad.getStaticHighAttr(), value);
    auto *same = llvm::find_if(
        known, [&](const auto &other) { return other.first == border; });
    if (same == known.end()) {
      known.emplace_back(border, pad);
      return;
    }
    pad.replaceAllUsesWith(same->second.getResult());
    pad.erase();
  });
}

/// Replaces the paddings of `function` that can be.
static int64_t padResultsOf(func::FuncOp function) {
  mergeEqual(function);
  SmallVector<tensor::PadOp> pads;
  function.walk([&](tensor::PadOp pad) { pads.push_back(pad); });
  int64_t count = 0;
  for (tensor::PadOp pad : pads) {
    linalg::LinalgOp producer = findProducer(pad);
    if (!producer)
      continue;
    LDBG() << pad.getLoc() << ": computed in place of " << pad;
    padResult(pad, producer);
    ++count;
  }
  return count;
}

int64_t frontend::padResults(ModuleOp module, StringRef entry) {
  int64_t count = 0;
  for (func::FuncOp function : globalopt::functionsToRewrite(module, entry))
    count += padResultsOf(function);
  return count;
}

/// The fill of a part of `destination` that `insert` inserts again.
static linalg::FillOp findFill(tensor::InsertSliceOp insert) {
  auto fill = insert.getSource().getDefiningOp<linalg::FillOp>();
  auto part =
      fill ? fill.getOutputs().front().getDefiningOp<tensor::ExtractSliceOp>()
           : tensor::ExtractSliceOp();
  bool isSame = part && part.getSource() == insert.getDest() &&
                part.hasUnitStride() && insert.hasUnitStride() &&
                part.getStaticOffsets() == insert.getStaticOffsets() &&
                part.getStaticSizes() == insert.getStaticSizes() &&
                !ShapedType::isDynamicShape(part.getStaticOffsets()) &&
                part.getType().hasStaticShape() && part->hasOneUse() &&
                fill->hasOneUse();
  return isSame ? fill : linalg::FillOp();
}

SetVector<Operation *> frontend::findBorder(tensor::InsertSliceOp insert) {
  SetVector<Operation *> border;
  Value tensor = insert.getDest();
  while (auto before = tensor.getDefiningOp<tensor::InsertSliceOp>()) {
    linalg::FillOp fill = findFill(before);
    // The slice and its successor use the tensor.
    if (!fill || before->getBlock() != insert->getBlock())
      return {};
    for (Operation *op : {before.getOperation(), fill.getOperation(),
                          fill.getOutputs().front().getDefiningOp()})
      border.insert(op);
    tensor = before.getDest();
  }
  if (border.empty() || !tensor.getDefiningOp<tensor::EmptyOp>())
    return {};
  return SetVector<Operation *>(border.rbegin(), border.rend());
}
