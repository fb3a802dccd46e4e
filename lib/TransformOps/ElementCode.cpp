//===- ElementCode.cpp - Code for some elements of a kernel --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace baco;

Type ElementCode::widen(Type type) const {
  return vector ? VectorType::get(vector.getShape(), type) : type;
}

Value ElementCode::widen(Value scalar) {
  return vector ? vector::BroadcastOp::create(builder, loc,
                                              widen(scalar.getType()), scalar)
                      .getResult()
                : scalar;
}

SmallVector<Value> ElementCode::placeIn(ArrayRef<unsigned> dims, int64_t i) {
  SmallVector<Value> place;
  for (unsigned dim : dims)
    place.push_back(i > 0 && dim + 1 == at.size()
                        ? arith::AddIOp::create(
                              builder, loc, at[dim],
                              arith::ConstantIndexOp::create(builder, loc, i))
                              .getResult()
                        : at[dim]);
  return place;
}

bool ElementCode::isVectorIn(Value memref, ArrayRef<unsigned> dims) const {
  return vector && !dims.empty() && dims.back() + 1 == at.size() &&
         cast<MemRefType>(memref.getType()).isLastDimUnitStride();
}

Value ElementCode::read(Value memref, ArrayRef<unsigned> dims) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  if (isVectorIn(memref, dims))
    return vector::LoadOp::create(builder, loc,
                                  cast<VectorType>(widen(element)), memref,
                                  placeIn(dims, 0));
  auto load = [&](int64_t i) -> Value {
    return memref::LoadOp::create(builder, loc, memref, placeIn(dims, i));
  };
  if (!vector || !llvm::is_contained(dims, at.size() - 1))
    return widen(load(0));
  SmallVector<Value> elements;
  for (int64_t i = 0; i < vector.getNumElements(); ++i)
    elements.push_back(load(i));
  return vector::FromElementsOp::create(
      builder, loc, cast<VectorType>(widen(element)), elements);
}

void ElementCode::write(Value value, Value memref, ArrayRef<unsigned> dims) {
  if (isVectorIn(memref, dims)) {
    vector::StoreOp::create(builder, loc, value, memref, placeIn(dims, 0));
    return;
  }
  for (int64_t i = 0, e = vector ? vector.getNumElements() : 1; i < e; ++i) {
    Value element =
        vector ? vector::ExtractOp::create(builder, loc, value, i).getResult()
               : value;
    memref::StoreOp::create(builder, loc, element, memref, placeIn(dims, i));
  }
}

SmallVector<Value>
ElementCode::compute(linalg::LinalgOp op,
                     function_ref<Value(OpOperand &)> valueOf) {
  Block *body = op.getBlock();
  IRMapping mapping;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (!argument.use_empty())
      mapping.map(argument, isa<MemRefType>(operand.get().getType())
                                ? valueOf(operand)
                                : widen(operand.get()));
  }
  auto widenUsed = [&](ValueRange used) {
    for (Value value : used)
      if (!mapping.contains(value))
        mapping.map(value, widen(value));
  };
  for (Operation &inner : body->without_terminator()) {
    widenUsed(inner.getOperands());
    Operation *copy = builder.clone(inner, mapping);
    bool isScalar = inner.getNumOperands() == 0;
    for (auto [result, copied] :
         llvm::zip_equal(inner.getResults(), copy->getResults())) {
      if (!isScalar)
        copied.setType(widen(result.getType()));
      mapping.map(result, isScalar ? widen(copied) : Value(copied));
    }
  }
  ValueRange yielded = body->getTerminator()->getOperands();
  widenUsed(yielded);
  return llvm::map_to_vector(
      yielded, [&](Value value) { return mapping.lookup(value); });
}
