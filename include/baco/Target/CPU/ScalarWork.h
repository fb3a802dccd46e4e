//===- ScalarWork.h - Scalar work left to LLVM ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells whether a kernel needs LLVM's pipeline. A kernel that MLIR has
// vectorized gains nothing from the pipeline, which takes a third of the time
// of compiling it; a kernel that counts on LLVM's vectorizer is 30 times slower
// without.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_SCALARWORK_H
#define BACO_TARGET_CPU_SCALARWORK_H

#include "llvm/IR/Module.h"

namespace baco::target {

enum class ScalarWork {
  /// All work is on vectors.
  None,
  /// Single elements are moved in loops, as copies and fills do.
  Copies,
  /// Single elements are computed with, or this can't be told.
  Arithmetic
};

/// The hardest work on single elements in `module`, as it comes from the
/// translation:
///
///  - floating-point arithmetic on scalars anywhere, calls of functions that
///    compute with them, calls in loops of functions that `module` defines
///    (inlining could do something about them), and loads in loops whose value
///    is used in any other way than the following, are Arithmetic;
///  - loads in loops whose value is stored again, and stores in loops, are
///    Copies;
///  - a load whose value goes into a vector only (a broadcast) is none, nor is
///    a reduction of a vector.
ScalarWork findScalarWork(const llvm::Module &module);

} // namespace baco::target

#endif // BACO_TARGET_CPU_SCALARWORK_H
