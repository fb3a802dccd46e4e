//===- Extrema.h - Maxima and minima of floats ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_EXTREMA_H
#define BACO_LIB_TARGET_EXTREMA_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace baco::target {

/// A pass, `baco-extrema`, that finds the maximum or minimum of the lanes of a
/// vector of floats in halves, of which LLVM makes a chain of scalars, and
/// lets `arith.maxnumf` and `arith.minnumf` be LLVM's intrinsics, for which
/// upstream's expansion takes twice the instructions.
std::unique_ptr<mlir::Pass> createExtremaPass();

} // namespace baco::target

#endif // BACO_LIB_TARGET_EXTREMA_H
