//===- trmm.c - Triangular matrix product in C ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// B := alpha A^T B with a unit lower triangular A.
void kernel(void **arguments) {
  const double alpha = 1.5;
  double(*restrict A)[M] = arguments[0];
  double(*restrict B)[N] = arguments[1];
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      for (int k = i + 1; k < M; ++k)
        B[i][j] += A[k][i] * B[k][j];
      B[i][j] *= alpha;
    }
}
