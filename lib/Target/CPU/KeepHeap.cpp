//===- KeepHeap.cpp - Buffers that stay with the process ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// glibc maps blocks from a threshold on, and gives the end of the heap back to
// the system if more is free there than twice this threshold, which is the
// largest block that was ever mapped and freed (mallopt(3), M_MMAP_THRESHOLD).
// A kernel whose buffers take more than that together gets new pages from the
// system in each call, and each page costs a fault: a layer of BERT with 30 MB
// of buffers took 43 ms instead of 33 ms. So it shows glibc a block of half of
// its buffers' size first.
//
//===----------------------------------------------------------------------===//

#include "baco/Target/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "baco-keep-heap"

namespace baco::target {
#define GEN_PASS_DEF_KEEPHEAPPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;

/// The bytes that glibc always keeps, and those that its heap holds beside the
/// buffers.
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

/// Allocates and frees a block of `bytes` bytes at the beginning of `function`.
/// LLVM leaves it in, because it is written to.
static void showBlock(func::FuncOp function, int64_t bytes) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  Location loc = function.getLoc();
  Value block = memref::AllocOp::create(
      builder, loc, MemRefType::get(bytes, builder.getI8Type()));
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, block);
  Value number =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  Value pointer = LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), number);
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, /*width=*/8);
  LLVM::StoreOp::create(builder, loc, zero, pointer, /*alignment=*/1,
                        /*isVolatile=*/true);
  memref::DeallocOp::create(builder, loc, block);
}

namespace {
struct KeepHeap : baco::target::impl::KeepHeapPassBase<KeepHeap> {
protected:
  void runOnOperation() override {
    int64_t most = 0, total = 0;
    getOperation().walk([&](memref::AllocOp alloc) {
      std::optional<int64_t> bytes = sizeInBytes(alloc);
      int64_t sum = 0;
      if (!bytes || llvm::AddOverflow(total, *bytes, sum))
        return;
      total = sum;
      most = std::max(most, *bytes);
    });
    int64_t shown = total / 2 + slack;
    if (total <= alwaysKept || shown <= most || shown > largestInHeap)
      return;
    LDBG() << "buffers of " << total << " bytes, the largest of " << most
           << ": shows glibc a block of " << shown;
    showBlock(getOperation(), shown);
  }
};
} // namespace
