//===- SparseSums.cpp - Sums in loops over sparse tensors -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseLoops.h"

#include "baco/IR/Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using baco::contains;

namespace {
/// A load or a store of an element or a vector.
struct Access {
  Value memory;
  ValueRange indices;
  Type type;

  bool operator==(const Access &other) const {
    return memory == other.memory && type == other.type &&
           llvm::equal(indices, other.indices);
  }
};
} // namespace

static std::optional<Access> loadBy(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return Access{load.getMemRef(), load.getIndices(), load.getType()};
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return Access{load.getBase(), load.getIndices(), load.getType()};
  return std::nullopt;
}

static std::optional<Access> storeBy(Operation *op) {
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return Access{store.getMemRef(), store.getIndices(),
                  store.getValueToStore().getType()};
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return Access{store.getBase(), store.getIndices(),
                  store.getValueToStore().getType()};
  return std::nullopt;
}

/// The value that `op` stores, if `storeBy` finds an access.
static OpOperand &storedValue(Operation *op) {
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return store.getValueMutable();
  return cast<vector::StoreOp>(op).getValueToStoreMutable();
}

/// The memory of which `memory` is a view.
static Value wholeOf(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  return memory;
}

/// Whether `op` itself may read or write `whole`, or only write it.
static bool mayAccess(Operation *op, Value whole, bool writes) {
  // Callers walk over nested ops, too, so an op doesn't answer for those in its
  // regions.
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      isMemoryEffectFree(op))
    return false;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  // Nothing is known of such an op, and it may access any memory.
  if (!interface)
    return true;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::any_of(effects, [&](const auto &effect) {
    return (!writes || !isa<MemoryEffects::Read>(effect.getEffect())) &&
           (!effect.getValue() || wholeOf(effect.getValue()) == whole);
  });
}

static bool isOutside(Value value, scf::ForOp loop) {
  return loop.isDefinedOutsideOfLoop(value);
}

//===----------------------------------------------------------------------===//
// Carried sums
//===----------------------------------------------------------------------===//

/// The load of the element that `store` stores, if only these two access the
/// memory in `loop`, and the place is the same in each round.
static Operation *findLoad(Operation *store, scf::ForOp loop) {
  std::optional<Access> stored = storeBy(store);
  auto isFixed = [&](Value value) { return isOutside(value, loop); };
  if (!stored || !isFixed(stored->memory) ||
      !llvm::all_of(stored->indices, isFixed))
    return nullptr;
  Operation *load = nullptr;
  for (Operation &op : *loop.getBody())
    if (std::optional<Access> loaded = loadBy(&op);
        loaded && *loaded == *stored) {
      load = &op;
      break;
    }
  // A load behind the store reads what this round has stored.
  if (!load || !load->isBeforeInBlock(store))
    return nullptr;
  Value whole = wholeOf(stored->memory);
  // Another access could see the sum between two rounds, or change it.
  bool isOther = contains(loop, [&](Operation *op) {
    return op != load && op != store && mayAccess(op, whole, /*writes=*/false);
  });
  return isOther ? nullptr : load;
}

/// Carries the element that `load` loads and `store` stores. Returns the new
/// loop.
static scf::ForOp carry(scf::ForOp loop, Operation *load, Operation *store) {
  IRRewriter rewriter(loop);
  Value before = rewriter.clone(*load)->getResult(0);
  Value last = storedValue(store).get();
  auto attributes = llvm::to_vector(loop->getDiscardableAttrs());
  auto carried = cast<scf::ForOp>(
      *loop.replaceWithAdditionalYields(
               rewriter, before, /*replaceInitOperandUsesInLoop=*/false,
               [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
                 load->getResult(0).replaceAllUsesWith(arguments.front());
                 // The store writes back what was loaded, and replacing uses
                 // doesn't reach this variable.
                 if (last == load->getResult(0))
                   last = arguments.front();
                 return SmallVector<Value>{last};
               })
           ->getOperation());
  // The new loop has none of the attributes of the old one, by which later
  // steps know loops.
  carried->setDiscardableAttrs(attributes);
  rewriter.setInsertionPointAfter(carried);
  // If there are no rounds, this stores what was loaded.
  Operation *behind = rewriter.clone(*store);
  storedValue(behind).set(carried->getResults().back());
  store->erase();
  load->erase();
  return carried;
}

