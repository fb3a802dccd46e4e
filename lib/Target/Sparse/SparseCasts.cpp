//===- SparseCasts.cpp - Sparse tensors of static shape -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/Sparse/TunedFormats.h"

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

/// A tensor of `type`, whose encoding is that of `tensor`, of the same buffers.
static Value assemble(OpBuilder &builder, Location location, Value tensor,
                      RankedTensorType type) {
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
  return AssembleOp::create(builder, location, type, buffers, values);
}

/// Whether upstream's run-time library takes what is assembled for something
/// else: it reads coordinates of all levels from one that repeats them on from
/// one buffer, also if each level has its own.
static bool isMisreadByLibrary(SparseTensorEncodingAttr encoding) {
  return llvm::any_of(encoding.getLvlTypes().drop_back(), [](LevelType level) {
    return level.isa<LevelFormat::Compressed>() &&
           level.isa<LevelPropNonDefault::Nonunique>();
  });
}

/// The same levels, but compressed where coordinates repeat or are one each.
static SparseTensorEncodingAttr
withoutRepeats(SparseTensorEncodingAttr encoding) {
  SmallVector<LevelType> levels(encoding.getLvlTypes());
  for (LevelType &level : levels)
    if (!level.isa<LevelFormat::Dense>())
      level = *buildLevelType(LevelFormat::Compressed, /*ordered=*/true,
                              /*unique=*/true);
  return SparseTensorEncodingAttr::get(
      encoding.getContext(), levels, encoding.getDimToLvl(),
      encoding.getLvlToDim(), encoding.getPosWidth(), encoding.getCrdWidth());
}

/// `tensor` as one of `type`.
static Value makeStatic(OpBuilder &builder, Location location, Value tensor,
                        RankedTensorType type) {
  SparseTensorEncodingAttr encoding = encodingOf(type);
  if (!isMisreadByLibrary(encoding))
    return assemble(builder, location, tensor, type);
  auto before = cast<RankedTensorType>(tensor.getType());
  SparseTensorEncodingAttr other = withoutRepeats(encoding);
  // Only the library misreads such lists, and whether it is used is decided by
  // a later pass.
  auto choice = scf::IfOp::create(
      builder, location, HasRuntimeLibraryOp::create(builder, location),
      [&](OpBuilder &inner, Location place) {
        Value source = ConvertOp::create(
            inner, place, before.cloneWithEncoding(other), tensor);
        Value whole =
            assemble(inner, place, source, type.cloneWithEncoding(other));
        Value result = ConvertOp::create(inner, place, type, whole);
        // The library copies the tensor in each step.
        bufferization::DeallocTensorOp::create(inner, place, source);
        bufferization::DeallocTensorOp::create(inner, place, whole);
        scf::YieldOp::create(inner, place, result);
      },
      [&](OpBuilder &inner, Location place) {
        scf::YieldOp::create(inner, place,
                             assemble(inner, place, tensor, type));
      });
  return choice.getResult(0);
}

/// Frees `tensor` at the end of its block if it is a copy.
static void release(OpBuilder &builder, Value tensor) {
  Operation *end = tensor.getParentBlock()->getTerminator();
  // It, or what shares its memory, may live on.
  if (llvm::any_of(end->getOperandTypes(), baco::isSparse))
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
    Value tensor = makeStatic(builder, cast.getLoc(), cast.getSource(),
                              mlir::cast<RankedTensorType>(cast.getType()));
    release(builder, tensor);
    cast.replaceAllUsesWith(tensor);
    cast.erase();
  }
}
