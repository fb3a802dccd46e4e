//===- bicg.c - Products of a biconjugate gradient in C -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// s := A^T r, q := A p.
void kernel(void **arguments) {
  double(*restrict A)[M] = arguments[0];
  double *restrict s = arguments[1];
  double *restrict q = arguments[2];
  double *restrict p = arguments[3];
  double *restrict r = arguments[4];
  for (int i = 0; i < M; ++i)
    s[i] = 0.0;
  for (int i = 0; i < N; ++i) {
    q[i] = 0.0;
    for (int j = 0; j < M; ++j) {
      s[j] += r[i] * A[i][j];
      q[i] += A[i][j] * p[j];
    }
  }
}
