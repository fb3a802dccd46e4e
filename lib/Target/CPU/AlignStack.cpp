//===- AlignStack.cpp - Aligned places for vectors that are spilled -------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/Passes.h"

#include "baco/IR/Walk.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-align-stack"

namespace baco::target {
#define GEN_PASS_DEF_ALIGNSTACKPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;

/// Whether `type` is a vector that needs more than the alignment of x86's
/// stack.
static bool isWideVector(Type type) {
  constexpr unsigned stackAlignment = 16;
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getElementType().isIntOrFloat() &&
         vector.getNumElements() * vector.getElementTypeBitWidth() >
             8 * stackAlignment;
}

namespace {
struct AlignStackPass
    : public baco::target::impl::AlignStackPassBase<AlignStackPass> {
protected:
  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      bool hasWideVectors = baco::contains(function, [](Operation *op) {
        return llvm::any_of(op->getResultTypes(), isWideVector);
      });
      if (!hasWideVectors)
        continue;
      LDBG() << function.getName() << " aligns its stack";
      SmallVector<Attribute> attributes;
      if (ArrayAttr others = function.getPassthroughAttr())
        attributes.append(others.begin(), others.end());
      attributes.push_back(StringAttr::get(&getContext(), "stackrealign"));
      function.setPassthroughAttr(ArrayAttr::get(&getContext(), attributes));
    }
  }
};
} // namespace
