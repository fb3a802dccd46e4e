//===- CallableKernels.h - Kernels that a harness can call ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes the signature of a copy of a kernel, which is measured in place of
// the original.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FRONTEND_CALLABLEKERNELS_H
#define BACO_FRONTEND_CALLABLEKERNELS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

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

} // namespace baco::frontend

#endif // BACO_FRONTEND_CALLABLEKERNELS_H
