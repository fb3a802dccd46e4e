//===- ScalarReplacement.cpp - Keeps memory in registers ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks are visited from the inside out, so that an access that leaves one
// loop can leave the next one, too.
//
//===----------------------------------------------------------------------===//

#include "baco/LoopTransforms/LoopTransforms.h"

#include "baco/LoopNest/FunctionMemory.h"
#include "baco/LoopNest/LoopBounds.h"
#include "baco/LoopNest/MemoryAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-scalar-replacement"

using namespace mlir;
using namespace mlir::affine;
using namespace baco::loopnest;

namespace {
/// The state of the walk through the block.
class Contents {
public:
  Contents(AccessReader &reader) : reader(reader) {}

  void load(const MemoryAccess &access);
  void store(const MemoryAccess &access);
  /// Any other operation, with the operations in it.
  void visit(Operation *op);

private:
  struct Entry {
    MemoryAccess access;
    Value value;
    /// Set as long as nothing may have read the value that it wrote.
    Operation *unreadStore;
  };

  void read(const MemoryAccess &access) {
    for (Entry &entry : entries)
      if (reader.overlap(entry.access, access) != Overlap::None)
        entry.unreadStore = nullptr;
  }
  void overwrite(const MemoryAccess &access) {
    llvm::erase_if(entries, [&](const Entry &entry) {
      return reader.overlap(entry.access, access) != Overlap::None;
    });
  }

  AccessReader &reader;
  SmallVector<Entry> entries;
};
} // namespace

/// The result of the load `access` if memory holds `value`, of which only the
/// lanes of the mask are valid.
static Value asLoaded(OpBuilder &builder, const MemoryAccess &access,
                      Value value) {
  if (!access.mask || access.passThrough.getDefiningOp<ub::PoisonOp>())
    return value;
  return arith::SelectOp::create(builder, access.op->getLoc(), access.mask,
                                 value, access.passThrough);
}

void Contents::load(const MemoryAccess &access) {
  for (Entry &entry : entries) {
    if (reader.overlap(entry.access, access) != Overlap::Same)
      continue;
    OpBuilder builder(access.op);
    access.op->getResult(0).replaceAllUsesWith(
        asLoaded(builder, access, entry.value));
    access.op->erase();
    return;
  }
  read(access);
  entries.push_back({access, access.op->getResult(0), nullptr});
}

void Contents::store(const MemoryAccess &access) {
  for (Entry &entry : entries)
    if (entry.unreadStore &&
        reader.overlap(entry.access, access) == Overlap::Same)
      entry.unreadStore->erase();
  overwrite(access);
  entries.push_back({access, access.stored(), access.op});
}

void Contents::visit(Operation *op) {
  if (entries.empty())
    return;
  bool forgetAll = false;
  forEachAccess(
      op, reader,
      [&](const MemoryAccess &access) {
        read(access);
        if (access.isWrite)
          overwrite(access);
      },
      [&](Operation *) { forgetAll = true; });
  if (forgetAll)
    entries.clear();
}

using Neighbors = llvm::iterator_range<Block::iterator>;

/// Replaces loads among neighbors of values that were stored or loaded there
/// before, and erases stores that are overwritten there before anything may
/// read them.
static void forwardAmong(Neighbors ops) {
  AccessReader reader;
  Contents contents(reader);
  for (Operation &op : llvm::make_early_inc_range(ops)) {
    std::optional<MemoryAccess> access = reader.read(&op);
    if (!access)
      contents.visit(&op);
    else if (access->isWrite)
      contents.store(*access);
    else
      contents.load(*access);
  }
}

namespace {
/// The accesses to one place in the body of a loop.
struct Place {
  /// The accesses in the order in which they are executed.
  SmallVector<MemoryAccess> accesses;
  /// One of them whose operands, but for the stored value, are defined outside
  /// of the loop; a store if there is one.
  const MemoryAccess *model = nullptr;

  bool isWritten() const {
    return llvm::any_of(accesses,
                        [](const MemoryAccess &a) { return a.isWrite; });
  }
};
} // namespace

