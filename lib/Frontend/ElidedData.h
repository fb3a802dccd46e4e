//===- ElidedData.h - Data for constants without data -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills in what `dense_resource<__elided__>` leaves out.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_ELIDEDDATA_H
#define BACO_LIB_FRONTEND_ELIDEDDATA_H

#include "mlir/IR/BuiltinOps.h"

namespace baco::frontend {

/// Gives each constant whose resource has no data made-up data, which depend
/// only on its type and its place among those constants. Floats are weights of
/// a network whose values stay in range: small ones of both signs in matrices,
/// and positive ones in vectors, be there extents of 1 or not, which may be
/// variances. Integers are ones,
/// which can be indices and divisors.
/// \returns the number of those constants; failure, with a diagnostic, if all
///          data are larger than 1 GiB, or if their element type has no data
mlir::FailureOr<int64_t> fillElidedData(mlir::ModuleOp module);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_ELIDEDDATA_H
