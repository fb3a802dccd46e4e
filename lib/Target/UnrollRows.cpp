//===- UnrollRows.cpp - Unroll loops over stored coordinates --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By metadata, so that LLVM unrolls after it has vectorized what is inside.
//
//===----------------------------------------------------------------------===//

#include "SparseLoops.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

/// Whether `loop` is over stored coordinates, and none in it is.
static bool isInnermostOverCoordinates(scf::ForOp loop) {
  if (loop.getStaticTripCount())
    return false;
  return !loop.getBody()
              ->walk([](scf::ForOp inner) {
                return inner.getStaticTripCount() ? WalkResult::advance()
                                                  : WalkResult::interrupt();
              })
              .wasInterrupted();
}

void baco::target::unrollRows(Operation *root, int64_t factor) {
  if (factor < 2)
    return;
  MLIRContext *context = root->getContext();
  auto count = IntegerAttr::get(IntegerType::get(context, 32), factor);
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/BoolAttr::get(context, false), count, {}, {}, {}, {},
      {});
  auto annotation = LLVM::LoopAnnotationAttr::get(
      context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {});
  root->walk([&](scf::ForOp loop) {
    if (isInnermostOverCoordinates(loop))
      loop->setDiscardableAttr("loop_annotation", annotation);
  });
}
