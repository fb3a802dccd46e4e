//===- SetInputs.h - Values of arguments ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FRONTEND_SETINPUTS_H
#define BACO_FRONTEND_SETINPUTS_H

#include "baco/Frontend/RequestedShapes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace baco::frontend {

/// Sets `baco.input` of the arguments that `inputs` names:
/// FUNCTION:N=VALUE,N=LEAST..GREATEST;... (docs/Intake.md), and
/// `baco.constant` of those that it says are constant. Reads the headers
/// of all files that arguments have their contents of, those relative to the
/// module's file included, and adds hashes of these contents. Fails with a
/// diagnostic if any of that isn't possible.
llvm::LogicalResult setInputs(mlir::ModuleOp module, llvm::StringRef inputs);

/// Adds to `shapes` the extents of files for functions that it doesn't name, if
/// all extents follow from them. After setInputs. Fails with a diagnostic if
/// they contradict each other.
llvm::LogicalResult addFileShapes(mlir::ModuleOp module,
                                  RequestedShapes &shapes);

/// Sets `baco.input` of sparse tensors of static shape that have none, in
/// functions to tune, to made-up entries, with a remark. Fails with a
/// diagnostic if there is no such tensor.
llvm::LogicalResult setDefaultTensors(mlir::ModuleOp module);

/// Sets `baco.input` of integers that functions to tune are called with, if all
/// calls in `module` pass constants, as far as upstream's inliner and folders
/// show them: the largest one. Arguments that have a `baco.input` keep it.
void setCallerValues(mlir::ModuleOp module);

/// Removes each `baco.input`.
void removeInputs(mlir::ModuleOp module);
void removeInputs(mlir::func::FuncOp function);

} // namespace baco::frontend

#endif // BACO_FRONTEND_SETINPUTS_H
