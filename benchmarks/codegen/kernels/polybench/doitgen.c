//===- doitgen.c - Multiresolution analysis kernel in C -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A[r][q] := A[r][q] W.
void kernel(void **arguments) {
  double(*restrict A)[NQ][NP] = arguments[0];
  double(*restrict W)[NP] = arguments[1];
  double *restrict s = arguments[2];
  for (int r = 0; r < NR; ++r)
    for (int q = 0; q < NQ; ++q) {
      for (int p = 0; p < NP; ++p) {
        s[p] = 0.0;
        for (int k = 0; k < NP; ++k)
          s[p] += A[r][q][k] * W[k][p];
      }
      for (int p = 0; p < NP; ++p)
        A[r][q][p] = s[p];
    }
}