void baco::target::carrySums(Operation *root) {
  SmallVector<scf::ForOp> loops;
  root->walk([&](scf::ForOp loop) { loops.push_back(loop); });
  // From the innermost: ops behind one loop are in the next.
  for (scf::ForOp loop : loops) {
    SmallVector<std::pair<Operation *, Operation *>> found;
    for (Operation &op : *loop.getBody())
      if (Operation *load = findLoad(&op, loop))
        found.emplace_back(load, &op);
    for (auto [load, store] : found)
      loop = carry(loop, load, store);
  }
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

/// Appends the factors of `product`, in their order.
static void findFactors(Value product, scf::ForOp loop,
                        SmallVectorImpl<Value> &factors) {
  auto multiply = product.getDefiningOp<arith::MulFOp>();
  // A product that is used elsewhere has to stay whole.
  if (!multiply || !product.hasOneUse() ||
      multiply->getBlock() != loop.getBody()) {
    factors.push_back(product);
    return;
  }
  findFactors(multiply.getLhs(), loop, factors);
  findFactors(multiply.getRhs(), loop, factors);
}

/// Whether `value` is the same in each round. `loop` computes it from values
/// outside, and upstream's loops load at coordinates that exist whether or not
/// there are rounds.
static bool isFixed(Value value, scf::ForOp loop) {
  if (isOutside(value, loop))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0)
    return false;
  if (std::optional<Access> load = loadBy(op)) {
    Value whole = wholeOf(load->memory);
    if (contains(loop, [&](Operation *other) {
          return mayAccess(other, whole, /*writes=*/true);
        }))
      return false;
  } else if (!isPure(op)) {
    return false;
  }
  return llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isFixed(operand, loop); });
}

/// `value` behind `loop`, in which it is fixed.
static Value recompute(Value value, scf::ForOp loop, OpBuilder &builder,
                       IRMapping &mapping) {
  if (isOutside(value, loop))
    return value;
  if (Value done = mapping.lookupOrNull(value))
    return done;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    mapping.map(operand, recompute(operand, loop, builder, mapping));
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

static Value multiply(OpBuilder &builder, Location loc,
                      ArrayRef<Value> factors) {
  Value product = factors.front();
  for (Value factor : factors.drop_front())
    product = arith::MulFOp::create(builder, loc, product, factor);
  return product;
}

/// Does that for one of the values that `loop` carries.
static void factorSum(scf::ForOp loop, unsigned number) {
  BlockArgument carried = loop.getRegionIterArg(number);
  OpOperand &yielded = loop.getYieldedValuesMutable().value()[number];
  auto sum = yielded.get().getDefiningOp<arith::AddFOp>();
  // Each partial sum would be smaller by the factor, so nothing but the next
  // round may see it.
  if (!sum || !sum->hasOneUse() || sum->getBlock() != loop.getBody() ||
      !carried.hasOneUse() || sum.getLhs() == sum.getRhs() ||
      (sum.getLhs() != carried && sum.getRhs() != carried))
    return;
  OpOperand &term = sum->getOpOperand(sum.getLhs() == carried ? 1 : 0);
  SmallVector<Value> factors, fixed, changing;
  findFactors(term.get(), loop, factors);
  for (Value factor : factors)
    (isFixed(factor, loop) ? fixed : changing).push_back(factor);
  // A sum of a term that doesn't change has nothing to leave in the loop.
  if (fixed.empty() || changing.empty())
    return;
  OpBuilder builder(sum);
  Location loc = sum.getLoc();
  term.set(multiply(builder, loc, changing));
  OpOperand &init = loop.getInitArgsMutable()[number];
  // The value from before the loop must not be multiplied, so the loop begins
  // with zero, and the value is added behind it.
  Value before = init.get();
  builder.setInsertionPoint(loop);
  init.set(arith::ConstantOp::create(
      builder, loc, cast<TypedAttr>(builder.getZeroAttr(before.getType()))));
  builder.setInsertionPointAfter(loop);
  IRMapping mapping;
  SmallVector<Value> outside;
  for (Value factor : fixed)
    outside.push_back(recompute(factor, loop, builder, mapping));
  Value result = loop.getResult(number);
  outside.push_back(result);
  Value product = multiply(builder, loc, outside);
  auto all = arith::AddFOp::create(builder, loc, before, product);
  result.replaceAllUsesExcept(all, product.getDefiningOp());
}

void baco::target::factorSums(Operation *root) {
  root->walk([](scf::ForOp loop) {
    for (unsigned number = 0; number < loop.getNumResults(); ++number)
      factorSum(loop, number);
  });
}
