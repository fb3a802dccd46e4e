// Calls the tuned spmv.mlir, where the tuned kernel takes rows with narrower
// coordinates: each time with the matrix as it is, and with one prepared once.
#include <stdint.h>
#include <stdio.h>

// A memref of rank 1.
typedef struct {
  void *allocated, *aligned;
  int64_t offset, size, stride;
} vector;

#define VECTOR(array)                                                          \
  {array, array, 0, sizeof(array) / sizeof((array)[0]), 1}

// A sparse tensor is its buffers: for each level its positions and coordinates,
// as far as it stores them, and the values. The result comes last.
void _mlir_ciface_spmv(vector *positions, vector *coordinates, vector *values,
                       vector *x, vector *y, vector *result);

// The same of what the tuned kernel takes; the program owns it.
typedef struct {
  vector positions, coordinates, values;
} matrix;

void _mlir_ciface_spmv_prepare(matrix *result, vector *positions,
                               vector *coordinates, vector *values);
void _mlir_ciface_spmv_tuned(vector *positions, vector *coordinates,
                             vector *values, vector *x, vector *y,
                             vector *result);
void _mlir_ciface_spmv_release(vector *positions, vector *coordinates,
                               vector *values);

int main(void) {
  // 1 0 0 0 2 0 | 0 0 0 0 0 0 | 0 3 0 0 0 4 | 5 0 0 0 0 0
  int32_t pos[] = {0, 2, 2, 4, 5}, crd[] = {0, 4, 1, 5, 0};
  double val[] = {1, 2, 3, 4, 5};
  double in[] = {1, 2, 3, 4, 5, 6}, start[4] = {0}, out[4];
  vector positions = VECTOR(pos), coordinates = VECTOR(crd),
         values = VECTOR(val), x = VECTOR(in), y = VECTOR(start),
         result = VECTOR(out);

  _mlir_ciface_spmv(&positions, &coordinates, &values, &x, &y, &result);
  printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);

  matrix b;
  _mlir_ciface_spmv_prepare(&b, &positions, &coordinates, &values);
  for (int i = 0; i < 2; ++i) {
    // The kernel adds to y, and may do so in its memory.
    for (int row = 0; row < 4; ++row)
      start[row] = i;
    _mlir_ciface_spmv_tuned(&b.positions, &b.coordinates, &b.values, &x, &y,
                            &result);
    printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);
  }
  _mlir_ciface_spmv_release(&b.positions, &b.coordinates, &b.values);
  return 0;
}
