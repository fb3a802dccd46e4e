//===- Bufferize.h - Tensors become memrefs, by passes ---------*- C++ -*--===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Does to a module without a schedule what the step `bufferize` does
// (IR/Bufferization.h), for automatic annotation and the harness, which work on
// memrefs.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SCHEDULE_BUFFERIZE_H
#define BACO_SCHEDULE_BUFFERIZE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace baco::schedule {

/// Whether something in `root` is on tensors.
bool hasTensors(mlir::Operation *root);

/// Adds passes to those of a module that put tensors into memory: arguments of
/// functions become memrefs of identity layout, results further arguments.
void buildBufferizePipeline(mlir::OpPassManager &manager);

/// The last of these: results become arguments, and what is allocated is freed.
void buildPassesBehindBufferization(mlir::OpPassManager &manager);

/// Registers the dialects that they make ops of.
void registerBufferizeDialects(mlir::DialectRegistry &registry);

/// Runs them on `module`; fails with a diagnostic if there is something that
/// can't be put into memory.
mlir::LogicalResult bufferize(mlir::ModuleOp module);

} // namespace baco::schedule

#endif // BACO_SCHEDULE_BUFFERIZE_H
