//===- SparseSums.cpp - Sums of sparse loops in registers -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseSums.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace baco::target;

void baco::target::unrollVectorLoops(Operation *root) {
  // As many vectors as half of the registers hold, where there are 32.
  constexpr int64_t mostVectors = 16;
  SmallVector<scf::ForOp> loops;
  root->walk([&](scf::ForOp loop) {
    std::optional<APInt> count = loop.getStaticTripCount();
    auto isVectorStore = [](Operation &op) { return isa<vector::StoreOp>(op); };
    if (count && count->ule(mostVectors) && loop->getNumResults() == 0 &&
        isa<scf::ForOp>(loop->getParentOp()) &&
        llvm::any_of(*loop.getBody(), isVectorStore) &&
        llvm::none_of(*loop.getBody(),
                      [](Operation &op) { return op.getNumRegions() > 0; }))
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops)
    // What can't be unrolled stays a loop.
    (void)loopUnrollFull(loop);
}

namespace {
/// A read or a write of one element, or vector, of a buffer.
struct Access {
  Operation *op;
  Value memory;
  OperandRange indices;
  Type type;
  bool isStore;

  bool isOfSamePlace(const Access &other) const {
    return memory == other.memory && type == other.type &&
           llvm::equal(indices, other.indices);
  }
  /// Elements along the last dimension.
  int64_t length() const {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? vector.getNumElements() : 1;
  }
  /// Whether it certainly has no element of `other`, which is of the same
  /// buffer.
  bool isApartFrom(const Access &other) const;
};

/// The accesses of one buffer in a loop that become one carried value.
struct Carried {
  Access load, store;
};
} // namespace

bool Access::isApartFrom(const Access &other) const {
  if (memory != other.memory)
    return false;
  for (auto [d, pair] : llvm::enumerate(llvm::zip(indices, other.indices))) {
    auto mine = getConstantIntValue(std::get<0>(pair));
    auto its = getConstantIntValue(std::get<1>(pair));
    if (!mine || !its)
      continue;
    // Vectors are along the last dimension.
    int64_t least = d + 1 < indices.size() ? 1
                    : *mine < *its         ? length()
                                           : other.length();
    if (std::abs(*mine - *its) >= least)
      return true;
  }
  return false;
}

static std::optional<Access> readAccess(Operation *op) {
  auto isPlain = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return !vector || vector.getRank() == 1;
  };
  std::optional<Access> access =
      llvm::TypeSwitch<Operation *, std::optional<Access>>(op)
          .Case<memref::LoadOp>([](auto load) {
            return Access{load, load.getMemRef(), load.getIndices(),
                          load.getType(), false};
          })
          .Case<memref::StoreOp>([](auto store) {
            return Access{store, store.getMemRef(), store.getIndices(),
                          store.getValueToStore().getType(), true};
          })
          .Case<vector::LoadOp>([](auto load) {
            return Access{load, load.getBase(), load.getIndices(),
                          load.getType(), false};
          })
          .Case<vector::StoreOp>([](auto store) {
            return Access{store, store.getBase(), store.getIndices(),
                          store.getValueToStore().getType(), true};
          })
          .Default([](Operation *) { return std::nullopt; });
  return access && isPlain(access->type) ? access : std::nullopt;
}

/// The memory that an op reads or writes, as far as it is known.
static Value memoryOf(Operation *op) {
  if (std::optional<Access> access = readAccess(op))
    return access->memory;
  if (auto load = dyn_cast<vector::MaskedLoadOp>(op))
    return load.getBase();
  if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
    return store.getBase();
  if (auto gather = dyn_cast<vector::GatherOp>(op))
    return gather.getBase();
  return {};
}

/// What `memory` is a view of.
static Value rootOf(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  return memory;
}

/// Whether no other root overlaps `root`.
static bool isOwnObject(Value root, bool areDistinct) {
  if (root.getDefiningOp<memref::AllocOp>())
    return true;
  auto argument = dyn_cast<BlockArgument>(root);
  return areDistinct && argument &&
         isa<func::FuncOp>(argument.getOwner()->getParentOp());
}

/// What of `accesses`, which are all of one buffer in `loop`, can be carried;
/// nothing if some can't.
static SmallVector<Carried> findCarried(scf::ForOp loop,
                                        ArrayRef<Operation *> accesses) {
  SmallVector<Carried> carried;
  SmallVector<Access> loads, stores;
  for (Operation *op : accesses) {
    std::optional<Access> access = readAccess(op);
    if (!access || op->getBlock() != loop.getBody() ||
        !loop.isDefinedOutsideOfLoop(access->memory) ||
        llvm::any_of(access->indices, [&](Value index) {
          return !loop.isDefinedOutsideOfLoop(index);
        }))
      return {};
    (access->isStore ? stores : loads).push_back(*access);
  }
  if (loads.size() != stores.size())
    return {};
  for (const Access &load : loads) {
    auto *store = llvm::find_if(
        stores, [&](const Access &each) { return each.isOfSamePlace(load); });
    if (store == stores.end() || store->op->isBeforeInBlock(load.op) ||
        llvm::any_of(carried, [&](const Carried &other) {
          return !other.load.isApartFrom(load);
        }))
      return {};
    carried.push_back({load, *store});
  }
  return carried;
}

static void carry(scf::ForOp loop, ArrayRef<Carried> carried) {
  IRRewriter rewriter(loop.getContext());
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> first;
  for (const Carried &each : carried)
    first.push_back(rewriter.clone(*each.load.op)->getResult(0));
  size_t old = loop.getNumResults();
  auto replaced = loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
        SmallVector<Value> last;
        for (auto [each, argument] : llvm::zip(carried, arguments)) {
          rewriter.replaceAllUsesWith(each.load.op->getResult(0), argument);
          last.push_back(each.store.op->getOperand(0));
        }
        return last;
      });
  assert(succeeded(replaced) && "a loop can carry more");
  rewriter.setInsertionPointAfter(*replaced);
  for (auto [k, each] : llvm::enumerate(carried)) {
    Operation *store = rewriter.clone(*each.store.op);
    store->setOperand(0, (*replaced)->getResult(old + k));
    rewriter.eraseOp(each.store.op);
    rewriter.eraseOp(each.load.op);
  }
}

static void carrySums(scf::ForOp loop, bool areDistinct) {
  llvm::MapVector<Value, SmallVector<Operation *>> accesses;
  bool isKnown = true;
  loop.walk([&](Operation *op) {
    if (op == loop || isMemoryEffectFree(op) ||
        op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return;
    if (Value memory = memoryOf(op))
      accesses[rootOf(memory)].push_back(op);
    else
      isKnown = false;
  });
  if (!isKnown)
    return;
  SmallVector<Carried> carried;
  for (auto &[root, ops] : accesses)
    if (isOwnObject(root, areDistinct))
      llvm::append_range(carried, findCarried(loop, ops));
  if (!carried.empty())
    carry(loop, carried);
}

void baco::target::carrySums(func::FuncOp function, bool areDistinct) {
  // Inner loops come first.
  SmallVector<scf::ForOp> loops;
  function.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    ::carrySums(loop, areDistinct);
}
