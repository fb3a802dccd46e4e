//===- softmax.c - Softmax of each row in C -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <math.h>

void kernel(void **arguments) {
  float(*restrict A)[N] = arguments[0];
  float(*restrict B)[N] = arguments[1];
  for (int i = 0; i < M; ++i) {
    float largest = A[i][0];
    for (int j = 1; j < N; ++j)
      largest = A[i][j] > largest ? A[i][j] : largest;
    float sum = 0;
    for (int j = 0; j < N; ++j) {
      B[i][j] = expf(A[i][j] - largest);
      sum += B[i][j];
    }
    for (int j = 0; j < N; ++j)
      B[i][j] /= sum;
  }
}
