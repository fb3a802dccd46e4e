//===- ForwardStores.h - Memory within a block ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPNEST_FORWARDSTORES_H
#define BACO_LIB_LOOPNEST_FORWARDSTORES_H

#include "MemoryAccess.h"

namespace baco::loopnest {

/// Replaces loads in `block` of what was stored or loaded there before, and
/// erases stores that are overwritten there before anything may read them.
void forwardInBlock(mlir::Block &block);

/// The result of the load `access` if memory holds `value`, of which only the
/// lanes of the mask are valid.
mlir::Value asLoaded(mlir::OpBuilder &builder, const MemoryAccess &access,
                     mlir::Value value);

} // namespace baco::loopnest

#endif // BACO_LIB_LOOPNEST_FORWARDSTORES_H
