//===- atax.c - Matrix, transposed matrix and vector in C -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// y := A^T (A x).
void kernel(void **arguments) {
  double(*restrict A)[N] = arguments[0];
  double *restrict x = arguments[1];
  double *restrict y = arguments[2];
  double *restrict p = arguments[3];
  for (int i = 0; i < N; ++i)
    y[i] = 0.0;
  for (int i = 0; i < M; ++i) {
    p[i] = 0.0;
    for (int j = 0; j < N; ++j)
      p[i] += A[i][j] * x[j];
    for (int j = 0; j < N; ++j)
      y[j] += A[i][j] * p[i];
  }
}
