//===- LowerFrontEnds.h - Rewrites before tuning ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops of front ends (TOSA, elementwise ops on tensors, constants without
// data) become linalg on tensors. The copy of a kernel that is measured gets a
// signature of plain buffers.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FRONTEND_LOWERFRONTENDS_H
#define BACO_FRONTEND_LOWERFRONTENDS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/SetVector.h"

#include <string>

namespace baco::frontend {

/// Turns `kernel`, which no symbol of its module may refer to (else nothing is
/// done), into a function that can be called with plain buffers:
///
/// * A memref with strides or an offset becomes a whole buffer, of which the
///   function makes the view. What its type leaves open becomes dense.
/// * Results that are scalars or static memrefs are stored in further
///   arguments.
/// * Large constants of floats become arguments: else each candidate would
///   write them to its object file.
///
/// All else stays, for the harness to refuse. `likeConstants`: these arguments
/// get a `baco.input` with the mean and the deviation of the constant, so that
/// values stay in range through many layers; constants without stay.
void makeCallable(mlir::func::FuncOp kernel, bool likeConstants = false);

/// Rewrites `module` in place, which includes the initial values of its
/// globals, and emits one remark for each kind of change. A function that can't
/// be rewritten stays as it is, with a remark. Fails with a diagnostic if
/// constants without data are too large to be made up.
/// \param hasMemorySpaces whether the target has several memories; else types
///        lose their numbered memory spaces, as accelerators have
/// \returns whether `module` was changed
mlir::FailureOr<bool> lowerFrontEnds(mlir::ModuleOp module,
                                     bool hasMemorySpaces);

/// Adds the dialects that lowerFrontEnds makes ops of.
void registerFrontEndDialects(mlir::DialectRegistry &registry);

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

#endif // BACO_FRONTEND_LOWERFRONTENDS_H
