//===- Temporaries.cpp - Allocations that can move ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Temporaries.h"

#include "baco/LoopNest/FunctionMemory.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace baco::target;
using memref::AllocOp;

std::optional<int64_t> baco::target::sizeInBytes(AllocOp alloc) {
  MemRefType type = alloc.getType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      type.getMemorySpace() || !type.getElementType().isIntOrIndexOrFloat() ||
      alloc.getAlignment().value_or(1) > baco::loopnest::bufferAlignment)
    return std::nullopt;
  int64_t bytes = DataLayout::closest(alloc).getTypeSize(type.getElementType());
  for (int64_t extent : type.getShape())
    if (llvm::MulOverflow(bytes, extent, bytes) || bytes > maxTemporaryBytes)
      return std::nullopt;
  return bytes;
}

memref::DeallocOp baco::target::deallocationOf(AllocOp alloc) {
  for (Operation *user : alloc->getUsers())
    if (user->getBlock() == alloc->getBlock())
      if (auto dealloc = dyn_cast<memref::DeallocOp>(user))
        return dealloc;
  return {};
}