/// Loads the element that `access` reads or writes.
static Value loadLike(OpBuilder &builder, const MemoryAccess &access) {
  Location loc = access.op->getLoc();
  auto vector = dyn_cast<VectorType>(access.type);
  return llvm::TypeSwitch<Operation *, Value>(access.op)
      .Case([&](AffineStoreOp op) -> Value {
        return AffineLoadOp::create(builder, loc, op.getMemref(),
                                    op.getAffineMap(), op.getMapOperands());
      })
      .Case([&](AffineVectorStoreOp op) -> Value {
        return AffineVectorLoadOp::create(builder, loc, vector, op.getMemref(),
                                          op.getAffineMap(),
                                          op.getMapOperands());
      })
      .Case([&](memref::StoreOp op) -> Value {
        return memref::LoadOp::create(builder, loc, op.getMemref(),
                                      op.getIndices());
      })
      .Case([&](vector::StoreOp op) -> Value {
        return vector::LoadOp::create(builder, loc, vector, op.getBase(),
                                      op.getIndices());
      })
      .Case<vector::MaskedStoreOp, vector::MaskedLoadOp>([&](auto op) -> Value {
        return vector::MaskedLoadOp::create(
            builder, loc, vector, op.getBase(), op.getIndices(), op.getMask(),
            ub::PoisonOp::create(builder, loc, vector));
      })
      .Default([&](Operation *op) { return builder.clone(*op)->getResult(0); });
}

static bool isInvariant(AffineForOp loop, const MemoryAccess &access) {
  return access.subscripts &&
         llvm::all_of(access.op->getOpOperands(), [&](OpOperand &operand) {
           return &operand == access.storedOperand ||
                  operand.get() == access.passThrough ||
                  loop.isDefinedOutsideOfLoop(operand.get());
         });
}

/// The places that the loop can keep in registers, in the order of the first
/// access.
static SmallVector<Place> findPlaces(AffineForOp loop, AccessReader &reader) {
  // Most outer loops have none: their bodies needn't be read.
  if (llvm::none_of(*loop.getBody(), [&](Operation &op) {
        std::optional<MemoryAccess> access = reader.read(&op);
        return access && isInvariant(loop, *access);
      }))
    return {};
  SmallVector<MemoryAccess> all;
  bool isKnown = true;
  forEachAccess(
      loop, reader, [&](const MemoryAccess &access) { all.push_back(access); },
      [&](Operation *) { isKnown = false; });
  SmallVector<Place> places;
  if (!isKnown)
    return places;
  for (const MemoryAccess &model : all) {
    if (model.op->getBlock() != loop.getBody() || !isInvariant(loop, model))
      continue;
    bool isPlaced = llvm::any_of(places, [&](const Place &place) {
      return llvm::any_of(place.accesses, [&](const MemoryAccess &access) {
        return access.op == model.op;
      });
    });
    if (isPlaced)
      continue;
    Place place;
    bool isRead = false, isWritten = false;
    for (const MemoryAccess &other : all) {
      Overlap overlap = reader.overlap(model, other);
      if (overlap == Overlap::None)
        continue;
      if (overlap == Overlap::Same && other.op->getBlock() == loop.getBody()) {
        place.accesses.push_back(other);
        continue;
      }
      (other.isWrite ? isWritten : isRead) = true;
    }
    if (isWritten || (isRead && place.isWritten()))
      continue;
    places.push_back(std::move(place));
  }
  for (Place &place : places)
    for (const MemoryAccess &access : place.accesses)
      if (isInvariant(loop, access) &&
          (!place.model || (access.isWrite && !place.model->isWrite)))
        place.model = &access;
  return places;
}

/// Replaces the accesses to `places`, which hold `values` at the start of the
/// body, by values. Returns their values at the end.
static SmallVector<Value> replaceAccesses(ArrayRef<const Place *> places,
                                          ArrayRef<Value> values) {
  SmallVector<std::pair<const MemoryAccess *, size_t>> accesses;
  for (auto [i, place] : llvm::enumerate(places))
    for (const MemoryAccess &access : place->accesses)
      accesses.push_back({&access, i});
  // In order, because the value for one place may be read from another one.
  llvm::sort(accesses, [](const auto &a, const auto &b) {
    return a.first->op->isBeforeInBlock(b.first->op);
  });
  SmallVector<Value> current(values);
  for (auto [access, i] : accesses) {
    OpBuilder builder(access->op);
    if (access->isWrite)
      current[i] = access->stored();
    else
      access->op->getResult(0).replaceAllUsesWith(
          asLoaded(builder, *access, current[i]));
  }
  for (auto [access, i] : accesses)
    access->op->erase();
  return current;
}

