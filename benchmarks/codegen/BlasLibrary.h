//===- BlasLibrary.h - Libraries that we compare with -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenBLAS, BLIS, ATLAS and oneDNN, loaded at run time. Some export the same
// symbols: each is loaded from its own file, and sees its own symbols first.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_BLASLIBRARY_H
#define BACO_BENCHMARKS_CODEGEN_BLASLIBRARY_H

#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace baco::benchmarks {

/// Products and solutions by a library. It stays loaded until the program ends.
class BlasLibrary {
public:
  /// OneDnn has products of f32 only.
  enum Kind { OpenBlas, Blis, Atlas, OneDnn };

  /// Loads the library from `path` (empty: where Debian's package has it), with
  /// the best kernels that this CPU can run, whatever the environment asks for,
  /// on one thread. Errors name the package.
  static llvm::Expected<BlasLibrary> load(Kind kind,
                                          const std::string &path = "");

  /// The kernels that it picked, e.g. `SkylakeX`; empty if it doesn't tell.
  std::string coreName() const { return core; }

  /// Only OpenBLAS; the others stay with one.
  void setThreads(int count) const;

  /// c += a * b, row-major: a is m x k, b is k x n, c is m x n.
  void multiply(int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                float *c) const;
  void multiply(int64_t m, int64_t n, int64_t k, const double *a,
                const double *b, double *c) const;

  /// b := l^-1 b, row-major, for the lower triangle l, m x m; b is m x n.
  void solve(int64_t m, int64_t n, const float *l, float *b) const;
  void solve(int64_t m, int64_t n, const double *l, double *b) const;

private:
  template <typename T>
  using Gemm = void (*)(int order, int transA, int transB, int m, int n, int k,
                        T alpha, const T *a, int lda, const T *b, int ldb,
                        T beta, T *c, int ldc);
  template <typename T>
  using Trsm = void (*)(int order, int side, int uplo, int trans, int diagonal,
                        int m, int n, T alpha, const T *a, int lda, T *b,
                        int ldb);

  llvm::Error findSymbols(Kind kind, void *library, const std::string &file);

  std::string core;
  Gemm<float> sgemm = nullptr;
  Gemm<double> dgemm = nullptr;
  Trsm<float> strsm = nullptr;
  Trsm<double> dtrsm = nullptr;
  /// Of matrices by rows.
  int (*oneDnnSgemm)(char transA, char transB, int64_t m, int64_t n, int64_t k,
                     float alpha, const float *a, int64_t lda, const float *b,
                     int64_t ldb, float beta, float *c, int64_t ldc) = nullptr;
  void (*setNumThreads)(int) = nullptr;
};

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_BLASLIBRARY_H
