//===- Fingerprint.cpp - Mark functions by what they do -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Transforms/Passes.h"

#include "baco/Analysis/Fingerprint.h"
#include "baco/IR/BacoDialect.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-fingerprint"

namespace baco {
#define GEN_PASS_DEF_FINGERPRINTPASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

using namespace mlir;

namespace {
struct FingerprintPass
    : public baco::impl::FingerprintPassBase<FingerprintPass> {
  using Base::Base;

protected:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto function : module.getOps<FunctionOpInterface>()) {
      if (function.isExternal())
        continue;
      std::string print = baco::fingerprint(module, function.getName());
      LDBG() << "'" << function.getName() << "': " << print;
      function->setAttr(baco::BacoDialect::kFingerprint,
                        StringAttr::get(&getContext(), print));
    }
  }
};
} // namespace
