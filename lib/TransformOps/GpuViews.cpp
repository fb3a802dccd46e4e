//===- GpuViews.cpp - Views that are larger than their memory ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuViews.h"

#include "baco/Support/NvidiaGpu.h"

#include "mlir/Dialect/Affine/ViewLikeInterfaceUtils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace baco;

Value IndexWriter::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value IndexWriter::isLess(Value index, int64_t bound) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, index,
                               constant(bound));
}

Value IndexWriter::both(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::AndIOp::create(builder, loc, a, b);
}

Value baco::padView(RewriterBase &builder, Location loc, Value memref,
                    ArrayRef<int64_t> shape) {
  auto type = cast<MemRefType>(memref.getType());
  if (shape == type.getShape())
    return memref;
  auto [strides, offset] = type.getStridesAndOffset();
  auto layout = StridedLayoutAttr::get(builder.getContext(), offset, strides);
  return UnrealizedConversionCastOp::create(
             builder, loc,
             MemRefType::get(shape, type.getElementType(), layout,
                             type.getMemorySpace()),
             memref)
      .getResult(0);
}

static bool isPart(Operation *op) {
  return isa<memref::SubViewOp, memref::CastOp, UnrealizedConversionCastOp>(op);
}

SmallVector<Operation *> baco::listParts(Operation *view) {
  SmallVector<Operation *> parts = {view};
  for (size_t i = 0; i < parts.size(); ++i)
    for (Operation *user : parts[i]->getUsers())
      if (isPart(user))
        parts.push_back(user);
  return parts;
}

SmallVector<Value> baco::indicesInView(RewriterBase &builder, Location loc,
                                       Value view, Value part,
                                       ValueRange indices) {
  SmallVector<Value> at(indices);
  while (part != view) {
    Operation *definition = part.getDefiningOp();
    if (auto subview = dyn_cast<memref::SubViewOp>(definition)) {
      SmallVector<Value> resolved;
      affine::resolveIndicesIntoOpWithOffsetsAndStrides(
          builder, loc, subview.getMixedOffsets(), subview.getMixedStrides(),
          subview.getDroppedDims(), at, resolved);
      at = resolved;
    }
    part = definition->getOperand(0);
  }
  return at;
}

void baco::moveBefore(RewriterBase &rewriter, Value value,
                      Operation *position) {
  Operation *definition = value.getDefiningOp();
  if (!definition || definition->getBlock() != position->getBlock() ||
      definition->isBeforeInBlock(position))
    return;
  for (Value operand : definition->getOperands())
    moveBefore(rewriter, operand, position);
  rewriter.moveOpBefore(definition, position);
}

bool baco::isUsedOutside(Value memref, ArrayRef<Operation *> kernel) {
  if (!memref.getDefiningOp<memref::AllocOp>())
    return true;
  SmallVector<Value> parts = {memref};
  while (!parts.empty())
    for (Operation *user : parts.pop_back_val().getUsers()) {
      if (llvm::any_of(kernel,
                       [&](Operation *op) { return op->isAncestor(user); }))
        continue;
      if (isa<ViewLikeOpInterface, UnrealizedConversionCastOp>(user))
        parts.push_back(user->getResult(0));
      else if (!isa<memref::DeallocOp>(user))
        return true;
    }
  return false;
}

bool baco::isUsedBehind(Value memref, ArrayRef<Operation *> ops) {
  while (auto view = memref.getDefiningOp<memref::SubViewOp>())
    memref = view.getSource();
  Operation *alloc = memref.getDefiningOp<memref::AllocOp>();
  Block *block = ops.front()->getBlock();
  if (!alloc || alloc->getBlock() != block)
    return true;
  SmallVector<Value> parts = {memref};
  while (!parts.empty())
    for (Operation *user : parts.pop_back_val().getUsers()) {
      if (isa<memref::SubViewOp>(user)) {
        parts.push_back(user->getResult(0));
        continue;
      }
      Operation *at = block->findAncestorOpInBlock(*user);
      if (!at ||
          (!at->isBeforeInBlock(ops.front()) && !llvm::is_contained(ops, at)))
        return true;
    }
  return false;
}

bool baco::hasAlignedRows(MemRefType type) {
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  return llvm::all_of(ArrayRef(strides).drop_back(), [&](int64_t stride) {
    return ShapedType::isStatic(stride) &&
           stride * type.getElementTypeBitWidth() / 8 %
                   nvidia::maxAccessBytes ==
               0;
  });
}

Value baco::takeFill(RewriterBase &builder, linalg::LinalgOp op) {
  Value buffer = op.getDpsInits()[0];
  auto launch = op->getParentOfType<gpu::LaunchOp>();
  while (buffer) {
    for (Operation *user : buffer.getUsers()) {
      auto fill = dyn_cast<linalg::FillOp>(user);
      if (!fill || !launch->isAncestor(fill) ||
          fill.value().getType() != getElementTypeOrSelf(buffer.getType()))
        continue;
      Value value = fill.value();
      builder.eraseOp(fill);
      return value;
    }
    auto view = buffer.getDefiningOp<memref::SubViewOp>();
    buffer = view ? view.getSource() : Value();
  }
  return {};
}

void baco::removeOps(RewriterBase &builder, ArrayRef<linalg::LinalgOp> ops) {
  llvm::SetVector<Value> buffers;
  for (linalg::LinalgOp op : llvm::reverse(ops)) {
    buffers.insert_range(op->getOperands());
    builder.eraseOp(op);
  }
  for (Value buffer : buffers) {
    auto alloc = buffer.getDefiningOp<memref::AllocOp>();
    if (!alloc ||
        !llvm::all_of(alloc->getUsers(), llvm::IsaPred<memref::DeallocOp>))
      continue;
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
      builder.eraseOp(user);
    builder.eraseOp(alloc);
  }
}
