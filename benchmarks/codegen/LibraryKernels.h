//===- LibraryKernels.h - Kernels by way of a library -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What someone with a BLAS library at hand would write for a case.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_LIBRARYKERNELS_H
#define BACO_BENCHMARKS_CODEGEN_LIBRARYKERNELS_H

#include "BlasLibrary.h"
#include "Cases.h"

#include <functional>

namespace baco::benchmarks {

/// A kernel on pointers to operands' first elements.
using PointerKernel = std::function<void(void **operands)>;

/// `routine` for the sizes of `target`. The library must outlive it.
PointerKernel makeLibraryKernel(const BlasLibrary &blas,
                                LibraryCall::Routine routine,
                                const Case &target);

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_LIBRARYKERNELS_H
