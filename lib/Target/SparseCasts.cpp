//===- SparseCasts.cpp - Sparse tensors of static shape -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/SparseCasts.h"

#include "baco/IR/SparseEncoding.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::sparse_tensor;
using baco::encodingOf;

/// A buffer of a sparse tensor as a tensor of rank 1. Nothing writes to it.
static Value asTensor(OpBuilder &builder, Location location, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return bufferization::ToTensorOp::create(
      builder, location,
      RankedTensorType::get(type.getShape(), type.getElementType()), buffer,
      /*restrict=*/true);
}

static Value assemble(OpBuilder &builder, tensor::CastOp cast) {
  Location location = cast.getLoc();
  Value tensor = cast.getSource();
  SmallVector<Value> buffers;
  for (auto [number, level] :
       llvm::enumerate(encodingOf(tensor.getType()).getLvlTypes())) {
    if (level.isWithPosLT())
      buffers.push_back(
          asTensor(builder, location,
                   ToPositionsOp::create(builder, location, tensor, number)));
    if (level.isWithCrdLT())
      buffers.push_back(
          asTensor(builder, location,
                   ToCoordinatesOp::create(builder, location, tensor, number)));
  }
  Value values = asTensor(builder, location,
                          ToValuesOp::create(builder, location, tensor));
  return AssembleOp::create(builder, location, cast.getType(), buffers, values);
}

/// Frees `tensor` at the end of its block if it is a copy.
static void release(OpBuilder &builder, Value tensor) {
  Operation *end = tensor.getParentBlock()->getTerminator();
  // It, or what shares its memory, may live on.
  if (llvm::any_of(end->getOperandTypes(),
                   [](Type type) { return encodingOf(type) != nullptr; }))
    return;
  Location location = tensor.getLoc();
  builder.setInsertionPoint(end);
  auto isCopy = HasRuntimeLibraryOp::create(builder, location);
  scf::IfOp::create(
      builder, location, isCopy, [&](OpBuilder &inner, Location place) {
        bufferization::DeallocTensorOp::create(inner, place, tensor);
        scf::YieldOp::create(inner, place);
      });
}

static bool isAssembled(tensor::CastOp op) {
  Type before = op.getSource().getType(), after = op.getType();
  SparseTensorEncodingAttr encoding = encodingOf(before);
  if (!encoding || encoding != encodingOf(after))
    return false;
  if (cast<RankedTensorType>(before).hasStaticShape() ||
      !cast<RankedTensorType>(after).hasStaticShape())
    return false;
  // Upstream can't parse what it prints where values are the only buffer.
  if (encoding.isAllDense())
    return false;
  auto format = baco::storageFormat(encoding);
  if (!format)
    llvm::consumeError(format.takeError());
  return bool(format);
}

void baco::target::assembleSparseCasts(ModuleOp module) {
  SmallVector<tensor::CastOp> casts;
  module.walk([&](tensor::CastOp cast) {
    if (isAssembled(cast))
      casts.push_back(cast);
  });
  for (tensor::CastOp cast : casts) {
    OpBuilder builder(cast);
    Value tensor = assemble(builder, cast);
    release(builder, tensor);
    cast.replaceAllUsesWith(tensor);
    cast.erase();
  }
}
