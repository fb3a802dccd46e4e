//===- EmulatorHost.h - Functions that launch kernels in the emulator -*- C++
//-*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host's side: a function of which each launch goes to the emulator.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_EMULATORHOST_H
#define BACO_TARGET_EMULATORHOST_H

#include "EmulatorCode.h"
#include "baco/Runtime/Candidate.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace baco::target {

/// A copy of `module` without what schedules it.
mlir::OwningOpRef<mlir::ModuleOp> cloneWithoutSchedules(mlir::ModuleOp module);

/// A function with kernels of which `baco-lower-to-nvvm` has kept the LLVM IR.
/// Not thread safe.
class EmulatedFunction {
public:
  /// Compiles `function`, which isn't changed. Failures are diagnostics.
  static mlir::FailureOr<std::unique_ptr<EmulatedFunction>>
  create(mlir::func::FuncOp function);

  /// Calls it, see runtime::CompiledKernel::entry, which must run no kernel at
  /// the same time. An error is the first that a launch had; later ones are
  /// left out then.
  llvm::Error run(void **arguments, const runtime::EmulatedOrder &order);

private:
  /// What a launch passes, known from its types.
  struct Operand {
    /// For messages.
    std::string name;
    /// Of the whole buffer; 0 for a scalar.
    size_t bytes;
  };
  struct Launch {
    EmulatorCode *code;
    std::string kernel;
    std::vector<Operand> operands;
  };

  mlir::LogicalResult addCode(mlir::gpu::BinaryOp binary);
  mlir::LogicalResult replaceLaunch(mlir::gpu::LaunchFuncOp launch,
                                    mlir::func::FuncOp function);
  /// What compiled code calls: grid, block and dynamic shared memory, then for
  /// each operand its address and that of its buffer, or its bits and 0.
  static void launch(EmulatedFunction *self, int64_t number,
                     const int64_t *words);

  llvm::StringMap<std::unique_ptr<EmulatorCode>> code;
  std::vector<Launch> launches;
  runtime::CompiledKernel host;
  runtime::EmulatedOrder order;
  std::string firstFailure;
};

} // namespace baco::target

#endif // BACO_TARGET_EMULATORHOST_H
