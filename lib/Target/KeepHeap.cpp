//===- KeepHeap.cpp - Buffers that stay with the process ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// glibc gives the end of the heap back to the system if more is free there than
// twice the largest block that was ever mapped and freed (mallopt(3),
// M_MMAP_THRESHOLD). A kernel whose buffers take more than that together gets
// new pages from the system in each call, and each page costs a fault: three
// layers of 512x1024 with buffers of 9 MB took 23 ms instead of 18 ms.
//
//===----------------------------------------------------------------------===//

#include "KeepHeap.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "baco-keep-heap"

using namespace mlir;

/// What glibc always keeps, and more: what its heap holds beside the buffers.
static constexpr int64_t alwaysKept = 128 << 10, slack = 512 << 10;
/// Larger blocks are always mapped, and unmapped when they are freed.
static constexpr int64_t largestInHeap = 31 << 20;

/// The size of a buffer in bytes; nothing if it isn't known or not a plain one.
static std::optional<int64_t> sizeInBytes(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !type.getElementType().isIntOrIndexOrFloat())
    return std::nullopt;
  int64_t bytes = DataLayout::closest(alloc).getTypeSize(type.getElementType());
  for (int64_t extent : type.getShape())
    if (llvm::MulOverflow(bytes, extent, bytes))
      return std::nullopt;
  return bytes;
}

/// Makes the buffer at least `bytes` bytes large, of which the first ones are
/// used.
static void enlarge(memref::AllocOp alloc, int64_t bytes) {
  OpBuilder builder(alloc);
  MemRefType type = alloc.getType();
  Type element = type.getElementType();
  int64_t each = DataLayout::closest(alloc).getTypeSize(element);
  auto larger = memref::AllocOp::create(
      builder, alloc.getLoc(),
      MemRefType::get(ArrayRef{int64_t(llvm::divideCeil(bytes, each))}, element,
                      MemRefLayoutAttrInterface(), type.getMemorySpace()),
      alloc.getAlignmentAttr());
  auto [strides, offset] = type.getStridesAndOffset();
  Value used = memref::ReinterpretCastOp::create(
      builder, alloc.getLoc(), type, larger, offset, type.getShape(), strides);
  for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
    user->replaceUsesOfWith(alloc, isa<memref::DeallocOp>(user) ? Value(larger)
                                                                : used);
  alloc.erase();
}

namespace {
struct KeepHeap : PassWrapper<KeepHeap, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KeepHeap)

  StringRef getArgument() const final { return "baco-keep-heap"; }
  StringRef getDescription() const final {
    return "let glibc keep the memory of buffers from call to call";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<memref::MemRefDialect>();
  }

protected:
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    memref::AllocOp largest;
    int64_t most = 0, total = 0;
    for (auto alloc : getOperation().front().getOps<memref::AllocOp>()) {
      std::optional<int64_t> bytes = sizeInBytes(alloc);
      bool isFreed =
          llvm::any_of(alloc->getUsers(), llvm::IsaPred<memref::DeallocOp>);
      if (!bytes || !isFreed || llvm::AddOverflow(total, *bytes, total))
        continue;
      if (*bytes > most) {
        most = *bytes;
        largest = alloc;
      }
    }
    int64_t wanted = total - most + slack;
    if (total <= alwaysKept || wanted <= most || wanted > largestInHeap)
      return;
    LDBG() << "buffers of " << total << " bytes: the largest, of " << most
           << ", gets " << wanted;
    enlarge(largest, wanted);
  }
};
} // namespace

std::unique_ptr<Pass> baco::target::createKeepHeapPass() {
  return std::make_unique<KeepHeap>();
}
