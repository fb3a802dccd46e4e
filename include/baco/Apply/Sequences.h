//===- Sequences.h - Several schedules in one library -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves schedules between modules: into a library with others, and out of it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_APPLY_SEQUENCES_H
#define BACO_APPLY_SEQUENCES_H

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace baco::apply {

/// An empty transform library.
mlir::OwningOpRef<mlir::ModuleOp> emptyLibrary(mlir::MLIRContext *context);

/// Adds a sequence that changes nothing to the end of `library`.
mlir::transform::NamedSequenceOp addNothing(llvm::StringRef name,
                                            mlir::ModuleOp library);

/// Moves the sequences of `schedule` to the end of `library`, under names that
/// start with `prefix`, which no other name in `library` may do. Returns the
/// one that the schedule starts with, which is called `prefix`.
mlir::transform::NamedSequenceOp addToLibrary(mlir::ModuleOp schedule,
                                              llvm::StringRef prefix,
                                              mlir::ModuleOp library);

/// The sequence `name` of `library` and what it includes, for the function `to`
/// instead of `from`.
mlir::OwningOpRef<mlir::ModuleOp> copyFor(mlir::ModuleOp library,
                                          llvm::StringRef name,
                                          llvm::StringRef from,
                                          llvm::StringRef to);

} // namespace baco::apply

#endif // BACO_APPLY_SEQUENCES_H
