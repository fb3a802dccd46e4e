//===- attention.c - Attention of several heads in C ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// O[h] = softmax(Q[h] K[h]^T / 8) V[h] for H heads: with all scores of a head in
// memory, row by row, by blocks of rows, and by blocks of rows and keys with a
// running maximum (Dao et al., "FlashAttention", 2022).

#include <float.h>
#include <math.h>

typedef float Head[N][D];
#define OVER(X, END) for (int X = 0; X < END; ++X)

static void softmax(float *restrict row, float *restrict sum) {
  float largest = row[0];
  for (int j = 1; j < N; ++j)
    largest = row[j] > largest ? row[j] : largest;
  float total = 0;
  OVER(j, N) {
    row[j] = expf((row[j] - largest) * 0.125f);
    total += row[j];
  }
  *sum = total;
}

static void transpose(Head K, float (*restrict Kt)[N]) {
  OVER(j, N)
    OVER(k, D)
      Kt[k][j] = K[j][k];
}

void kernel_whole(void **arguments) {
  static float S[N][N], Kt[D][N], sum[N];
  Head *Q = arguments[0], *K = arguments[1], *V = arguments[2];
  Head *restrict O = arguments[3];
  OVER(h, H) {
    transpose(K[h], Kt);
    OVER(i, N) {
      OVER(j, N) S[i][j] = 0;
      OVER(k, D) OVER(j, N) S[i][j] += Q[h][i][k] * Kt[k][j];
    }
    OVER(i, N) softmax(S[i], &sum[i]);
    OVER(i, N) {
      OVER(k, D) O[h][i][k] = 0;
      OVER(j, N) OVER(k, D) O[h][i][k] += S[i][j] * V[h][j][k];
      OVER(k, D) O[h][i][k] /= sum[i];
    }
  }
}

void kernel_rows(void **arguments) {
  float S[N], Kt[D][N], sum;
  Head *Q = arguments[0], *K = arguments[1], *V = arguments[2];
  Head *restrict O = arguments[3];
  OVER(h, H) {
    transpose(K[h], Kt);
    OVER(i, N) {
      float o[D] = {0};
      OVER(j, N) S[j] = 0;
      OVER(k, D) OVER(j, N) S[j] += Q[h][i][k] * Kt[k][j];
      softmax(S, &sum);
      OVER(j, N) OVER(k, D) o[k] += S[j] * V[h][j][k];
      OVER(k, D) O[h][i][k] = o[k] / sum;
    }
  }
}

// Four rows use each vector of K and V.
#define ROWS 4

void kernel_blocks(void **arguments) {
  float S[ROWS][N], Kt[D][N], sum[ROWS];
  Head *Q = arguments[0], *K = arguments[1], *V = arguments[2];
  Head *restrict O = arguments[3];
  OVER(h, H) {
    transpose(K[h], Kt);
    for (int i = 0; i < N; i += ROWS) {
      float o[ROWS][D] = {0};
      OVER(r, ROWS) OVER(j, N) S[r][j] = 0;
      OVER(k, D) OVER(j, N) OVER(r, ROWS)
        S[r][j] += Q[h][i + r][k] * Kt[k][j];
      OVER(r, ROWS) softmax(S[r], &sum[r]);
      OVER(j, N) OVER(r, ROWS) OVER(k, D) o[r][k] += S[r][j] * V[h][j][k];
      OVER(r, ROWS) OVER(k, D) O[h][i + r][k] = o[r][k] / sum[r];
    }
  }
}

// Keys of a block, whose scores are on the stack.
#define KEYS (N < 64 ? N : 64)

void kernel_flash(void **arguments) {
  float Kt[D][N];
  Head *Q = arguments[0], *K = arguments[1], *V = arguments[2];
  Head *restrict O = arguments[3];
  OVER(h, H) {
    transpose(K[h], Kt);
    for (int i = 0; i < N; i += ROWS) {
      float o[ROWS][D] = {0}, sum[ROWS] = {0}, largest[ROWS];
      OVER(r, ROWS) largest[r] = -FLT_MAX;
      for (int j0 = 0; j0 < N; j0 += KEYS) {
        int end = N - j0 < KEYS ? N - j0 : KEYS;
        float S[ROWS][KEYS] = {0};
        OVER(k, D) OVER(r, ROWS) OVER(j, end)
          S[r][j] += Q[h][i + r][k] * Kt[k][j0 + j];
        OVER(r, ROWS) {
          float before = largest[r];
          OVER(j, end) largest[r] = S[r][j] > largest[r] ? S[r][j] : largest[r];
          float scale = expf((before - largest[r]) * 0.125f), total = 0;
          OVER(j, end) {
            S[r][j] = expf((S[r][j] - largest[r]) * 0.125f);
            total += S[r][j];
          }
          sum[r] = sum[r] * scale + total;
          OVER(k, D) o[r][k] *= scale;
        }
        OVER(j, end) OVER(r, ROWS) OVER(k, D)
          o[r][k] += S[r][j] * V[h][j0 + j][k];
      }
      OVER(r, ROWS) OVER(k, D) O[h][i + r][k] = o[r][k] / sum[r];
    }
  }
}
