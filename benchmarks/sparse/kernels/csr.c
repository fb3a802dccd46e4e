// Sparse matrices in CSR with 32-bit positions and coordinates: operands are
// positions, coordinates, values, dense operands, and the output. ROWS, COLUMNS
// and N, the columns of dense operands, are macros.

#include <stdint.h>

void kernel_spmv(void **operands) {
  const int32_t *restrict pos = operands[0], *restrict crd = operands[1];
  const T *restrict values = operands[2], *restrict x = operands[3];
  T *restrict y = operands[4];
  for (int64_t i = 0; i < ROWS; ++i) {
    T sum = 0;
    for (int32_t p = pos[i]; p < pos[i + 1]; ++p)
      sum += values[p] * x[crd[p]];
    y[i] = sum;
  }
}

#ifdef N

void kernel_spmm(void **operands) {
  const int32_t *restrict pos = operands[0], *restrict crd = operands[1];
  const T *restrict values = operands[2], *restrict c = operands[3];
  T *restrict a = operands[4];
  for (int64_t i = 0; i < ROWS; ++i) {
    for (int64_t j = 0; j < N; ++j)
      a[i * N + j] = 0;
    for (int32_t p = pos[i]; p < pos[i + 1]; ++p)
      for (int64_t j = 0; j < N; ++j)
        a[i * N + j] += values[p] * c[crd[p] * (int64_t)N + j];
  }
}

// One output for each entry.
void kernel_sddmm(void **operands) {
  const int32_t *restrict pos = operands[0], *restrict crd = operands[1];
  const T *restrict values = operands[2];
  const T *restrict c = operands[3], *restrict d = operands[4];
  T *restrict a = operands[5];
  for (int64_t i = 0; i < ROWS; ++i)
    for (int32_t p = pos[i]; p < pos[i + 1]; ++p) {
      const T *left = c + i * N, *right = d + crd[p] * (int64_t)N;
      T sum = 0;
      for (int64_t k = 0; k < N; ++k)
        sum += left[k] * right[k];
      a[p] = values[p] * sum;
    }
}

#endif
