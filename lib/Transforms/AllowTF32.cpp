//===- AllowTF32.cpp - Less precise products ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/BacoDialect.h"
#include "baco/IR/MatrixProduct.h"
#include "baco/Transforms/Passes.h"

namespace baco {
#define GEN_PASS_DEF_ALLOWTF32PASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

namespace {
struct AllowTF32Pass : public baco::impl::AllowTF32PassBase<AllowTF32Pass> {
  using Base::Base;

protected:
  void runOnOperation() override { baco::allowTF32(getOperation()); }
};
} // namespace
