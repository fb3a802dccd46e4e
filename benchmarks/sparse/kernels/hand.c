// What a careful person writes by hand for a sparse matrix in CSR: operands and
// macros are those of csr.c. Sums stay in registers, several of them, so that
// none waits for the one before.

#include <stdint.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

typedef T Wide __attribute__((vector_size(64), aligned(sizeof(T))));
enum { lanes = 64 / sizeof(T) };

#define INLINE static inline __attribute__((always_inline))

INLINE T sum_lanes(Wide wide) {
  T sum = 0;
  for (int lane = 0; lane < lanes; ++lane)
    sum += wide[lane];
  return sum;
}

// Elements of x at `lanes` coordinates, each by a load of its own.
INLINE Wide load_each(const T *x, const int32_t *at) {
  Wide wide;
  for (int lane = 0; lane < lanes; ++lane)
    wide[lane] = x[at[lane]];
  return wide;
}

// The same by the machine's instruction, if it has one.
INLINE Wide gather(const T *x, const int32_t *at) {
  if (sizeof(T) == 8) {
#if defined(__AVX512F__)
    return (Wide)_mm512_i32gather_pd(_mm256_loadu_si256((const void *)at), x, 8);
#elif defined(__AVX2__)
    union {
      __m256d halves[2];
      Wide wide;
    } all;
    for (int half = 0; half < 2; ++half)
      all.halves[half] = _mm256_i32gather_pd(
          (const void *)x, _mm_loadu_si128((const void *)(at + 4 * half)), 8);
    return all.wide;
#endif
  }
  return load_each(x, at);
}

INLINE void spmv(void **operands, Wide (*read)(const T *, const int32_t *)) {
  const int32_t *restrict pos = operands[0], *restrict crd = operands[1];
  const T *restrict values = operands[2], *restrict x = operands[3];
  T *restrict y = operands[4];
  for (int64_t i = 0; i < ROWS; ++i) {
    int64_t p = pos[i], end = pos[i + 1];
    Wide first = {0}, second = {0};
    for (; p + 2 * lanes <= end; p += 2 * lanes) {
      first += *(const Wide *)(values + p) * read(x, crd + p);
      second += *(const Wide *)(values + p + lanes) * read(x, crd + p + lanes);
    }
    if (p + lanes <= end) {
      first += *(const Wide *)(values + p) * read(x, crd + p);
      p += lanes;
    }
    T rest = 0;
#pragma clang loop vectorize(disable)
    for (; p < end; ++p)
      rest += values[p] * x[crd[p]];
    y[i] = rest + sum_lanes(first + second);
  }
}

void kernel_spmv_gathers(void **operands) { spmv(operands, gather); }
void kernel_spmv_loads(void **operands) { spmv(operands, load_each); }

#ifdef N

// Sums of `count` vectors of columns from `j` over row `i`.
INLINE void sum_columns(void **operands, int64_t i, int64_t j, int count) {
  const int32_t *restrict pos = operands[0], *restrict crd = operands[1];
  const T *restrict values = operands[2], *restrict c = operands[3];
  T *restrict a = operands[4];
  Wide sums[8] = {0};
  for (int64_t p = pos[i], end = pos[i + 1]; p < end; ++p) {
    T value = values[p];
    const T *row = c + crd[p] * (int64_t)N + j;
#pragma clang loop unroll(full)
    for (int w = 0; w < count; ++w)
      sums[w] += value * *(const Wide *)(row + w * lanes);
  }
#pragma clang loop unroll(full)
  for (int w = 0; w < count; ++w)
    *(Wide *)(a + i * N + j + w * lanes) = sums[w];
}

INLINE void spmm(void **operands, int most) {
  const int32_t *restrict pos = operands[0], *restrict crd = operands[1];
  const T *restrict values = operands[2], *restrict c = operands[3];
  T *restrict a = operands[4];
  for (int64_t i = 0; i < ROWS; ++i) {
    int64_t j = 0;
    for (; j + most * lanes <= N; j += most * lanes)
      sum_columns(operands, i, j, most);
    for (; j + lanes <= N; j += lanes)
      sum_columns(operands, i, j, 1);
    for (; j < N; ++j) {
      T sum = 0;
      for (int32_t p = pos[i]; p < pos[i + 1]; ++p)
        sum += values[p] * c[crd[p] * (int64_t)N + j];
      a[i * N + j] = sum;
    }
  }
}

void kernel_spmm_4(void **operands) { spmm(operands, 4); }
void kernel_spmm_8(void **operands) { spmm(operands, 8); }

#endif
