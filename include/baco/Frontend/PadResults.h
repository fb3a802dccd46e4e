//===- PadResults.h - Results with borders ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions in a row: each one but the last writes its result where the next
// one reads it, inside of a border.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FRONTEND_PADRESULTS_H
#define BACO_FRONTEND_PADRESULTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"

#include <string>

namespace baco::frontend {

/// Replaces each `tensor.pad` of a structured op's result, in the block of that
/// op, by fills of the border and a `tensor.insert_slice` right behind the op.
/// Other users of the result read a `tensor.extract_slice` of the padded
/// tensor. Bufferization then lets the op write into the padded tensor, where
/// upstream's lowering of `tensor.pad` fills it as a whole and copies the
/// result.
///
/// Shapes are static, extents of borders at least 0, the padding value is a
/// constant, and all other users are structured ops that only read the result,
/// or paddings. Functions with recipes or `baco.no_tune` stay as they are.
/// \param entry only this function is rewritten; empty: all of them
/// \returns the number of paddings that were replaced
int64_t padResults(mlir::ModuleOp module, llvm::StringRef entry = "");

/// The ops that fill the border into which `insert` inserts a result, as
/// padResults creates them, from the first on. Empty if `insert` inserts into
/// anything else.
llvm::SetVector<mlir::Operation *>
findBorder(mlir::tensor::InsertSliceOp insert);

} // namespace baco::frontend

#endif // BACO_FRONTEND_PADRESULTS_H
