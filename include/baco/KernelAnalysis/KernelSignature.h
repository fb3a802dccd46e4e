//===- KernelSignature.h - Signatures of kernels ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The worker's description of a kernel's arguments is derived from a function
// and its callers. Kernels that compute bounds on rounding errors, or other
// roundings, tell how results may differ.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_KERNELANALYSIS_KERNELSIGNATURE_H
#define BACO_KERNELANALYSIS_KERNELSIGNATURE_H

#include "baco/Verification/Scalars.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
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
/// overwrites it. `reductionLength` is an upper bound on the terms that one
/// element of an output sums; where a loop has no static trip count, the
/// largest extent of an argument stands for it. `roundedTo`, `hasJumps` and
/// `takesAnyInteger` are read from the ops, those of called functions included;
/// the ranges of integers and the values of scalars from what becomes of them
/// (lib/KernelAnalysis/SignatureParts.h).
llvm::Expected<runtime::Signature> kernelSignature(mlir::func::FuncOp kernel);

/// Whether an op may write the memory of a function's argument, a memref.
bool mayWrite(mlir::BlockArgument memory);

/// Replaces the integers that `function` takes by constants, one for each
/// argument; those for other arguments mean nothing.
void bindScalars(mlir::func::FuncOp function,
                 const runtime::ScalarValues &values);

/// Sets BacoDialect::kAlignment of the arguments of `kernel`, which is
/// `function` or a copy of it in a module without callers. Something is
/// promised if `function` is private and only called, and each caller passes
/// what `memref.alloc`, `memref.alloca`, `memref.global` or
/// `memref.assume_alignment` align.
void promiseAlignments(mlir::func::FuncOp function, mlir::func::FuncOp kernel);

/// Whether ops of `kernel` may amplify or damp roundings, unlike sums and
/// products of positive numbers: differences, quotients, functions.
bool needsPerturbed(mlir::func::FuncOp kernel);

/// Makes what each op on floats in `module` yields one unit in the last place
/// larger or smaller, by a hash of its bits. Zeros, infinities and NaN stay.
/// How far the results then are from those of the kernel as it was is a sample
/// of what another order of operations may do to them: Monte Carlo arithmetic
/// (Parker, "Monte Carlo Arithmetic", UCLA CSD-970002, 1997; Vignes, "A
/// stochastic arithmetic for reliable scientific computation", Math. Comput.
/// Simul. 35 (1993)), but reproducible.
void perturbRoundings(mlir::ModuleOp module);

/// Does `kernel`, on the absolute values of its inputs, compute something else
/// than the sums of the absolute values of its terms, as it subtracts, or
/// divides by what may be such a sum, and can that be mended? Only if all
/// floats come from sums, products, quotients, square roots, absolute values,
/// extrema, selections and conversions, and no other function is called.
/// O(ops).
bool needsErrorBound(mlir::func::FuncOp kernel);

/// Turns a kernel that needs it, on memrefs, into one that leaves in each
/// output the larger one of its size and of what its roundings amount to, in
/// roundings of numbers of size 1.
///
/// Each float becomes a pair (x, e): the value, and a bound such that what
/// comes to x by roundings is, to first order, at most e times the unit
/// roundoff times the number of operations on the way. Inputs and constants are
/// exact: e = 0. With s = max(|x|, e),
///
///   e(a + b) = e(a - b) = s(a) + s(b),
///   e(a b)   = max(|a b|, |a| e(b) + e(a) |b|),
///   e(a / b) = max(|a / b|, (e(a) + |a / b| e(b)) / |b|),
///   e(sqrt a) = max(sqrt a, e(a) / (2 sqrt a)),
///   e(|a|) = e(a),   e(max(a, b)) = e(min(a, b)) = max(e(a), e(b)),
///
/// which are the partial derivatives times the operands' bounds, and at least
/// the operation's own rounding: the running error analysis of Wilkinson
/// (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition,
/// section 3.3), but that a sum counts its terms instead of its partial sums,
/// as those depend on the order. For sums of products of inputs the bound is
/// the sum of absolute values, and for a triangular solve it is the solution by
/// the comparison matrix (ibid., section 8.2). Comparisons are taken to have
/// the results that they have without roundings.
///
/// Fails if it has floats in other places than scalars and memrefs of them, or
/// ops that don't move them as pairs. Loads dialects: not while several threads
/// use the context.
mlir::LogicalResult makeErrorBound(mlir::func::FuncOp kernel);

} // namespace baco::target

#endif // BACO_KERNELANALYSIS_KERNELSIGNATURE_H
