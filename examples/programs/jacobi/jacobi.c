// Jacobi's method for Laplace's equation on N x N points, in tiles of
// TILE_I x TILE_J; whether it has converged is looked at after every STEPS steps.
// Writes its costs to the file that the argument names: the time in seconds, and
// the number of steps.

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { N = 192 };
static float buffers[2][N + 2][N + 2];

static void step(float (*to)[N + 2], float (*from)[N + 2]) {
  for (int i0 = 1; i0 <= N; i0 += TILE_I)
    for (int j0 = 1; j0 <= N; j0 += TILE_J)
      for (int i = i0; i < i0 + TILE_I; ++i)
        for (int j = j0; j < j0 + TILE_J; ++j)
          to[i][j] = 0.25f * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] +
                              from[i][j + 1]);
}

static float change(void) {
  float largest = 0;
  for (int i = 1; i <= N; ++i)
    for (int j = 1; j <= N; ++j)
      largest = fmaxf(largest, fabsf(buffers[1][i][j] - buffers[0][i][j]));
  return largest;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 1;
  for (int j = 0; j < N + 2; ++j)
    buffers[0][0][j] = buffers[1][0][j] = 1;
  int steps = 0, current = 0;
  double begin = now();
  do {
    for (int i = 0; i < STEPS; ++i, current = !current)
      step(buffers[!current], buffers[current]);
    steps += STEPS;
  } while (change() > 1e-4f && steps < 10000);
  double seconds = now() - begin;
  // A mean of neighbours is between them.
  float middle = buffers[current][N / 2][N / 2];
  if (!(middle >= 0 && middle <= 1))
    return 2;
  FILE *costs = fopen(argv[1], "w");
  if (!costs)
    return 3;
  fprintf(costs, "%.9f,%d\n", seconds, steps);
  return fclose(costs) == 0 ? 0 : 3;
}
