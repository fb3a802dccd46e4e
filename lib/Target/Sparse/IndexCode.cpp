//===- IndexCode.cpp - Writes loops on indices and memory -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace baco::target;

static Type elementOf(Value memory) {
  return cast<MemRefType>(memory.getType()).getElementType();
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value IndexCode::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, value);
}

Value IndexCode::valueOf(OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(builder, builder.getLoc(), value);
}

Value IndexCode::add(Value x, Value y) {
  return builder.createOrFold<arith::AddIOp>(x, y);
}

Value IndexCode::subtract(Value x, Value y) {
  return builder.createOrFold<arith::SubIOp>(x, y);
}

Value IndexCode::multiply(Value x, Value y) {
  return builder.createOrFold<arith::MulIOp>(x, y);
}

Value IndexCode::smaller(Value x, Value y) {
  return builder.createOrFold<arith::MinUIOp>(x, y);
}

Value IndexCode::larger(Value x, Value y) {
  return builder.createOrFold<arith::MaxUIOp>(x, y);
}

Value IndexCode::partOf(Value x, int64_t divisor, int64_t modulus) {
  if (divisor != 1)
    x = builder.createOrFold<arith::DivUIOp>(x, constant(divisor));
  if (modulus != 0)
    x = builder.createOrFold<arith::RemUIOp>(x, constant(modulus));
  return x;
}

Value IndexCode::cast(Value value, Type type) {
  Type own = value.getType();
  if (own == type)
    return value;
  // Positions and coordinates are unsigned: those of 8 bits go up to 255.
  if (own.isIndex() || type.isIndex())
    return arith::IndexCastUIOp::create(builder, type, value);
  if (own.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return arith::ExtUIOp::create(builder, type, value);
  return arith::TruncIOp::create(builder, type, value);
}

Value IndexCode::isTrue() {
  return arith::ConstantIntOp::create(builder, 1, 1);
}

Value IndexCode::isNotEqual(Value x, Value y) {
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, x, y);
}

Value IndexCode::either(Value x, Value y) {
  return builder.createOrFold<arith::OrIOp>(x, y);
}

Value IndexCode::isNotZero(Value value) {
  Type type = value.getType();
  Value zero = arith::ConstantOp::create(builder, builder.getZeroAttr(type));
  // An unordered comparison takes NaN for an entry, too.
  if (isa<FloatType>(type))
    return arith::CmpFOp::create(builder, arith::CmpFPredicate::UNE, value,
                                 zero);
  return isNotEqual(value, zero);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value IndexCode::load(Value memory, Value at) {
  return memref::LoadOp::create(builder, memory, at);
}

void IndexCode::store(Value value, Value memory, Value at) {
  memref::StoreOp::create(builder, value, memory, at);
}

void IndexCode::storeIndex(Value value, Value memory, Value at) {
  store(cast(value, elementOf(memory)), memory, at);
}

Value IndexCode::length(Value memory) {
  return builder.createOrFold<memref::DimOp>(memory, constant(0));
}

Value IndexCode::allocate(Type element, Value length) {
  return memref::AllocOp::create(
      builder, MemRefType::get({ShapedType::kDynamic}, element), length);
}

void IndexCode::free(Value memory) {
  // Passes that follow free it otherwise.
  if (freesMemory)
    memref::DeallocOp::create(builder, memory);
}

Value IndexCode::takeFirst(Value memory, Value length) {
  // A slice from the first element on, without a stride, has the type of the
  // whole.
  auto type = ::cast<MemRefType>(memory.getType());
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  return memref::SubViewOp::create(builder, type, memory, ArrayRef(zero),
                                   ArrayRef<OpFoldResult>(length),
                                   ArrayRef(one));
}

void IndexCode::copy(Value from, Value to) {
  memref::CopyOp::create(builder, from, to);
}

void IndexCode::clear(Value memory, Value length) {
  Value zero = arith::ConstantOp::create(
      builder, builder.getZeroAttr(elementOf(memory)));
  loop(constant(0), length, [&](Value i) { store(zero, memory, i); });
}

void IndexCode::accumulateMaximum(Value memory, Value number) {
  Variable largest = declare(0);
  Value one = constant(1);
  // The first position is 0, and there is one more than `number`.
  loop(one, add(number, one), [&](Value i) {
    Value value = larger(loadIndex(memory, i), get(largest));
    set(largest, value);
    storeIndex(value, memory, i);
  });
}

Variable IndexCode::declare(int64_t value) {
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto function = dyn_cast<func::FuncOp>(parent);
  if (!function)
    function = parent->getParentOfType<func::FuncOp>();
  // LLVM makes registers of what is allocated in the entry block only.
  OpBuilder entry = OpBuilder::atBlockBegin(&function.getBody().front());
  Variable variable = {memref::AllocaOp::create(
      entry, builder.getLoc(), MemRefType::get({}, indexType()))};
  set(variable, constant(value));
  return variable;
}

Value IndexCode::get(Variable variable) {
  return memref::LoadOp::create(builder, variable.memory);
}

void IndexCode::set(Variable variable, Value value) {
  memref::StoreOp::create(builder, value, variable.memory, ValueRange());
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

void IndexCode::loop(Value begin, Value end, Body body) {
  auto loop = scf::ForOp::create(builder, begin, end, constant(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  body(loop.getInductionVar());
}

void IndexCode::when(Value condition, llvm::function_ref<void()> body) {
  auto branch = scf::IfOp::create(builder, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  body();
}
