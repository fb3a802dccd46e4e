//===- Perturb.h - A kernel with other roundings ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How well-conditioned a kernel is on given inputs, found by a run.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_KERNELANALYSIS_PERTURB_H
#define BACO_KERNELANALYSIS_PERTURB_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace baco::target {

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

} // namespace baco::target

#endif // BACO_KERNELANALYSIS_PERTURB_H
