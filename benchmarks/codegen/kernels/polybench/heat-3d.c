//===- heat-3d.c - Heat equation in three dimensions in C -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// STEPS steps from A to B and back.
void kernel(void **arguments) {
  const double weight = 0.125;
  const double two = 2.0;
  double(*restrict A)[N][N] = arguments[0];
  double(*restrict B)[N][N] = arguments[1];
  for (int t = 0; t < STEPS; ++t) {
    for (int i = 1; i < N - 1; ++i)
      for (int j = 1; j < N - 1; ++j)
        for (int k = 1; k < N - 1; ++k)
          B[i][j][k] =
              weight * (A[i + 1][j][k] - two * A[i][j][k] + A[i - 1][j][k]) +
              weight * (A[i][j + 1][k] - two * A[i][j][k] + A[i][j - 1][k]) +
              weight * (A[i][j][k + 1] - two * A[i][j][k] + A[i][j][k - 1]) +
              A[i][j][k];
    for (int i = 1; i < N - 1; ++i)
      for (int j = 1; j < N - 1; ++j)
        for (int k = 1; k < N - 1; ++k)
          A[i][j][k] =
              weight * (B[i + 1][j][k] - two * B[i][j][k] + B[i - 1][j][k]) +
              weight * (B[i][j + 1][k] - two * B[i][j][k] + B[i][j - 1][k]) +
              weight * (B[i][j][k + 1] - two * B[i][j][k] + B[i][j][k - 1]) +
              B[i][j][k];
  }
}
