//===- mlp.c - Three dense layers with bias and relu in C -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

static void layer(float (*restrict X)[N], float (*restrict W)[N],
                  float *restrict B, float (*restrict Y)[N]) {
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j)
      Y[i][j] = 0;
    for (int k = 0; k < N; ++k)
      for (int j = 0; j < N; ++j)
        Y[i][j] += X[i][k] * W[k][j];
    for (int j = 0; j < N; ++j) {
      float sum = Y[i][j] + B[j];
      Y[i][j] = sum > 0 ? sum : 0;
    }
  }
}

void kernel(void **arguments) {
  static float H[2][M][N];
  layer(arguments[0], arguments[1], arguments[2], H[0]);
  layer(H[0], arguments[3], arguments[4], H[1]);
  layer(H[1], arguments[5], arguments[6], arguments[7]);
}
