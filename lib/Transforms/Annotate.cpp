//===- Annotate.cpp - Write recipes on ops --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Transforms/Passes.h"

#include "baco/Driver/PlanProcess.h"
#include "baco/Frontend/SetInputs.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/GpuTarget.h"
#include "baco/LoopNest/GeneratedDialects.h"
#include "baco/Schedule/Annotate.h"
#include "baco/Schedule/Bufferize.h"
#include "baco/Schedule/HostInfo.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-annotate"

namespace baco {
#define GEN_PASS_DEF_ANNOTATEPASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

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
    if (target != "cpu" && target != "nvvm") {
      getOperation().emitError()
          << "target: '" << target << "' must be 'cpu' or 'nvvm'";
      return signalPassFailure();
    }
    if (target == "nvvm") {
      const baco::NvidiaGpu *gpu = baco::findTargetChip(getOperation());
      baco::schedule::annotateForGpu(
          getOperation(), gpu ? *gpu : *baco::findNvidiaGpu("sm_90"));
      return;
    }
    auto info = baco::schedule::HostInfo::parse(host);
    if (!info) {
      getOperation().emitError() << "host: " << toString(info.takeError());
      return signalPassFailure();
    }
    if (llvm::Error error = info->useThreads(threads)) {
      getOperation().emitError() << "threads: " << toString(std::move(error));
      return signalPassFailure();
    }
    baco::driver::PlanLimits limits;
    limits.timeoutMs = plan_timeout;
    limits.worker = worker;
    limits.groups = groups;
    if (auto valid = limits.validate(); !valid) {
      getOperation().emitError() << valid.error().message;
      return signalPassFailure();
    }
    // Legality depends on the entries of sparse tensors.
    if (failed(baco::frontend::setInputs(getOperation(), /*inputs=*/"")))
      return signalPassFailure();
    auto planner = baco::driver::makePlanner(getOperation(), *info, limits);
    int64_t count = baco::schedule::annotate(getOperation(), *planner);
    LDBG() << "made " << count << " recipes";
  }
};
} // namespace
