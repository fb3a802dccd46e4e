//===- gemm.c - Matrix product in C ---------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// C := beta C + alpha A B.
void kernel(void **arguments) {
  const double alpha = 1.5;
  const double beta = 1.2;
  double(*restrict A)[NK] = arguments[0];
  double(*restrict B)[NJ] = arguments[1];
  double(*restrict C)[NJ] = arguments[2];
  for (int i = 0; i < NI; ++i) {
    for (int j = 0; j < NJ; ++j)
      C[i][j] *= beta;
    for (int k = 0; k < NK; ++k)
      for (int j = 0; j < NJ; ++j)
        C[i][j] += alpha * A[i][k] * B[k][j];
  }
}
