//===- Apply.cpp - Apply tuned libraries ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Transforms/Passes.h"

#include "KernelDialects.h"
#include "baco/Driver/OptionTable.h"
#include "baco/Driver/TunedLibrary.h"
#include "baco/IR/BacoDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-apply"

namespace baco {
#define GEN_PASS_DEF_APPLYPASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

using namespace mlir;
using namespace baco::driver;

namespace {
struct ApplyPass : public baco::impl::ApplyPassBase<ApplyPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    baco::registerKernelDialects(registry);
  }

protected:
  void runOnOperation() override {
    llvm::Expected<baco::apply::ApplyOptions> options = readOptions();
    if (!options) {
      emitError(getOperation()->getLoc()) << toString(options.takeError());
      return signalPassFailure();
    }
    FailureOr<baco::apply::Applied> applied =
        baco::apply::applyLibraries(getOperation(), *options);
    if (failed(applied))
      return signalPassFailure();
    LDBG() << "applied " << applied->scheduled << " schedules";
  }

  llvm::Expected<baco::apply::ApplyOptions> readOptions() const {
    OptionValues values;
    values.host = host;
    values.threads = threads;
    values.tuning.target = target;
    values.kernels.entry = entry;
    values.kernels.shapes = shape;
    values.layout = layout;
    values.winograd = winograd;
    values.sharedLibs = shared_libs;
    values.interface = interface;
    llvm::Expected<KernelOptions> kernels = values.kernelOptions();
    if (!kernels)
      return kernels.takeError();
    baco::Result<baco::apply::ApplyMode> parsed =
        baco::apply::parseApplyMode(mode);
    if (!parsed)
      return llvm::createStringError(parsed.error().message);
    if (*parsed == baco::apply::ApplyMode::Tune)
      return llvm::createStringError(
          "mode=tune is for baco-tune-driver, which adds to the library: "
          "--apply --apply-mode=tune");
    llvm::Expected<baco::apply::ApplyOptions> options =
        applyOptions(*kernels, library, database, *parsed, targetCpu);
    if (options)
      options->explains = explains;
    return options;
  }
};
} // namespace
