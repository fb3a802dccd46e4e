//===- batch-matmul.c - Batched matrix multiplication in C ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// C[b] += A[b] * B[b] for COUNT matrices of N x N.

#define NEST(NAME, LOOP1, LOOP2, LOOP3)                                        \
  void NAME(void **arguments) {                                                \
    T(*restrict A)[N][N] = arguments[0];                                       \
    T(*restrict B)[N][N] = arguments[1];                                       \
    T(*restrict C)[N][N] = arguments[2];                                       \
    for (int b = 0; b < COUNT; ++b)                                            \
      LOOP1 LOOP2 LOOP3 C[b][i][j] += A[b][i][k] * B[b][k][j];                 \
  }
#define OVER(X) for (int X = 0; X < N; ++X)

NEST(kernel_ijk, OVER(i), OVER(j), OVER(k))
NEST(kernel_ikj, OVER(i), OVER(k), OVER(j))
NEST(kernel_kij, OVER(k), OVER(i), OVER(j))
