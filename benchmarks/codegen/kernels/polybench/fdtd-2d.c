//===- fdtd-2d.c - FDTD method in two dimensions in C ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The finite-difference time-domain method: STEPS steps; S is the source.
void kernel(void **arguments) {
  const double half = 0.5;
  const double rate = 0.7;
  double *restrict S = arguments[0];
  double(*restrict X)[NY] = arguments[1];
  double(*restrict Y)[NY] = arguments[2];
  double(*restrict H)[NY] = arguments[3];
  for (int t = 0; t < STEPS; ++t) {
    for (int j = 0; j < NY; ++j)
      Y[0][j] = S[t];
    for (int i = 1; i < NX; ++i)
      for (int j = 0; j < NY; ++j)
        Y[i][j] -= half * (H[i][j] - H[i - 1][j]);
    for (int i = 0; i < NX; ++i)
      for (int j = 1; j < NY; ++j)
        X[i][j] -= half * (H[i][j] - H[i][j - 1]);
    for (int i = 0; i < NX - 1; ++i)
      for (int j = 0; j < NY - 1; ++j)
        H[i][j] -= rate * (X[i][j + 1] - X[i][j] + Y[i + 1][j] - Y[i][j]);
  }
}
