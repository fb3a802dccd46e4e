//===- Extrema.h - Maxima and minima of floats ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_EXTREMA_H
#define BACO_TARGET_CPU_EXTREMA_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace baco::target {

/// A pass, `baco-extrema`, that reduces a vector of floats by maximum or
/// minimum in halves, where LLVM would use a chain of scalars, and lowers
/// `arith.maxnumf`, `arith.maximumf` and their like to LLVM's intrinsics
/// without regard for the signs of zeros: upstream's expansion takes up to
/// twice the instructions.
std::unique_ptr<mlir::Pass> createExtremaPass();

} // namespace baco::target

#endif // BACO_TARGET_CPU_EXTREMA_H
