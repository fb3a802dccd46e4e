//===- mvt.c - Products with a matrix and its transpose in C --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// x := x + A y, z := z + A^T w.
void kernel(void **arguments) {
  double *restrict x = arguments[0];
  double *restrict z = arguments[1];
  double *restrict y = arguments[2];
  double *restrict w = arguments[3];
  double(*restrict A)[N] = arguments[4];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      x[i] += A[i][j] * y[j];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      z[i] += A[j][i] * w[j];
}
