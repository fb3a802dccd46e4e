//===- jacobi-1d.c - 3-point Jacobi in one dimension in C -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// STEPS sweeps from A to B and back.
void kernel(void **arguments) {
  const double third = 0.33333;
  double *restrict A = arguments[0];
  double *restrict B = arguments[1];
  for (int t = 0; t < STEPS; ++t) {
    for (int i = 1; i < N - 1; ++i)
      B[i] = third * (A[i - 1] + A[i] + A[i + 1]);
    for (int i = 1; i < N - 1; ++i)
      A[i] = third * (B[i - 1] + B[i] + B[i + 1]);
  }
}
