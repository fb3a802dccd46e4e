// Gravity between N bodies in two dimensions. The innermost loop updates all
// bodies by one, so that vectors need no reordered sums. Prints the time of one
// step on its last line, in seconds.

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { N = 4096 };

static const float softening = 1e-3f;
static float x[N], y[N], mass[N], ax[N], ay[N];

static void accelerate(void) {
  for (int i = 0; i < N; ++i)
    ax[i] = ay[i] = 0;
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < N; ++i) {
      float dx = x[j] - x[i], dy = y[j] - y[i];
      float pull = mass[j] / (dx * dx + dy * dy + softening);
      ax[i] += pull * dx;
      ay[i] += pull * dy;
    }
}

// The bodies whose acceleration differs from that in double precision.
static int countWrong(void) {
  int wrong = 0;
  for (int i = 0; i < N; i += 97) {
    double sumX = 0, sumY = 0, size = 0;
    for (int j = 0; j < N; ++j) {
      double dx = (double)x[j] - x[i], dy = (double)y[j] - y[i];
      double pull = mass[j] / (dx * dx + dy * dy + softening);
      sumX += pull * dx;
      sumY += pull * dy;
      size += pull * (fabs(dx) + fabs(dy));
    }
    wrong += fabs(ax[i] - sumX) + fabs(ay[i] - sumY) > 1e-5 * size;
  }
  return wrong;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(void) {
  unsigned random = 1;
  for (int i = 0; i < N; ++i) {
    x[i] = (float)((random = random * 1664525 + 1013904223) >> 8) / (1 << 24);
    y[i] = (float)((random = random * 1664525 + 1013904223) >> 8) / (1 << 24);
    mass[i] = 1 + i % 3;
  }
  double best = 1e9;
  for (int run = 0; run < 5; ++run) {
    double begin = now();
    accelerate();
    double time = now() - begin;
    best = time < best ? time : best;
  }
  int wrong = countWrong();
  if (wrong) {
    printf("WRONG: the acceleration of %d bodies\n", wrong);
    return 2;
  }
  printf("time: %.9f\n", best);
  return 0;
}