/// Carries the values of `places` from one iteration to the next.
static void carry(AffineForOp loop, ArrayRef<const Place *> places) {
  IRRewriter rewriter(loop.getContext());
  SmallVector<Value> inits;
  SmallVector<OpOperand *> stored;
  rewriter.setInsertionPoint(loop);
  for (const Place *place : places) {
    // An element that is overwritten first needn't be loaded.
    const MemoryAccess &first = place->accesses.front();
    inits.push_back(
        first.isWrite && !first.mask
            ? ub::PoisonOp::create(rewriter, loop.getLoc(), first.type)
                  .getResult()
            : loadLike(rewriter, *place->model));
  }
  rewriter.setInsertionPointAfter(loop);
  for (const Place *place : places) {
    // The value to store is known at the end.
    Operation *store = rewriter.clone(*place->model->op);
    stored.push_back(
        &store->getOpOperand(place->model->storedOperand->getOperandNumber()));
  }
  rewriter.setInsertionPoint(loop);
  SmallVector<NamedAttribute> marks =
      llvm::to_vector(loop->getDiscardableAttrs());
  FailureOr<LoopLikeOpInterface> carrying = loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
        return replaceAccesses(places, SmallVector<Value>(arguments));
      });
  assert(succeeded(carrying) && "affine loops can carry values");
  (*carrying)->setDiscardableAttrs(marks);
  auto results = (*carrying)->getResults().take_back(places.size());
  for (auto [operand, result] : llvm::zip_equal(stored, results))
    operand->set(result);
}

/// Takes accesses out of `loop`.
static void promoteInLoop(AffineForOp loop) {
  moveLoopInvariantCode(cast<LoopLikeOpInterface>(loop.getOperation()));
  // No gain, for example, for the remainder of a vectorized loop.
  if (maximalTripCount(loop).value_or(2) < 2)
    return;
  AccessReader reader;
  SmallVector<Place> places = findPlaces(loop, reader);
  if (places.empty())
    return;
  LDBG() << loop.getLoc() << ": " << places.size()
         << " places of memory become scalars";
  guardAgainstNoIteration(loop);
  OpBuilder builder(loop);
  SmallVector<const Place *> written;
  for (const Place &place : places)
    if (place.isWritten())
      written.push_back(&place);
    else
      replaceAccesses(&place, loadLike(builder, *place.model));
  if (!written.empty())
    carry(loop, written);
}

namespace {
/// The walk over operations and what is in them.
class Promoter {
public:
  /// `operations` includes the allocations whose buffers may be erased.
  explicit Promoter(Neighbors operations) {
    for (Operation &root : operations)
      root.walk([&](Operation *op) {
        if (isa<memref::AllocOp, memref::AllocaOp>(op))
          buffers.push_back(op);
      });
  }

  void promoteInRegionsOf(Neighbors operations) {
    SmallVector<Operation *> withRegions;
    for (Operation &op : operations)
      if (op.getNumRegions() > 0)
        withRegions.push_back(&op);
    for (Operation *op : withRegions)
      promoteInRegions(op);
  }

private:
  void promoteInRegions(Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        promoteInRegionsOf({block.begin(), block.end()});
        forwardAmong({block.begin(), block.end()});
      }
    eraseUnreadBuffers();
    if (auto loop = dyn_cast<AffineForOp>(op))
      promoteInLoop(loop);
  }

  void eraseUnreadBuffers();

  /// Allocations.
  SmallVector<Operation *> buffers;
};
} // namespace

/// Whether an allocation is only written or freed.
static bool isUnread(Operation *buffer) {
  AccessReader reader;
  return llvm::all_of(buffer->getUsers(), [&](Operation *user) {
    std::optional<MemoryAccess> access = reader.read(user);
    return isa<memref::DeallocOp>(user) ||
           (access && access->isWrite &&
            access->stored() != buffer->getResult(0));
  });
}

/// Before a loop would carry them.
void Promoter::eraseUnreadBuffers() {
  llvm::erase_if(buffers, [&](Operation *buffer) {
    if (!isUnread(buffer))
      return false;
    eraseWithUsers(buffer);
    return true;
  });
}

void baco::loopnest::eraseUnreadBuffers(RewriterBase &rewriter,
                                        SmallVectorImpl<Operation *> &ops) {
  AccessReader reader;
  SetVector<Operation *> buffers;
  for (Operation *op : ops)
    op->walk([&](Operation *inner) {
      std::optional<MemoryAccess> access = reader.read(inner);
      Operation *buffer =
          access && access->isWrite ? access->memref.getDefiningOp() : nullptr;
      if (isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(buffer))
        buffers.insert(buffer);
    });
  for (Operation *buffer : buffers)
    if (isUnread(buffer))
      eraseWithUsers(buffer, [&](Operation *op) {
        llvm::erase(ops, op);
        rewriter.eraseOp(op);
      });
}

void baco::loopnest::replaceWithScalars(Operation *begin, Operation *end) {
  // The range is found anew each time, since loops in it are replaced.
  auto between = [&] {
    return llvm::make_range(std::next(begin->getIterator()),
                            end->getIterator());
  };
  IRRewriter rewriter(begin->getContext());
  for (Operation &op : between()) {
    DominanceInfo dominance(&op);
    eliminateCommonSubExpressions(rewriter, dominance, &op);
  }
  Promoter(between()).promoteInRegionsOf(between());
  forwardAmong(between());
}
