//===- 3mm.c - Three matrix products in C ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// G := (A B) (C D).
void kernel(void **arguments) {
  double(*restrict A)[NK] = arguments[0];
  double(*restrict B)[NJ] = arguments[1];
  double(*restrict C)[NM] = arguments[2];
  double(*restrict D)[NL] = arguments[3];
  double(*restrict E)[NJ] = arguments[4];
  double(*restrict P)[NL] = arguments[5];
  double(*restrict G)[NL] = arguments[6];
  for (int i = 0; i < NI; ++i)
    for (int j = 0; j < NJ; ++j) {
      E[i][j] = 0.0;
      for (int k = 0; k < NK; ++k)
        E[i][j] += A[i][k] * B[k][j];
    }
  for (int i = 0; i < NJ; ++i)
    for (int j = 0; j < NL; ++j) {
      P[i][j] = 0.0;
      for (int k = 0; k < NM; ++k)
        P[i][j] += C[i][k] * D[k][j];
    }
  for (int i = 0; i < NI; ++i)
    for (int j = 0; j < NL; ++j) {
      G[i][j] = 0.0;
      for (int k = 0; k < NJ; ++k)
        G[i][j] += E[i][k] * P[k][j];
    }
}
