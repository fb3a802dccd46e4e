//===- OpenBlas.h - The library that we compare with ---------- -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenBLAS, loaded at run time with one thread.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_OPENBLAS_H
#define BACO_BENCHMARKS_OPENBLAS_H

#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace baco::benchmarks {

class OpenBlas {
public:
  /// Loads the library, with the best kernels that the CPU can run, whatever
  /// OPENBLAS_CORETYPE and OPENBLAS_L2_SIZE say.
  static llvm::Expected<OpenBlas> load(const std::string &path);

  /// The kernels that it picked, e.g. "SkylakeX".
  std::string coreName() const { return core; }

  /// c += a * b, row-major: a is m x k, b is k x n, c is m x n.
  void multiply(int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                float *c) const;
  void multiply(int64_t m, int64_t n, int64_t k, const double *a,
                const double *b, double *c) const;

private:
  template <typename T>
  using Gemm = void (*)(int order, int transA, int transB, int m, int n, int k,
                        T alpha, const T *a, int lda, const T *b, int ldb,
                        T beta, T *c, int ldc);

  std::string core;
  Gemm<float> sgemm = nullptr;
  Gemm<double> dgemm = nullptr;
};

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_OPENBLAS_H
