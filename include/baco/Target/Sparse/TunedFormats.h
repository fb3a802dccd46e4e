//===- TunedFormats.h - Formats of sparse tensors ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule may change the formats of the sparse tensors that a function
// takes. Its callers keep theirs. Upstream lowers no cast of a sparse tensor to
// a static shape.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_SPARSE_TUNEDFORMATS_H
#define BACO_TARGET_SPARSE_TUNEDFORMATS_H

#include "baco/Sparse/Storage.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace baco::target {

/// Whether `schedule`, one without choices, makes the function `kernel` of
/// `payload`, which remains as it is, take sparse tensors in other formats.
bool changesFormats(mlir::ModuleOp payload, llvm::StringRef kernel,
                    mlir::ModuleOp schedule);

/// Whether `function` takes or returns a sparse tensor.
bool hasSparseBoundary(mlir::func::FuncOp function);

/// If `tuned` takes sparse tensors in other formats than `original`, a copy of
/// it from before, a function with the name and the type of the original takes
/// its place: it converts the tensors and calls the tuned one; or it calls the
/// original, where a tensor has more entries than the positions of its new
/// format can number. For programs that keep a tensor, NAME_prepare converts
/// what the tuned one, NAME_tuned, takes, and NAME_release frees it; they
/// aren't made of private functions. Fails with a diagnostic if the types
/// differ in anything else.
llvm::LogicalResult
restoreFormats(mlir::func::FuncOp tuned,
               mlir::OwningOpRef<mlir::func::FuncOp> original);

/// Whether something in `root` is a sparse tensor.
bool hasSparseTensors(mlir::Operation *root);

/// The formats of the sparse tensors that `function` takes, in their order. The
/// error, one line, says which argument has one that isn't supported, and why.
llvm::Expected<std::vector<sparse::StorageFormat>>
sparseFormats(mlir::func::FuncOp function);

/// Makes sparse tensors in `module` dense ones, without a change of what its
/// ops compute, for analyses: the tensors may not fit memory. Fails with a
/// diagnostic for ops that are only for sparse ones.
llvm::LogicalResult makeDense(mlir::ModuleOp module);

/// Assembles what casts make of sparse tensors of dynamic shape from the same
/// buffers, or, where upstream's run-time library is used, from copies that are
/// freed at the end of the block. Casts of formats that aren't supported, or
/// whose levels are all dense, stay.
void assembleSparseCasts(mlir::ModuleOp module);

} // namespace baco::target

#endif // BACO_TARGET_SPARSE_TUNEDFORMATS_H
