//===- jacobi-2d.c - 5-point Jacobi in two dimensions in C ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// STEPS sweeps from A to B and back.
void kernel(void **arguments) {
  const double fifth = 0.2;
  double(*restrict A)[N] = arguments[0];
  double(*restrict B)[N] = arguments[1];
  for (int t = 0; t < STEPS; ++t) {
    for (int i = 1; i < N - 1; ++i)
      for (int j = 1; j < N - 1; ++j)
        B[i][j] = fifth * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] +
                           A[i - 1][j]);
    for (int i = 1; i < N - 1; ++i)
      for (int j = 1; j < N - 1; ++j)
        A[i][j] = fifth * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] +
                           B[i - 1][j]);
  }
}
