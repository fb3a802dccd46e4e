//===- seidel-2d.c - 9-point Gauss-Seidel in 2-D in C ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// STEPS sweeps in place.
void kernel(void **arguments) {
  const double nine = 9.0;
  double(*restrict A)[N] = arguments[0];
  for (int t = 0; t < STEPS; ++t)
    for (int i = 1; i < N - 1; ++i)
      for (int j = 1; j < N - 1; ++j)
        A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] +
                   A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j - 1] +
                   A[i + 1][j] + A[i + 1][j + 1]) /
                  nine;
}
