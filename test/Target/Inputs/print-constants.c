/* Prints four elements of constants. */
#include <stdint.h>
#include <stdio.h>

struct Descriptor {
  int32_t *allocated, *aligned;
  int64_t offset, size, stride;
};

void _mlir_ciface_kernel(struct Descriptor *);

int main(void) {
  int32_t data[4];
  struct Descriptor out = {data, data, 0, 4, 1};
  _mlir_ciface_kernel(&out);
  printf("%d %d %d %d\n", data[0], data[1], data[2], data[3]);
  return 0;
}
