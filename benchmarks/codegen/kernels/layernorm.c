//===- layernorm.c - Layer normalization of each row in C -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <math.h>

// B = (A - mean) / sqrt(variance + 1e-5) * scale + shift.
void kernel(void **arguments) {
  float(*restrict A)[N] = arguments[0];
  float *restrict scale = arguments[1];
  float *restrict shift = arguments[2];
  float(*restrict B)[N] = arguments[3];
  for (int i = 0; i < M; ++i) {
    float sum = 0;
    for (int j = 0; j < N; ++j)
      sum += A[i][j];
    float mean = sum * (1.0f / N);
    float squares = 0;
    for (int j = 0; j < N; ++j)
      squares += (A[i][j] - mean) * (A[i][j] - mean);
    float factor = 1 / sqrtf(squares * (1.0f / N) + 1e-5f);
    for (int j = 0; j < N; ++j)
      B[i][j] = (A[i][j] - mean) * factor * scale[j] + shift[j];
  }
}
