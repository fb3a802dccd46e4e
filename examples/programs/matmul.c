// C += A * B in blocks of TI x TJ x TK, whose inner loops UNROLL is for. Prints
// the time of one product on its last line, in seconds.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef TI
#define TI 8
#define TJ 8
#define TK 8
#define UNROLL 1
#endif

enum { N = 384 };

static float a[N][N], b[N][N], c[N][N];

static void multiply(void) {
  for (int ii = 0; ii < N; ii += TI)
    for (int kk = 0; kk < N; kk += TK)
      for (int jj = 0; jj < N; jj += TJ)
        for (int i = ii; i < ii + TI; ++i)
          for (int k = kk; k < kk + TK; ++k) {
#pragma clang loop unroll_count(UNROLL)
            for (int j = jj; j < jj + TJ; ++j)
              c[i][j] += a[i][k] * b[k][j];
          }
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(void) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      a[i][j] = (i + j) % 8;
      b[i][j] = (i - j) % 4;
    }
  multiply();
  // A wrong result is a failure, however fast it is.
  for (int i = 0; i < N; i += 37) {
    float sum = 0;
    for (int k = 0; k < N; ++k)
      sum += a[i][k] * b[k][i];
    if (c[i][i] != sum) {
      printf("WRONG: %g instead of %g\n", c[i][i], sum);
      return 2;
    }
  }
  double best = 1e9;
  for (int run = 0; run < 5; ++run) {
    double begin = now();
    multiply();
    double time = now() - begin;
    best = time < best ? time : best;
  }
  printf("time: %.9f\n", best);
  return 0;
}
