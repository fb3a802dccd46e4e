//===- EmulateKernels.h - Kernels for GPUs on the CPU -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether kernels that `baco-lower-to-nvvm` has lowered with `format=llvm` are
// right. The pass `baco-emulate-kernels` does the same.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_KERNELEMULATION_EMULATEKERNELS_H
#define BACO_KERNELEMULATION_EMULATEKERNELS_H

#include "baco/Protocol/Candidate.h"
#include "baco/Support/Outcome.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace baco::target {

struct EmulationOptions {
  /// Seed of the inputs and of the drawn orders.
  uint64_t seed = 1;
  /// The number of drawn orders of blocks and threads, in addition to forward
  /// and reverse.
  unsigned orders = 1;
  /// The signature of the function in `plain`, with the contents of its
  /// sources; null: it is derived from that function.
  const runtime::Signature *signature = nullptr;
};

/// The result of an emulation.
struct EmulationResult {
  /// Ok; DeviceFault if the emulator has stopped a kernel, WrongResult if the
  /// results aren't the expected ones, CompileFailed for all else.
  Status status = Status::Ok;
  /// One line, unless it is ok.
  std::string message;
};

/// Runs `function`, whose module `baco-lower-to-nvvm` has lowered with
/// format=llvm, in several orders, on generated inputs. The results must be
/// those of the function of the same name and type in `plain`, lowered as plain
/// code; if `plain` is null, those of the first order. The modules aren't
/// changed. Some failures to compile are diagnostics.
EmulationResult emulateFunction(mlir::func::FuncOp function,
                                mlir::ModuleOp plain,
                                const EmulationOptions &options);

/// How often `function`, which isn't lowered, computes the innermost body of
/// its linalg ops. The error, of one line, says why that isn't known.
llvm::Expected<double> countIterations(mlir::func::FuncOp function);

/// With more of them, emulating all orders takes longer than some seconds.
inline constexpr double maxEmulatedIterations = 1 << 25;

/// Registers the dialects and translations that `emulateKernels` uses.
void registerEmulationDialects(mlir::DialectRegistry &registry);

/// emulateFunction for each function of `module` that launches kernels. A
/// remark for each right one; fails with a diagnostic at the first that is
/// wrong.
llvm::LogicalResult emulateKernels(mlir::ModuleOp module, mlir::ModuleOp plain,
                                   const EmulationOptions &options = {});

} // namespace baco::target

#endif // BACO_KERNELEMULATION_EMULATEKERNELS_H
