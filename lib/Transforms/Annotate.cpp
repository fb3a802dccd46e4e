//===- Annotate.cpp - Write recipes on ops --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Transforms/Passes.h"

#include "baco/Driver/OptionTable.h"
#include "baco/Frontend/SetInputs.h"
#include "baco/IR/BacoDialect.h"
#include "baco/LoopNest/GeneratedDialects.h"
#include "baco/Schedule/Bufferize.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-annotate"

namespace baco {
#define GEN_PASS_DEF_ANNOTATEPASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

using namespace baco::driver;

namespace {
struct AnnotatePass : public baco::impl::AnnotatePassBase<AnnotatePass> {
  using Base::Base;

  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    baco::loopnest::registerGeneratedDialects(registry);
    baco::schedule::registerBufferizeDialects(registry);
  }

protected:
  void runOnOperation() override {
    mlir::ModuleOp module = getOperation();
    OptionValues values;
    values.host = host;
    values.threads = threads;
    values.tuning.target = TuningTarget::complete(target, module);
    values.tuning.planTimeoutMs = plan_timeout;
    values.tuning.worker = worker;
    values.tuning.groups = groups;
    llvm::Expected<KernelOptions> options = values.kernelOptions();
    if (!options) {
      emitError(module->getLoc()) << toString(options.takeError());
      return signalPassFailure();
    }
    if (auto valid = options->plans.validate(); !valid) {
      emitError(module->getLoc()) << valid.error().message;
      return signalPassFailure();
    }
    // Legality depends on the entries of sparse tensors.
    if (failed(baco::frontend::setInputs(module, /*inputs=*/"")))
      return signalPassFailure();
    int64_t count = options->target->annotate(module, *options);
    LDBG() << "made " << count << " recipes";
  }
};
} // namespace
