//===- KernelSignature.h - Kernel signatures --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Derives the worker's description of a kernel's arguments from a function.
//===----------------------------------------------------------------------===//

#ifndef BACO_KERNELANALYSIS_KERNELSIGNATURE_H
#define BACO_KERNELANALYSIS_KERNELSIGNATURE_H

#include "baco/Verification/Scalars.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

namespace baco::target {

/// The signature of `kernel`. Arguments are memrefs of static shape and
/// identity layout, or scalars, of f16, bf16, f32, f64, complex<f32>,
/// complex<f64>, i1, i8, i16, i32, i64 or index.
/// Tensors count as the memrefs that bufferization makes of them: those that it
/// returns are further arguments, behind all others. Sparse ones of those types
/// but complex ones may be read (Argument::isSparse); without a `baco.input`
/// they have random entries.
/// Errors, one line each, name the function, the argument and its type.
///
/// `isOutput` is true unless no op can write the memref, `isRead` unless no op
/// can read what it held before: all ops only write to it, or the first one
/// overwrites it. `reductionLength` is
/// an upper bound on the terms that one element of an output sums; where a loop
/// has no static trip count, the largest extent of an argument stands for it.
/// `roundedTo`, `hasJumps` and `takesAnyInteger` are read from the ops, those
/// of called functions included; the ranges of integers and the values of
/// scalars from what becomes of them (lib/KernelAnalysis/KernelScalars.h,
/// IntegerRanges.h).
llvm::Expected<runtime::Signature> kernelSignature(mlir::func::FuncOp kernel);

/// Whether an op may write the memory of a function's argument, a memref.
bool mayWrite(mlir::BlockArgument memory);

/// Replaces the integers that `function` takes by constants, one for each
/// argument; those for other arguments mean nothing.
void bindScalars(mlir::func::FuncOp function,
                 const runtime::ScalarValues &values);

} // namespace baco::target

#endif // BACO_KERNELANALYSIS_KERNELSIGNATURE_H
