/* Calls a kernel whose temporaries take 20 MB, and prints its result and the
 * page faults of each call, but not those of the first two. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct Descriptor {
  void *allocated, *aligned;
  int64_t offset, size, stride;
};

#ifdef ARGUMENT
extern const int64_t kernel_workspace_bytes;
void _mlir_ciface_kernel(struct Descriptor *, struct Descriptor *);
#else
void _mlir_ciface_kernel(struct Descriptor *);
#endif

static long faults(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

int main(void) {
  enum { size = 1 << 20 };
  float *data = aligned_alloc(64, size * sizeof *data);
  for (int i = 0; i < size; ++i)
    data[i] = (float)i;
  struct Descriptor x = {data, data, 0, size, 1};
#ifdef ARGUMENT
  void *memory = aligned_alloc(64, kernel_workspace_bytes);
  struct Descriptor workspace = {memory, memory, 0, kernel_workspace_bytes, 1};
  printf("workspace: %ld\n", (long)kernel_workspace_bytes);
#endif
  long counts[6];
  for (int i = 0; i < 6; ++i) {
    long before = faults();
#ifdef ARGUMENT
    _mlir_ciface_kernel(&x, &workspace);
#else
    _mlir_ciface_kernel(&x);
#endif
    counts[i] = faults() - before;
  }
  int wrong = 0;
  for (int i = 0; i < size; ++i)
    wrong += fabs(data[i] - (i + 6.0 * 5.0)) > 0;
  printf("wrong: %d\n", wrong);
  for (int i = FIRST; i < 6; ++i)
    printf("call %d: %ld faults\n", i + 1, counts[i]);
  return 0;
}
