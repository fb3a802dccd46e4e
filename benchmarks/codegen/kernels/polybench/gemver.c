//===- gemver.c - Rank-two update and two products in C -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A := A + u1 v1^T + u2 v2^T, x := x + beta A^T y + z, w := w + alpha A x.
void kernel(void **arguments) {
  const double alpha = 1.5;
  const double beta = 1.2;
  double(*restrict A)[N] = arguments[0];
  double *restrict u1 = arguments[1];
  double *restrict v1 = arguments[2];
  double *restrict u2 = arguments[3];
  double *restrict v2 = arguments[4];
  double *restrict w = arguments[5];
  double *restrict x = arguments[6];
  double *restrict y = arguments[7];
  double *restrict z = arguments[8];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      x[i] += beta * A[j][i] * y[j];
  for (int i = 0; i < N; ++i)
    x[i] += z[i];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      w[i] += alpha * A[i][j] * x[j];
}
