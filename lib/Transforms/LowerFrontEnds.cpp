//===- LowerFrontEnds.cpp - From front ends' forms to linalg --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Transforms/Passes.h"

#include "baco/Driver/TuningTarget.h"
#include "baco/Frontend/LowerFrontEnds.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-lower-front-ends"

namespace baco {
#define GEN_PASS_DEF_LOWERFRONTENDSPASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

using namespace mlir;
using baco::driver::TuningTarget;

namespace {
struct LowerFrontEndsPass
    : public baco::impl::LowerFrontEndsPassBase<LowerFrontEndsPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    baco::frontend::registerFrontEndDialects(registry);
  }

protected:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto target = TuningTarget::parse(TuningTarget::complete("", module));
    if (!target) {
      emitError(module->getLoc()) << target.error().message;
      return signalPassFailure();
    }
    baco::frontend::PrepareOptions options;
    (*target)->choosePreparation(options);
    FailureOr<bool> changed =
        baco::frontend::lowerFrontEnds(module, options.hasMemorySpaces);
    if (failed(changed))
      return signalPassFailure();
    LDBG() << "the module " << (*changed ? "has changed" : "stays as it is");
  }
};
} // namespace
