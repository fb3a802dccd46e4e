//===- jacobi.c - 7-point Jacobi in three dimensions in C -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One sweep from A to B, or STEPS of them to and fro; and what moves as much
// memory and computes next to nothing.

#define SWEEP(FROM, TO)                                                        \
  for (int i = 1; i < N - 1; ++i)                                              \
    for (int j = 1; j < N - 1; ++j)                                            \
      for (int k = 1; k < N - 1; ++k)                                          \
        TO[i][j][k] = (T)(1.0 / 7) *                                           \
                      (FROM[i][j][k] + FROM[i - 1][j][k] + FROM[i + 1][j][k] + \
                       FROM[i][j - 1][k] + FROM[i][j + 1][k] +                 \
                       FROM[i][j][k - 1] + FROM[i][j][k + 1]);

void kernel(void **arguments) {
  T(*restrict A)[N][N] = arguments[0];
  T(*restrict B)[N][N] = arguments[1];
  SWEEP(A, B)
}

#ifdef STEPS
void kernel_steps(void **arguments) {
  T(*restrict A)[N][N] = arguments[0];
  T(*restrict B)[N][N] = arguments[1];
  for (int t = 0; t < STEPS / 2; ++t) {
    SWEEP(A, B)
    SWEEP(B, A)
  }
}
#endif

// The roofline: one pass over both arrays.
void scale(void **arguments) {
  T *restrict A = arguments[0];
  T *restrict B = arguments[1];
  for (long i = 0; i < (long)N * N * N; ++i)
    B[i] = (T)0.5 * A[i];
}

#ifdef __clang__
// The same without reading into the cache what is overwritten.
void scale_streaming(void **arguments) {
  T *restrict A = arguments[0];
  T *restrict B = arguments[1];
  for (long i = 0; i < (long)N * N * N; ++i)
    __builtin_nontemporal_store((T)0.5 * A[i], &B[i]);
}
#endif
