//===- LowerForms.h - Rewrites of what front ends write ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function rewrites one form. Upstream's bufferization knows scf's loops
// and conditions, not affine's, and crashes where two results are one
// allocation; schedules find functions of the outermost module only, and mlir-
// translate translates no others.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_LOWERFORMS_H
#define BACO_LIB_FRONTEND_LOWERFORMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace baco::frontend {

/// Makes copies of tensors that `function` returns more than once: upstream's
/// --buffer-results-to-out-params crashes where two results are one allocation.
/// Returns the number of copies.
int64_t separateResults(mlir::func::FuncOp function);

/// Gives each constant whose resource has no data made-up data, which depend
/// only on its type and its place among those constants. Floats are weights of
/// a network whose values stay in range: small ones of both signs in matrices,
/// and positive ones in vectors, be there extents of 1 or not, which may be
/// variances. Integers are ones,
/// which can be indices and divisors.
/// \returns the number of those constants; failure, with a diagnostic, if all
///          data are larger than 1 GiB, or if their element type has no data
mlir::FailureOr<int64_t> fillElidedData(mlir::ModuleOp module);

/// Puts what is in modules inside `module` in their place, under other names
/// where theirs are taken, with remarks. One stays if it has attributes, as
/// schedules do, if something refers to it, or if it declares what has another
/// meaning outside. Returns how many were lifted.
int64_t liftNestedModules(mlir::ModuleOp module);

/// Replaces the globals of ml_program that are used: by constants if they never
/// change, and by memref.globals otherwise. Those without initial value, or
/// with uses that aren't loads and stores, stay. Returns their number.
int64_t lowerGlobals(mlir::ModuleOp module);

/// Makes the affine loops and conditions of `function` that yield tensors, and
/// what is affine in them, ops of scf, memref and arith. Returns the number of
/// these loops and conditions; 0 if one can't be lowered, and then the function
/// stays as it is.
int64_t lowerTensorLoops(mlir::func::FuncOp function);

/// Fills with zeros the memory that ops of `function` read before anything has
/// written it, such as an allocation that a product accumulates into: results
/// that depend on earlier contents can't be compared. Returns the number of
/// fills.
int64_t fillUndefined(mlir::func::FuncOp function);

/// Makes poison zero, and tensors of it empty ones, because each use of poison
/// may see another value. Returns the number of ops.
int64_t replacePoison(mlir::func::FuncOp function);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_LOWERFORMS_H
