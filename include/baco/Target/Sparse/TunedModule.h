//===- TunedModule.h - A payload with its schedule applied ---- -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is searched and what is shipped go through the same function.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_SPARSE_TUNEDMODULE_H
#define BACO_TARGET_SPARSE_TUNEDMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace baco::target {

/// Removes every discardable `baco.` attribute in `root` but the target options
/// of functions and those of the sparsifier.
void removeOwnAttributes(mlir::Operation *root);

/// Applies the named sequence `sequence` of a schedule without choices to
/// `payload`, in place, and removes every `baco.` attribute but the target
/// options of functions and those of the sparsifier, and but `baco.tf32`, which
/// other schedules may read:
/// after removeOwnAttributes it parses and compiles with stock tools. The
/// function `kernel`, if there is one, gets the sequence's target options on
/// top of its own; `isForFunction`: the sequence is applied to that function
/// instead of the module. Fails with a diagnostic if there is no such sequence,
/// it doesn't apply, or it leaves an invalid module; the payload is then good
/// for nothing.
llvm::LogicalResult applySchedule(mlir::ModuleOp payload,
                                  mlir::ModuleOp schedule,
                                  llvm::StringRef sequence = "__transform_main",
                                  llvm::StringRef kernel = "",
                                  bool isForFunction = false);

} // namespace baco::target

#endif // BACO_TARGET_SPARSE_TUNEDMODULE_H
