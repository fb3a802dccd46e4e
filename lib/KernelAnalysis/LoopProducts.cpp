//===- LoopProducts.cpp - Contractions that are loops ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopProducts.h"

#include "baco/Analysis/TripCount.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace baco;
using namespace baco::target;
using runtime::Signature;

//===----------------------------------------------------------------------===//
// Arguments, branches and loops
//===----------------------------------------------------------------------===//

/// `value` as an argument of the kernel.
static BlockArgument argumentOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp())
             ? argument
             : BlockArgument();
}

BlockArgument target::factorsAndResult(Value a, Value b, Value c,
                                       const Signature &signature) {
  BlockArgument arguments[] = {argumentOf(a), argumentOf(b), argumentOf(c)};
  Type common;
  for (BlockArgument argument : arguments) {
    auto type = argument ? dyn_cast<MemRefType>(argument.getType()) : nullptr;
    if (!type || !isa<Float32Type, Float64Type>(type.getElementType()) ||
        (common && common != type.getElementType()))
      return {};
    common = type.getElementType();
  }
  auto isOnlyRead = [&](BlockArgument argument) {
    return !signature.arguments[argument.getArgNumber()].isOutput;
  };
  bool areDifferent = a != b && a != c && b != c;
  return areDifferent && isOnlyRead(arguments[0]) && isOnlyRead(arguments[1])
             ? arguments[2]
             : BlockArgument();
}

double target::elementBytes(Value memory) {
  return cast<MemRefType>(memory.getType()).getElementTypeBitWidth() / 8.0;
}

/// The induction variable of a loop; null if there is none, or several.
static Value variableOf(Operation *op) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  std::optional<Value> variable =
      loop ? loop.getSingleInductionVar() : std::nullopt;
  return variable.value_or(Value());
}

/// Whether a number is the same in all timed executions, for each iteration of
/// the loops around: elements and floats vary.
static bool isFixed(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argumentOf(value)
               ? value.getType().isIntOrIndex()
               : value == variableOf(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperands(), isFixed);
}

bool target::isDecidedByScalars(Operation *op) {
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    return isa<affine::AffineForOp, scf::ForOp>(op) &&
           loop.getInits().empty() && llvm::all_of(op->getOperands(), isFixed);
  return isa<scf::IfOp, affine::AffineIfOp>(op) &&
         llvm::all_of(op->getOperands(), isFixed);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
/// An access to an element, each index of which is an induction variable.
struct ElementAccess {
  Operation *op = nullptr;
  Value memory;
  SmallVector<Value> indices;
};
} // namespace

/// The access of a load or store; null if some index is anything else.
static ElementAccess accessOf(Operation *op) {
  ElementAccess access;
  OperandRange operands(nullptr, 0);
  std::optional<AffineMap> map;
  if (!op)
    return {};
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    access = {op, load.getMemRef(), {}};
    operands = load.getIndices();
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    access = {op, store.getMemRef(), {}};
    operands = store.getIndices();
  } else if (auto load = dyn_cast<affine::AffineLoadOp>(op)) {
    access = {op, load.getMemRef(), {}};
    operands = load.getMapOperands();
    map = load.getAffineMap();
  } else if (auto store = dyn_cast<affine::AffineStoreOp>(op)) {
    access = {op, store.getMemRef(), {}};
    operands = store.getMapOperands();
    map = store.getAffineMap();
  } else {
    return {};
  }
  if (map && !map->isProjectedPermutation())
    return {};
  if (map)
    for (unsigned i = 0; i < map->getNumResults(); ++i)
      access.indices.push_back(operands[map->getDimPosition(i)]);
  else
    llvm::append_range(access.indices, operands);
  return access;
}

namespace {
/// A sum's element in memory before and after it.
struct Sum {
  ElementAccess store;
  /// The ops that may access the element, as parts of the sum.
  llvm::SmallPtrSet<Operation *, 4> parts;
};
} // namespace

