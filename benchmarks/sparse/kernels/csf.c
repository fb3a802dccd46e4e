// Sparse tensors in the format of MLIR whose first level is dense and whose
// others are compressed, with 32-bit positions and coordinates. Operands are
// positions and coordinates of each compressed level, values, dense operands,
// and the output. I, J, ... are the extents, N that of the
// columns of dense operands.

#include <stdint.h>

#ifndef N

void kernel_ttv(void **operands) {
  const int32_t *restrict pos1 = operands[0], *restrict crd1 = operands[1];
  const int32_t *restrict pos2 = operands[2], *restrict crd2 = operands[3];
  const T *restrict values = operands[4], *restrict c = operands[5];
  T *restrict a = operands[6];
  for (int64_t n = 0; n < (int64_t)I * J; ++n)
    a[n] = 0;
  for (int64_t i = 0; i < I; ++i)
    for (int32_t p = pos1[i]; p < pos1[i + 1]; ++p) {
      T sum = 0;
      for (int32_t q = pos2[p]; q < pos2[p + 1]; ++q)
        sum += values[q] * c[crd2[q]];
      a[i * J + crd1[p]] = sum;
    }
}

#else

void kernel_mttkrp(void **operands) {
  const int32_t *restrict pos1 = operands[0], *restrict crd1 = operands[1];
  const int32_t *restrict pos2 = operands[2], *restrict crd2 = operands[3];
  const int32_t *restrict pos3 = operands[4], *restrict crd3 = operands[5];
  const T *restrict values = operands[6];
  const T *restrict c = operands[7], *restrict d = operands[8],
                    *restrict e = operands[9];
  T *restrict a = operands[10];
  for (int64_t n = 0; n < (int64_t)I * N; ++n)
    a[n] = 0;
  for (int64_t i = 0; i < I; ++i)
    for (int32_t p = pos1[i]; p < pos1[i + 1]; ++p)
      for (int32_t q = pos2[p]; q < pos2[p + 1]; ++q)
        for (int32_t r = pos3[q]; r < pos3[q + 1]; ++r)
          for (int64_t j = 0; j < N; ++j)
            a[i * N + j] += values[r] * c[crd1[p] * (int64_t)N + j] *
                            d[crd2[q] * (int64_t)N + j] *
                            e[crd3[r] * (int64_t)N + j];
}

// Sums of the inner levels are kept apart, which saves products.
void kernel_mttkrp_factored(void **operands) {
  const int32_t *restrict pos1 = operands[0], *restrict crd1 = operands[1];
  const int32_t *restrict pos2 = operands[2], *restrict crd2 = operands[3];
  const int32_t *restrict pos3 = operands[4], *restrict crd3 = operands[5];
  const T *restrict values = operands[6];
  const T *restrict c = operands[7], *restrict d = operands[8],
                    *restrict e = operands[9];
  T *restrict a = operands[10];
  for (int64_t n = 0; n < (int64_t)I * N; ++n)
    a[n] = 0;
  for (int64_t i = 0; i < I; ++i)
    for (int32_t p = pos1[i]; p < pos1[i + 1]; ++p) {
      T outer[N] = {0};
      for (int32_t q = pos2[p]; q < pos2[p + 1]; ++q) {
        T inner[N] = {0};
        for (int32_t r = pos3[q]; r < pos3[q + 1]; ++r)
          for (int64_t j = 0; j < N; ++j)
            inner[j] += values[r] * e[crd3[r] * (int64_t)N + j];
        for (int64_t j = 0; j < N; ++j)
          outer[j] += inner[j] * d[crd2[q] * (int64_t)N + j];
      }
      for (int64_t j = 0; j < N; ++j)
        a[i * N + j] += outer[j] * c[crd1[p] * (int64_t)N + j];
    }
}

#endif
