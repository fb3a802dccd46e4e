// The edit distance of two strings, in integers. A diagonal of the table needs
// only the two before it. Prints the time on its last line, in seconds.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 3000 };

// The second string is kept backwards: a diagonal reads both of them forwards.
static char first[N], backwards[N];
static int buffers[3][N + 1];

static int min(int a, int b) { return a < b ? a : b; }

static int distance(void) {
  int *old = buffers[0], *last = buffers[1], *next = buffers[2];
  // Element i of diagonal d is the distance of i letters of the first string
  // and d - i of the second.
  old[0] = 0;
  last[0] = last[1] = 1;
  for (int d = 2; d <= 2 * N; ++d) {
    int begin = d <= N ? 1 : d - N, end = d <= N ? d : N + 1;
    if (d <= N)
      next[0] = next[d] = d;
    for (int i = begin; i < end; ++i)
      next[i] = min(old[i - 1] + (first[i - 1] != backwards[N - d + i]),
                    min(last[i - 1], last[i]) + 1);
    int *free = old;
    old = last;
    last = next;
    next = free;
  }
  return last[N];
}

// The same, row by row.
static int distanceByRows(void) {
  static int row[N + 1];
  for (int j = 0; j <= N; ++j)
    row[j] = j;
  for (int i = 1; i <= N; ++i) {
    int corner = row[0];
    row[0] = i;
    for (int j = 1; j <= N; ++j) {
      int change = corner + (first[i - 1] != backwards[N - j]);
      corner = row[j];
      row[j] = min(change, min(row[j - 1], row[j]) + 1);
    }
  }
  return row[N];
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(void) {
  unsigned random = 1;
  for (int i = 0; i < N; ++i) {
    first[i] = "ACGT"[(random = random * 1664525 + 1013904223) >> 30];
    backwards[i] = "ACGT"[(random = random * 1664525 + 1013904223) >> 30];
  }
  int result = 0;
  double best = 1e9;
  for (int run = 0; run < 3; ++run) {
    double begin = now();
    result = distance();
    double time = now() - begin;
    best = time < best ? time : best;
  }
  if (result != distanceByRows()) {
    printf("WRONG: %d instead of %d\n", result, distanceByRows());
    return 2;
  }
  printf("time: %.9f\n", best);
  return 0;
}
