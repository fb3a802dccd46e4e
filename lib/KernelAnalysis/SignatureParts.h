//===- SignatureParts.h - The parts of a kernel's signature -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function reads from the ops of a kernel one part of what the worker is
// told. How far roundings can move a result grows with the number of terms in
// it. Counted too low, right candidates are rejected; counted too high by some
// factor, a comparison is a little less strict. So unknown lengths get the
// largest plausible count.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_KERNELANALYSIS_SIGNATUREPARTS_H
#define BACO_LIB_KERNELANALYSIS_SIGNATUREPARTS_H

#include "baco/Protocol/Candidate.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::target {

/// Sets `productBytes` and `productOutput` of the signature of `kernel`, whose
/// arguments are read already: those of the largest product of two different
/// arguments in f32 or f64 that the kernel only reads, into a third one that
/// nothing behind uses. Products are linalg ops that are contractions in each
/// of their iterators, and loops (LoopProducts.h); they may be in branches and
/// loops that depend on no elements.
void readContractions(mlir::func::FuncOp kernel, runtime::Signature &signature);

/// Sets `isDifferenced` of memrefs of which `kernel` subtracts elements from
/// each other, as in x[i + 1] - x[i], to divide by the result, or to apply a
/// function that has a pole at 0 or is defined for positive numbers only. Does
/// not look into functions that `kernel` calls. O(ops) for each of these.
void readDividedDifferences(mlir::func::FuncOp kernel,
                            runtime::Signature &signature);

/// Whether `op` divides integers, by its second operand.
bool isIntegerDivision(mlir::Operation *op);

/// Sets `range` of integer arguments of which a divisor is made (these are
/// positive, which excludes INT_MIN / -1, too) or the amount of a shift (these
/// are less than the width), directly or through memory and arithmetic; or
/// which are an index into an array of static shape themselves (these are
/// uniform in its extent). A difference of such numbers may still be 0. Does
/// not look into functions that `kernel` calls. O(ops) for each divisor, shift
/// and extent.
void readIntegerRanges(mlir::func::FuncOp kernel,
                       runtime::Signature &signature);

/// The runtime's name of a type of numbers; nullopt if it has none.
std::optional<runtime::ElementType> elementTypeOf(mlir::Type type);

/// Whether a float that `op` yields may have been rounded by it.
bool roundsFloats(mlir::Operation *op);

/// Sets `roundedTo`, `hasJumps`, `areJumpsExact`, `isPiecewise`, `constants`,
/// `takesAnyInteger`, `takesNaN`, `takesInfinity`, `mayOverflow` and
/// `variables` of the signature, which has its `reductionLength`, by the ops of
/// `kernel` and of what it calls. O(ops) for each jump.
void readArithmetic(mlir::func::FuncOp kernel, runtime::Signature &signature);

/// Sets `isStructural` and `values` of integer scalars, and `hasSafeScalars`.
/// The structural ones get the largest values at which all accesses are known
/// to be in bounds, and all loops to end: by ranges of integers, which know
/// nothing of how two values relate. `hasSafeScalars` is false if no values, or
/// tiny ones only, are known to be so: there may be larger ones.
///
/// Copies and simplifies the kernel, and analyzes it some fifty times for each
/// structural scalar; nothing of that if there are none.
void readScalars(mlir::func::FuncOp kernel, runtime::Signature &signature);

/// A bound on the number of terms in one element that `kernel` computes; >= 1.
///
/// Terms are summed by ops with reductions, by values that loops carry, and by
/// stores in loops that their addresses don't depend on; also in functions that
/// are called. Where one result is computed from another, their roundings add
/// up, and so do the numbers of terms. A loop without a static trip count runs
/// as often as the largest extent of an argument says. O(ops), but for the
/// addresses of stores in loops.
int64_t reductionLength(mlir::func::FuncOp kernel);

} // namespace baco::target

#endif // BACO_LIB_KERNELANALYSIS_SIGNATUREPARTS_H
