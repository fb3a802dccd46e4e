//===- LoweredGpuKernels.h - Kernels for a GPU by recipes -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_DRIVER_LOWEREDGPUKERNELS_H
#define BACO_UNITTESTS_DRIVER_LOWEREDGPUKERNELS_H

#include "StaticCost.h"
#include "baco/CandidateCompiler/Dialects.h"
#include "baco/Driver/Kernel.h"
#include "baco/IR/DiagnosticRecorder.h"
#include "baco/IR/GpuTarget.h"
#include "baco/KernelEmulation/EmulateKernels.h"
#include "baco/Schedule/ExpandRecipes.h"
#include "baco/Schedule/ExtractSpace.h"
#include "baco/Target/Sparse/TunedModule.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace baco::driver::test {

/// The kernels of a text, whose ops have recipes, for an sm_90.
class LoweredGpuKernels {
public:
  explicit LoweredGpuKernels(llvm::StringRef text) {
    mlir::DialectRegistry registry;
    target::registerDialects(registry);
    target::registerEmulationDialects(registry);
    context.appendDialectRegistry(registry);
    DiagnosticRecorder recorder(&context);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    KernelOptions options;
    options.target = *TuningTarget::parse("nvvm:sm_90");
    auto found = module ? takeKernels(*module, options)
                        : mlir::FailureOr<FoundKernels>();
    if (mlir::succeeded(found))
      kernels = std::move(found->kernels);
    EXPECT_FALSE(kernels.empty()) << recorder.message("no kernel");
  }

  /// The function `name` with a configuration, with LLVM IR of its kernels;
  /// null after a failure.
  mlir::OwningOpRef<mlir::ModuleOp>
  lower(llvm::StringRef name, const schedule::Assignment &assignment = {}) {
    DiagnosticRecorder recorder(&context);
    for (const Kernel &kernel : kernels) {
      if (kernel.name != name)
        continue;
      mlir::OwningOpRef<mlir::ModuleOp> payload = kernel.payload.get().clone();
      mlir::OwningOpRef<mlir::ModuleOp> schedule =
          kernel.schedule.get().clone();
      if (failed(schedule::concretize(*schedule, schedule::defaultSequence,
                                      assignment)) ||
          failed(target::applySchedule(
              *payload, *schedule, schedule::defaultSequence, kernel.name))) {
        ADD_FAILURE() << recorder.message("the schedule doesn't apply");
        return nullptr;
      }
      if (llvm::Error error = target::lowerKernels(
              *payload, findGpuTarget(kernel.payload.get()), kernel.name)) {
        ADD_FAILURE() << llvm::toString(std::move(error));
        return nullptr;
      }
      return payload;
    }
    ADD_FAILURE() << "there is no kernel '" << name.str() << "'";
    return nullptr;
  }

private:
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::vector<Kernel> kernels;
};

} // namespace baco::driver::test

#endif // BACO_UNITTESTS_DRIVER_LOWEREDGPUKERNELS_H
