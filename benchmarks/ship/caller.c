/*===- caller.c - A program that calls a kernel --------------------------===*
 *
 * Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * What a user's program does: it allocates operands, aligned to cache lines,
 * calls the kernel through its C interface again and again, and does nothing
 * for the kernel's sake. The signature is in a header, which ship.py writes.
 *
 *   caller write FILE            one execution; writes the operands
 *   caller compare FILE          one execution; prints the largest difference
 *                                of an element from FILE's, as a share of the
 *                                operand's largest element
 *   caller time SECONDS CLOCK    prints the median time of an execution in ns;
 *                                CLOCK is cpu or wall
 *
 *===----------------------------------------------------------------------===*/

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  numOperands = sizeof operands / sizeof *operands,
  mostRank = 8,
  cacheLineBytes = 64
};

/* A memref's descriptor, with the sizes and strides of the highest rank. */
struct Descriptor {
  void *allocated, *aligned;
  int64_t offset, sizesAndStrides[2 * mostRank];
};

static struct Descriptor descriptors[numOperands];
static void *contents[numOperands];
static int isWritten[numOperands];

static void fail(const char *message) {
  fprintf(stderr, "caller: %s\n", message);
  exit(2);
}

static int64_t numElements(int i) {
  int64_t count = 1;
  for (int d = 0; d < operands[i].rank; ++d)
    count *= operands[i].extents[d];
  return count;
}

static size_t numBytes(int i) {
  return numElements(i) * operands[i].elementBytes;
}

static double element(const void *data, int i, int64_t at) {
  return operands[i].elementBytes == sizeof(float)
             ? ((const float *)data)[at]
             : ((const double *)data)[at];
}

/* Uniform in [-1, 1). */
static double draw(uint64_t *state) {
  uint64_t x = *state += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  x ^= x >> 31;
  return (double)(int64_t)x / 9223372036854775808.0;
}

/* Square matrices can be solved with: their diagonal is in [1, 2), and other
   elements are small beside it. */
static void fill(void *data, int i) {
  uint64_t state = i + 1;
  int64_t count = numElements(i), extent = operands[i].extents[0];
  int isSquare = operands[i].rank == 2 && operands[i].extents[1] == extent;
  for (int64_t at = 0; at < count; ++at) {
    double value = draw(&state);
    if (isSquare)
      value = at / extent == at % extent ? (3 + value) / 2 : value / extent;
    if (operands[i].elementBytes == sizeof(float))
      ((float *)data)[at] = (float)value;
    else
      ((double *)data)[at] = value;
  }
}

static void prepare(void) {
  FILE *file = fopen(data, "rb");
  for (int i = 0; i < numOperands; ++i) {
    if (operands[i].rank > mostRank)
      fail("an operand has too many dimensions");
    struct Descriptor *descriptor = &descriptors[i];
    contents[i] = malloc(numBytes(i));
    descriptor->allocated = descriptor->aligned =
        aligned_alloc(cacheLineBytes, (numBytes(i) + cacheLineBytes - 1) /
                                          cacheLineBytes * cacheLineBytes);
    if (!contents[i] || !descriptor->allocated)
      fail("there is not enough memory");
    if (!operands[i].isGiven)
      fill(contents[i], i);
    else if (!file || fread(contents[i], 1, numBytes(i), file) != numBytes(i))
      fail("the sparse operand can't be read");
    memcpy(descriptor->aligned, contents[i], numBytes(i));
    int64_t stride = 1, rank = operands[i].rank;
    for (int64_t d = rank - 1; d >= 0; --d) {
      descriptor->sizesAndStrides[d] = operands[i].extents[d];
      descriptor->sizesAndStrides[rank + d] = stride;
      stride *= operands[i].extents[d];
    }
  }
  if (file)
    fclose(file);
  PREPARE(descriptors);
}

static void call(void) { CALL(descriptors); }

static void restore(void) {
  for (int i = 0; i < numOperands; ++i)
    if (isWritten[i])
      memcpy(descriptors[i].aligned, contents[i], numBytes(i));
}

static void writeOperands(const char *name) {
  FILE *file = fopen(name, "wb");
  for (int i = 0; file && i < numOperands; ++i)
    fwrite(descriptors[i].aligned, 1, numBytes(i), file);
  if (!file || fclose(file))
    fail("the operands can't be written");
}

static void compareOperands(const char *name) {
  double worst = 0;
  FILE *file = fopen(name, "rb");
  for (int i = 0; i < numOperands; ++i) {
    void *expected = malloc(numBytes(i));
    if (!file || !expected || fread(expected, 1, numBytes(i), file) != numBytes(i))
      fail("the operands can't be read");
    double largest = 0, difference = 0;
    for (int64_t at = 0; at < numElements(i); ++at) {
      double want = element(expected, i, at);
      double got = element(descriptors[i].aligned, i, at);
      largest = fmax(largest, fabs(want));
      /* A NaN where the other one has none counts as different. */
      difference = isnan(want) != isnan(got)
                       ? INFINITY
                       : fmax(difference, fabs(want - got));
    }
    worst = fmax(worst, difference > 0 ? difference / largest : 0);
    free(expected);
  }
  fclose(file);
  printf("%g\n", worst);
}

static clockid_t measured;

static double now(void) {
  struct timespec time;
  clock_gettime(measured, &time);
  return 1e9 * time.tv_sec + time.tv_nsec;
}

static int compareTimes(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Samples of up to eight executions, so that operands that a kernel changes
   stay near what they were; the first execution finds them in an outer cache
   and doesn't count if there are others. Short kernels have more. The process's
   first execution took `once` ns; one of more than a second is enough. */
static void timeCalls(double seconds, double once) {
  enum { mostSamples = 100000 };
  static double samples[mostSamples];
  int count = 0;
  if (once > 1e9) {
    printf("%.1f\n", once);
    return;
  }
  double begin = now();
  call();
  once = now() - begin;
  int perSample = once > 5e4 ? 8 : 8 + (int)(5e4 / (once + 10));
  if (once > 2e8)
    perSample = 1;
  double end = now() + 1e9 * seconds;
  do {
    restore();
    if (perSample > 1)
      call();
    double start = now();
    int executions = perSample > 1 ? perSample - 1 : 1;
    for (int i = 0; i < executions; ++i)
      call();
    samples[count++] = (now() - start) / executions;
  } while (count < mostSamples && (now() < end || count < 3));
  qsort(samples, count, sizeof *samples, compareTimes);
  printf("%.1f\n", samples[count / 2]);
}

int main(int argc, char **argv) {
  if (argc < 3)
    fail("usage: caller write|compare FILE, or caller time SECONDS CLOCK");
  prepare();
  measured = argc > 3 && !strcmp(argv[3], "wall") ? CLOCK_MONOTONIC
                                                  : CLOCK_THREAD_CPUTIME_ID;
  double begin = now();
  call();
  double once = now() - begin;
  for (int i = 0; i < numOperands; ++i)
    isWritten[i] = memcmp(descriptors[i].aligned, contents[i], numBytes(i)) != 0;
  if (!strcmp(argv[1], "write"))
    writeOperands(argv[2]);
  else if (!strcmp(argv[1], "compare"))
    compareOperands(argv[2]);
  else
    timeCalls(atof(argv[2]), once);
  return 0;
}
