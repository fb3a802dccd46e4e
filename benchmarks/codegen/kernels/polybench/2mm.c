//===- 2mm.c - Two matrix products in C -----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// D := beta D + alpha A B C.
void kernel(void **arguments) {
  const double alpha = 1.5;
  const double beta = 1.2;
  double(*restrict A)[NK] = arguments[0];
  double(*restrict B)[NJ] = arguments[1];
  double(*restrict C)[NL] = arguments[2];
  double(*restrict D)[NL] = arguments[3];
  double(*restrict P)[NJ] = arguments[4];
  for (int i = 0; i < NI; ++i)
    for (int j = 0; j < NJ; ++j) {
      P[i][j] = 0.0;
      for (int k = 0; k < NK; ++k)
        P[i][j] += alpha * A[i][k] * B[k][j];
    }
  for (int i = 0; i < NI; ++i)
    for (int j = 0; j < NL; ++j) {
      D[i][j] *= beta;
      for (int k = 0; k < NJ; ++k)
        D[i][j] += P[i][k] * C[k][j];
    }
}
