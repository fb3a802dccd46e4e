//===- syr2k.c - Symmetric rank-2k update in C ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// C := beta C + alpha (A B^T + B A^T), lower triangle.
void kernel(void **arguments) {
  const double alpha = 1.5;
  const double beta = 1.2;
  double(*restrict A)[M] = arguments[0];
  double(*restrict B)[M] = arguments[1];
  double(*restrict C)[N] = arguments[2];
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < i + 1; ++j)
      C[i][j] *= beta;
    for (int k = 0; k < M; ++k)
      for (int j = 0; j < i + 1; ++j)
        C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
  }
}
