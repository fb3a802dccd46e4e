/*===- runner.c - Times the kernels of a library --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: runner LIBRARY
//
// Runs each kernel of a library that record.py made, in a process of its own and
// on a small stack, checks what it computes, and prints its least time: a line
// `INDEX NANOSECONDS` for each, or `INDEX failed`.
//
//===---------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef void Kernel(const float *a, const float *b, float *out);

enum { repetitions = 25, timeLimitS = 10, stackBytes = 32 << 10 };

static Kernel *kernel, *reference;
static float *a, *b, *out, *expected;
static size_t outSize;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* The least time of the kernel in nanoseconds. */
static void *measure(void *least) {
  double best = INFINITY;
  for (int i = 0; i < repetitions; ++i) {
    double start = now();
    kernel(a, b, out);
    double time = now() - start;
    best = time < best ? time : best;
  }
  *(double *)least = best;
  return NULL;
}

/* Runs on a thread, for its stack. */
static void *check(void *isRight) {
  kernel(a, b, out);
  *(int *)isRight = 1;
  for (size_t i = 0; i < outSize; ++i)
    if (!(fabsf(out[i] - expected[i]) <= 1e-3f * (1 + fabsf(expected[i]))))
      *(int *)isRight = 0;
  return NULL;
}

static void onSmallStack(void *run(void *), void *argument) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, stackBytes) ||
      pthread_create(&thread, &attributes, run, argument))
    abort();
  pthread_join(thread, NULL);
}

/* What a process of its own does: writes the time if the result is right. */
static void child(int pipe) {
  alarm(timeLimitS);
  for (size_t i = 0; i < outSize; ++i)
    out[i] = NAN;
  int isRight = 0;
  double least = 0;
  onSmallStack(check, &isRight);
  if (isRight) {
    onSmallStack(measure, &least);
    if (write(pipe, &least, sizeof(least)) != sizeof(least))
      _exit(1);
  }
  _exit(0);
}

static void runKernel(size_t index) {
  int ends[2];
  double least;
  if (pipe(ends))
    abort();
  pid_t process = fork();
  if (process == 0)
    child(ends[1]);
  close(ends[1]);
  if (process > 0 && read(ends[0], &least, sizeof(least)) == sizeof(least))
    printf("%zu %.0f\n", index, least);
  else
    printf("%zu failed\n", index);
  fflush(stdout);
  close(ends[0]);
  waitpid(process, NULL, 0);
}

static void *symbol(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (!found) {
    fprintf(stderr, "runner: %s\n", dlerror());
    exit(1);
  }
  return found;
}

/* Room for floats, on a line of the cache, with values in [-1/2, 1/2). */
static float *fill(size_t size) {
  float *values = aligned_alloc(64, (size * sizeof(float) + 63) / 64 * 64);
  for (size_t i = 0; i < size; ++i)
    values[i] = (float)(i * 2654435761u % 1024) / 1024 - 0.5f;
  return values;
}

int main(int argc, char **argv) {
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (!library) {
    fprintf(stderr, "usage: runner LIBRARY\n");
    return 1;
  }
  /* Of a, b and out. */
  const size_t *sizes = symbol(library, "sizes");
  const size_t *count = symbol(library, "count");
  Kernel **kernels = symbol(library, "kernels");
  reference = (Kernel *)symbol(library, "reference");
  a = fill(sizes[0]);
  b = fill(sizes[1]);
  out = fill(outSize = sizes[2]);
  expected = fill(outSize);
  reference(a, b, expected);
  for (size_t i = 0; i < *count; ++i) {
    kernel = kernels[i];
    runKernel(i);
  }
  return 0;
}