/// The element that `sum` adds to, in memory or as a value that a loop carries.
static std::optional<Sum> sumOf(arith::AddFOp sum, Value product) {
  if (!sum->hasOneUse())
    return std::nullopt;
  Value old = sum.getLhs() == product ? sum.getRhs() : sum.getLhs();
  Value result = sum;
  Operation *user = *sum->user_begin();
  if (auto carried = dyn_cast<BlockArgument>(old)) {
    auto loop =
        dyn_cast<LoopLikeOpInterface>(carried.getOwner()->getParentOp());
    if (!loop || !carried.hasOneUse() || user->getParentOp() != loop ||
        !user->hasTrait<OpTrait::IsTerminator>())
      return std::nullopt;
    OpOperand *initial = loop.getTiedLoopInit(carried);
    OpResult last = initial ? loop.getTiedLoopResult(initial) : OpResult();
    OpOperand *yielded =
        initial ? loop.getTiedLoopYieldedValue(carried) : nullptr;
    if (!last || !yielded || yielded->get() != result || !last.hasOneUse())
      return std::nullopt;
    old = initial->get();
    result = last;
    user = *last.user_begin();
  }
  Sum made = {accessOf(user), {user}};
  bool isStored = made.store.op &&
                  !isa<memref::LoadOp, affine::AffineLoadOp>(made.store.op) &&
                  user->getOperand(0) == result;
  if (!isStored)
    return std::nullopt;
  ElementAccess load = accessOf(old.getDefiningOp());
  bool isSame = load.op && load.memory == made.store.memory &&
                load.indices == made.store.indices;
  if (isSame)
    made.parts.insert(load.op);
  else if (result == sum)
    return std::nullopt;
  return made;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Whether `user`, in no loop that sums, comes before the op there that
/// contains `op`.
static bool comesBefore(Operation *user, Operation *op,
                        function_ref<bool(Operation *)> sums) {
  for (Operation *at = op; !isa<func::FuncOp>(at); at = at->getParentOp()) {
    Operation *top = at->getBlock()->findAncestorOpInBlock(*user);
    if (top && top != at)
      return top->isBeforeInBlock(at) && !sums(at->getParentOp());
  }
  return false;
}

std::optional<Products> target::productsOf(arith::MulFOp product,
                                           const Signature &signature) {
  const ElementAccess a = accessOf(product.getLhs().getDefiningOp()),
                      b = accessOf(product.getRhs().getDefiningOp());
  if (!a.op || !b.op || !product->hasOneUse())
    return std::nullopt;
  auto addition = dyn_cast<arith::AddFOp>(*product->user_begin());
  std::optional<Sum> sum = addition ? sumOf(addition, product) : std::nullopt;
  if (!sum)
    return std::nullopt;
  const ElementAccess &c = sum->store;
  BlockArgument result =
      factorsAndResult(a.memory, b.memory, c.memory, signature);
  if (!result)
    return std::nullopt;
  auto isIn = [](Value index, const ElementAccess &access) {
    return llvm::is_contained(access.indices, index);
  };
  // An element's sum is over several iterations of it.
  auto sums = [&](Operation *op) {
    Value index = variableOf(op);
    return index && isIn(index, a) && !isIn(index, c);
  };
  Products products = {elementBytes(result), result.getArgNumber(), false};
  size_t numIndices = 0;
  // A branch in a loop that sums leaves out terms of elements that change.
  bool isBranchInside = false;
  for (Operation *parent = product->getParentOp(); !isa<func::FuncOp>(parent);
       parent = parent->getParentOp()) {
    Value index = variableOf(parent);
    if (!index) {
      if (!isDecidedByScalars(parent))
        return std::nullopt;
      products.isConditional = isBranchInside = true;
      continue;
    }
    int uses = isIn(index, a) + isIn(index, b) + isIn(index, c);
    if (uses == 0) {
      if (!isDecidedByScalars(parent))
        return std::nullopt;
      // It does the same once more.
      products.isConditional = true;
      continue;
    }
    std::optional<double> trips = tripCount(cast<LoopLikeOpInterface>(parent));
    if (uses == 1 || !trips || *trips > maxProductExtent ||
        (isBranchInside && sums(parent)))
      return std::nullopt;
    products.bytes *= *trips;
    ++numIndices;
  }
  // Other indices are none of loops.
  llvm::SmallPtrSet<Value, 4> indices;
  for (const ElementAccess *access : {&a, &b, &c})
    indices.insert(access->indices.begin(), access->indices.end());
  if (indices.size() != numIndices)
    return std::nullopt;
  for (Operation *user : result.getUsers())
    if (!sum->parts.contains(user) && !comesBefore(user, product, sums))
      return std::nullopt;
  return products;
}
