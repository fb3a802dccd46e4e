//===- AllowTF32.cpp - Less precise products ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/MatrixProduct.h"
#include "baco/IR/BacoDialect.h"
#include "baco/Transforms/Passes.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-allow-tf32"

namespace baco {
#define GEN_PASS_DEF_ALLOWTF32PASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

namespace {
struct AllowTF32Pass : public baco::impl::AllowTF32PassBase<AllowTF32Pass> {
  using Base::Base;

protected:
  void runOnOperation() override {
    int64_t count = baco::allowTF32(getOperation());
    LDBG() << count << " products may round their operands";
  }
};
} // namespace
