//===- ContractionWork.h - Lower bound on contraction work ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lower bound on the arithmetic of a candidate that computes its results.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_KERNELANALYSIS_CONTRACTIONWORK_H
#define BACO_LIB_KERNELANALYSIS_CONTRACTIONWORK_H

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

} // namespace baco::target

#endif // BACO_LIB_KERNELANALYSIS_CONTRACTIONWORK_H
