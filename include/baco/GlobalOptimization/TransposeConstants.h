//===- TransposeConstants.h - Weights in the order of use -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transposes constants while compiling instead of in every execution.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_GLOBALOPTIMIZATION_TRANSPOSECONSTANTS_H
#define BACO_GLOBALOPTIMIZATION_TRANSPOSECONSTANTS_H

#include "mlir/IR/BuiltinOps.h"

namespace baco::globalopt {

/// Replaces transpositions of constant tensors by constants. Gives sums that
/// read a constant (`arith.constant`, or `memref.get_global` of a constant
/// global) several times a transposed one, if the loop that walks along the
/// memory of the result then walks along that of the constant: the weights of a
/// dense layer or a convolution. Ops with recipes stay as they are, and so do
/// constants of more than 256 MB.
///
/// Emits one remark for the module.
/// \returns the number of ops that were changed
int64_t transposeConstants(mlir::ModuleOp module);

} // namespace baco::globalopt

#endif // BACO_GLOBALOPTIMIZATION_TRANSPOSECONSTANTS_H
