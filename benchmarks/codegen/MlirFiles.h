//===- MlirFiles.h - Modules in files ---------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tools read and write, in this process.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_MLIRFILES_H
#define BACO_BENCHMARKS_CODEGEN_MLIRFILES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace baco::benchmarks {

/// The dialects of payloads and schedules; also registers the passes that
/// schedules name.
mlir::DialectRegistry makeRegistry();

/// The error is the first one of the parser.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
readModule(mlir::MLIRContext &context, llvm::StringRef file);

llvm::Error writeModule(mlir::ModuleOp module, llvm::StringRef file);

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_MLIRFILES_H
