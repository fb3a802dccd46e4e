//===- trsm.c - Triangular solve in C -------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// B := L^-1 B with the lower triangular M x M matrix L, and B of M x N.

// Each element of the result by a scalar product.
void kernel_ijk(void **arguments) {
  T(*restrict L)[M] = arguments[0];
  T(*restrict B)[N] = arguments[1];
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      for (int k = 0; k < i; ++k)
        B[i][j] -= L[i][k] * B[k][j];
      B[i][j] /= L[i][i];
    }
}

// Column by column.
void kernel_jik(void **arguments) {
  T(*restrict L)[M] = arguments[0];
  T(*restrict B)[N] = arguments[1];
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < M; ++i) {
      for (int k = 0; k < i; ++k)
        B[i][j] -= L[i][k] * B[k][j];
      B[i][j] /= L[i][i];
    }
}

// Row by row, from the rows before it.
void kernel_ikj(void **arguments) {
  T(*restrict L)[M] = arguments[0];
  T(*restrict B)[N] = arguments[1];
  for (int i = 0; i < M; ++i) {
    for (int k = 0; k < i; ++k)
      for (int j = 0; j < N; ++j)
        B[i][j] -= L[i][k] * B[k][j];
    for (int j = 0; j < N; ++j)
      B[i][j] /= L[i][i];
  }
}

// Each row is taken from all that follow as soon as it is known.
void kernel_kij(void **arguments) {
  T(*restrict L)[M] = arguments[0];
  T(*restrict B)[N] = arguments[1];
  for (int k = 0; k < M; ++k) {
    for (int j = 0; j < N; ++j)
      B[k][j] /= L[k][k];
    for (int i = k + 1; i < M; ++i)
      for (int j = 0; j < N; ++j)
        B[i][j] -= L[i][k] * B[k][j];
  }
}

// The same with the two inner loops exchanged.
void kernel_kji(void **arguments) {
  T(*restrict L)[M] = arguments[0];
  T(*restrict B)[N] = arguments[1];
  for (int k = 0; k < M; ++k)
    for (int j = 0; j < N; ++j) {
      B[k][j] /= L[k][k];
      for (int i = k + 1; i < M; ++i)
        B[i][j] -= L[i][k] * B[k][j];
    }
}

// Column by column, each element taken from all that follow.
void kernel_jki(void **arguments) {
  T(*restrict L)[M] = arguments[0];
  T(*restrict B)[N] = arguments[1];
  for (int j = 0; j < N; ++j)
    for (int k = 0; k < M; ++k) {
      B[k][j] /= L[k][k];
      for (int i = k + 1; i < M; ++i)
        B[i][j] -= L[i][k] * B[k][j];
    }
}
