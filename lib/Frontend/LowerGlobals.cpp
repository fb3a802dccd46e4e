//===- LowerGlobals.cpp - Constants and memory for globals ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream bufferizes globals of ml_program, too, but a value that is stored
// and used afterwards is lost there.
//
//===----------------------------------------------------------------------===//

#include "LowerForms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using ml_program::GlobalLoadConstOp;
using ml_program::GlobalLoadOp;
using ml_program::GlobalOp;
using ml_program::GlobalStoreOp;

/// The initial value of `global`, if a constant can have it.
static TypedAttr valueOf(GlobalOp global) {
  auto value = dyn_cast_or_null<TypedAttr>(global.getValueAttr());
  return value && value.getType() == global.getType() &&
                 arith::ConstantOp::isBuildableWith(value, value.getType())
             ? value
             : TypedAttr();
}

/// The ops that use `global`, in order; nullopt if some aren't loads or stores.
static std::optional<SmallVector<Operation *>> usersOf(GlobalOp global,
                                                       ModuleOp module) {
  auto uses = SymbolTable::getSymbolUses(global, module);
  if (!uses)
    return std::nullopt;
  SmallVector<Operation *> users;
  for (const SymbolTable::SymbolUse &use : *uses) {
    if (!isa<GlobalLoadOp, GlobalLoadConstOp, GlobalStoreOp>(use.getUser()))
      return std::nullopt;
    users.push_back(use.getUser());
  }
  return users;
}

static void makeConstants(ArrayRef<Operation *> loads, TypedAttr value) {
  for (Operation *load : loads) {
    OpBuilder builder(load);
    load->replaceAllUsesWith(
        arith::ConstantOp::create(builder, load->getLoc(), value));
    load->erase();
  }
}

/// Replaces the load or store `user` by one of `memory`.
static void accessMemory(Operation *user, memref::GlobalOp memory) {
  OpBuilder builder(user);
  Location location = user->getLoc();
  Value buffer = memref::GetGlobalOp::create(
      builder, location, memory.getType(), memory.getSymName());
  if (auto store = dyn_cast<GlobalStoreOp>(user)) {
    if (!isa<TensorType>(store.getValue().getType())) {
      memref::StoreOp::create(builder, location, store.getValue(), buffer);
    } else {
      auto copied = bufferization::MaterializeInDestinationOp::create(
          builder, location, store.getValue(), buffer);
      copied.setRestrict(true);
      copied.setWritable(true);
    }
  } else if (auto type =
                 dyn_cast<RankedTensorType>(user->getResult(0).getType())) {
    // A later store doesn't change what was loaded.
    Value current = bufferization::ToTensorOp::create(
        builder, location, type, buffer, /*restrict=*/true);
    user->replaceAllUsesWith(bufferization::AllocTensorOp::create(
        builder, location, type, ValueRange(), current));
  } else {
    user->replaceAllUsesWith(
        memref::LoadOp::create(builder, location, buffer, ValueRange()));
  }
  user->erase();
}

/// The memory in place of `global`, in which `value` is at first.
static memref::GlobalOp makeMemory(GlobalOp global, TypedAttr value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  Type element = tensor ? tensor.getElementType() : value.getType();
  auto type = MemRefType::get(tensor ? tensor.getShape() : ArrayRef<int64_t>(),
                              element);
  Attribute initial = value;
  if (!tensor)
    initial = DenseElementsAttr::get(RankedTensorType::get({}, element),
                                     ArrayRef<Attribute>(value));
  OpBuilder builder(global);
  return memref::GlobalOp::create(
      builder, global.getLoc(), global.getSymName(),
      builder.getStringAttr(global.isPrivate() ? "private" : "public"), type,
      initial, /*constant=*/false, /*alignment=*/IntegerAttr());
}

int64_t baco::frontend::lowerGlobals(ModuleOp module) {
  int64_t count = 0;
  if (!module.getOps<GlobalOp>().empty())
    module.getContext()
        ->loadDialect<arith::ArithDialect, bufferization::BufferizationDialect,
                      memref::MemRefDialect>();
  for (auto global : llvm::make_early_inc_range(module.getOps<GlobalOp>())) {
    TypedAttr value = valueOf(global);
    std::optional<SmallVector<Operation *>> users = usersOf(global, module);
    if (!value || !users || users->empty())
      continue;
    if (!global.getIsMutable()) {
      makeConstants(*users, value);
    } else {
      memref::GlobalOp memory = makeMemory(global, value);
      for (Operation *user : *users)
        accessMemory(user, memory);
    }
    // Others may be used from elsewhere.
    if (global.getIsMutable() || global.isPrivate())
      global.erase();
    ++count;
  }
  return count;
}
