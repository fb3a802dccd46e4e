//===- matmul.c - Matrix multiplication in C ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The six orders of the loops of C += A * B, row-major: A is M x K, B K x N.
// T is the element type.

#define NEST(NAME, LOOP1, LOOP2, LOOP3)                                        \
  void NAME(void **arguments) {                                                \
    T(*restrict A)[K] = arguments[0];                                          \
    T(*restrict B)[N] = arguments[1];                                          \
    T(*restrict C)[N] = arguments[2];                                          \
    LOOP1 LOOP2 LOOP3 C[i][j] += A[i][k] * B[k][j];                            \
  }
#define OVER_I for (int i = 0; i < M; ++i)
#define OVER_J for (int j = 0; j < N; ++j)
#define OVER_K for (int k = 0; k < K; ++k)

NEST(kernel_ijk, OVER_I, OVER_J, OVER_K)
NEST(kernel_ikj, OVER_I, OVER_K, OVER_J)
NEST(kernel_jik, OVER_J, OVER_I, OVER_K)
NEST(kernel_jki, OVER_J, OVER_K, OVER_I)
NEST(kernel_kij, OVER_K, OVER_I, OVER_J)
NEST(kernel_kji, OVER_K, OVER_J, OVER_I)
