//===- ForwardStores.cpp - Memory within a block --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over the block with a list of places whose contents are known.
//
//===----------------------------------------------------------------------===//

#include "ForwardStores.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace baco::loopnest;

namespace {
/// The state of the walk through the block.
class Contents {
public:
  Contents(AccessReader &reader) : reader(reader) {}

  void load(const MemoryAccess &access);
  void store(const MemoryAccess &access);
  /// Any other operation, with what is inside.
  void visit(Operation *op);

private:
  struct Entry {
    MemoryAccess access;
    Value value;
    /// Set as long as nothing may have read what it wrote.
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

Value baco::loopnest::asLoaded(OpBuilder &builder, const MemoryAccess &access,
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

void baco::loopnest::forwardInBlock(Block &block) {
  AccessReader reader;
  Contents contents(reader);
  for (Operation &op : llvm::make_early_inc_range(block)) {
    std::optional<MemoryAccess> access = reader.read(&op);
    if (!access)
      contents.visit(&op);
    else if (access->isWrite)
      contents.store(*access);
    else
      contents.load(*access);
  }
}
