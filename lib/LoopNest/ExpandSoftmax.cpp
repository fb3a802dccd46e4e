//===- ExpandSoftmax.cpp - A softmax as linalg ops on memrefs -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/ExpandSoftmax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-expand-softmax"

using namespace mlir;
using namespace baco;

bool loopnest::canExpand(linalg::SoftmaxOp op) {
  auto type = dyn_cast<MemRefType>(op.getInput().getType());
  return type && isa<MemRefType>(op.getOutput().getType()) &&
         isa<FloatType>(type.getElementType());
}

namespace {
/// Writes the ops in front of a softmax.
class SoftmaxWriter {
public:
  SoftmaxWriter(RewriterBase &builder, linalg::SoftmaxOp op);

  loopnest::ExpandedSoftmax write();

private:
  /// A buffer with one element for each row.
  Value allocateRows();
  void fill(Value rows, const llvm::APFloat &value);
  /// An op that combines what `inputs` have with an element of `output`.
  using Body = function_ref<Value(OpBuilder &, Location, ValueRange)>;
  void combine(ValueRange inputs, Value output, Body body);
  AffineMap mapOf(Value memory) const {
    return memory == input || memory == output ? all : row;
  }

  linalg::SoftmaxOp op;
  RewriterBase &builder;
  Location loc;
  Value input, output;
  FloatType element;
  /// From iterators to an element of a matrix, and of a buffer for rows.
  AffineMap all, row;
  loopnest::ExpandedSoftmax expanded;
};
} // namespace

SoftmaxWriter::SoftmaxWriter(RewriterBase &builder, linalg::SoftmaxOp op)
    : op(op), builder(builder), loc(op.getLoc()), input(op.getInput()),
      output(op.getOutput()),
      element(cast<FloatType>(op.getInputOperandType().getElementType())) {
  int64_t rank = op.getInputOperandRank();
  all = builder.getMultiDimIdentityMap(rank);
  // A vector is one row: without a dimension there would be no loop to fill it.
  row = rank == 1 ? AffineMap::get(1, 0, builder.getAffineConstantExpr(0))
                  : all.dropResult(op.getDimension());
}

Value SoftmaxWriter::allocateRows() {
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  auto type = cast<MemRefType>(input.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (dim == static_cast<int64_t>(op.getDimension()))
      continue;
    shape.push_back(type.getDimSize(dim));
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(builder, loc, input, dim));
  }
  if (type.getRank() == 1)
    shape.push_back(1);
  return memref::AllocOp::create(builder, loc, MemRefType::get(shape, element),
                                 sizes);
}

void SoftmaxWriter::fill(Value rows, const llvm::APFloat &value) {
  Value constant = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(element, value));
  expanded.ops.push_back(linalg::FillOp::create(builder, loc, constant, rows));
}

void SoftmaxWriter::combine(ValueRange inputs, Value output, Body body) {
  SmallVector<AffineMap> maps =
      llvm::map_to_vector(inputs, [&](Value memory) { return mapOf(memory); });
  maps.push_back(mapOf(output));
  SmallVector<utils::IteratorType> iterators(all.getNumDims(),
                                             utils::IteratorType::parallel);
  if (mapOf(output) == row)
    iterators[op.getDimension()] = utils::IteratorType::reduction;
  expanded.ops.push_back(linalg::GenericOp::create(
      builder, loc, inputs, output, maps, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange elements) {
        linalg::YieldOp::create(builder, loc, body(builder, loc, elements));
      }));
}

loopnest::ExpandedSoftmax SoftmaxWriter::write() {
  builder.setInsertionPoint(op);
  const llvm::fltSemantics &format = element.getFloatSemantics();
  Value largest = allocateRows(), sum = allocateRows();
  // Formats without an infinity have a least number.
  fill(largest, APFloat::semanticsHasInf(format)
                    ? APFloat::getInf(format, /*Negative=*/true)
                    : APFloat::getLargest(format, /*Negative=*/true));
  combine(input, largest, [](OpBuilder &b, Location loc, ValueRange e) {
    return arith::MaxNumFOp::create(b, loc, e[0], e[1]);
  });
  combine({input, largest}, output,
          [](OpBuilder &b, Location loc, ValueRange e) -> Value {
            Value less = arith::SubFOp::create(b, loc, e[0], e[1]);
            return math::ExpOp::create(b, loc, less);
          });
  fill(sum, APFloat::getZero(format));
  combine(output, sum, [](OpBuilder &b, Location loc, ValueRange e) {
    return arith::AddFOp::create(b, loc, e[0], e[1]);
  });
  combine(sum, output, [](OpBuilder &b, Location loc, ValueRange e) {
    return arith::DivFOp::create(b, loc, e[1], e[0]);
  });
  for (Value rows : {largest, sum})
    expanded.deallocations.push_back(
        memref::DeallocOp::create(builder, loc, rows));
  builder.eraseOp(op);
  return std::move(expanded);
}

loopnest::ExpandedSoftmax loopnest::expandSoftmax(RewriterBase &rewriter,
                                                  linalg::SoftmaxOp op) {
  LDBG() << "expands the softmax at " << op->getLoc();
  return SoftmaxWriter(rewriter, op).write();
}

void loopnest::expandSoftmaxes(Operation *root) {
  SmallVector<linalg::SoftmaxOp> ops;
  root->walk([&](linalg::SoftmaxOp op) {
    if (canExpand(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (linalg::SoftmaxOp op : ops)
    expandSoftmax(rewriter, op);
}
