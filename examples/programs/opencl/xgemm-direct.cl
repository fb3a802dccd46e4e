// C = alpha * A * B + beta * C in single precision, with the ten parameters that
// CLBlast's XgemmDirect has: one kernel for matrices of any size. Columns of A and
// C, and rows of B, are contiguous: A[k * M + m], B[k * N + n], C[n * M + m].
//
// A work-group computes a tile of WGD x WGD elements of C by MDIMCD x NDIMCD
// work-items, and goes over K in steps of WGD: the tiles of A and B of a step are
// in local memory, whose rows are longer by PADA and PADB elements. They are
// loaded by MDIMAD x (MDIMCD * NDIMCD / MDIMAD) work-items, and as many as NDIMBD
// says, in vectors of VWMD and VWND elements. KWID steps of a tile are unrolled.

#define ITEMS (MDIMCD * NDIMCD)
#define KDIMAD (ITEMS / MDIMAD)
#define KDIMBD (ITEMS / NDIMBD)
#define MWI (WGD / MDIMCD)
#define NWI (WGD / NDIMCD)
#define AROW (WGD + PADA)
#define BROW (WGD + PADB)

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if VWMD == 1
#define COPY_M(to, from) *(to) = *(from)
#else
#define COPY_M(to, from) JOIN(vstore, VWMD)(JOIN(vload, VWMD)(0, from), 0, to)
#endif
#if VWND == 1
#define COPY_N(to, from) *(to) = *(from)
#else
#define COPY_N(to, from) JOIN(vstore, VWND)(JOIN(vload, VWND)(0, from), 0, to)
#endif

// The tile of A at column k0: all of it is in the matrix.
void load_a(__local float *tile, const __global float *a, const int sizeM,
            const int m0, const int k0, const uint item) {
  const int im = item % MDIMAD * VWMD, ik = item / MDIMAD;
  for (int i = 0; i < WGD / KDIMAD; ++i)
    for (int j = 0; j < WGD / VWMD / MDIMAD; ++j) {
      const int k = i * KDIMAD + ik, m = j * MDIMAD * VWMD + im;
      COPY_M(tile + k * AROW + m, a + (k0 + k) * sizeM + m0 + m);
    }
}

void load_b(__local float *tile, const __global float *b, const int sizeN,
            const int n0, const int k0, const uint item) {
  const int in = item % NDIMBD * VWND, ik = item / NDIMBD;
  for (int i = 0; i < WGD / KDIMBD; ++i)
    for (int j = 0; j < WGD / VWND / NDIMBD; ++j) {
      const int k = i * KDIMBD + ik, n = j * NDIMBD * VWND + in;
      COPY_N(tile + k * BROW + n, b + (k0 + k) * sizeN + n0 + n);
    }
}

// The same where the tile reaches beyond the matrix, with zeros there.
void load_a_edge(__local float *tile, const __global float *a, const int sizeM,
                 const int sizeK, const int m0, const int k0, const uint item) {
  const int im = item % MDIMAD, ik = item / MDIMAD;
  for (int i = 0; i < WGD / KDIMAD; ++i)
    for (int j = 0; j < WGD / MDIMAD; ++j) {
      const int k = i * KDIMAD + ik, m = j * MDIMAD + im;
      tile[k * AROW + m] = m0 + m < sizeM && k0 + k < sizeK
                               ? a[(k0 + k) * sizeM + m0 + m]
                               : 0.0f;
    }
}

void load_b_edge(__local float *tile, const __global float *b, const int sizeN,
                 const int sizeK, const int n0, const int k0, const uint item) {
  const int in = item % NDIMBD, ik = item / NDIMBD;
  for (int i = 0; i < WGD / KDIMBD; ++i)
    for (int j = 0; j < WGD / NDIMBD; ++j) {
      const int k = i * KDIMBD + ik, n = j * NDIMBD + in;
      tile[k * BROW + n] = n0 + n < sizeN && k0 + k < sizeK
                               ? b[(k0 + k) * sizeN + n0 + n]
                               : 0.0f;
    }
}

__kernel __attribute__((reqd_work_group_size(MDIMCD, NDIMCD, 1))) void
xgemm_direct(const int sizeM, const int sizeN, const int sizeK,
             const float alpha, const float beta,
             const __global float *restrict a, const __global float *restrict b,
             __global float *restrict c) {
  __local float tileA[WGD * AROW], tileB[WGD * BROW];
  const uint im = get_local_id(0), in = get_local_id(1);
  const uint item = in * MDIMCD + im;
  const int m0 = get_group_id(0) * WGD, n0 = get_group_id(1) * WGD;
  const int wholeA = m0 + WGD <= sizeM, wholeB = n0 + WGD <= sizeN;

  float sums[NWI][MWI];
  for (int n = 0; n < NWI; ++n)
    for (int m = 0; m < MWI; ++m)
      sums[n][m] = 0.0f;

  for (int k0 = 0; k0 < sizeK; k0 += WGD) {
    const int wholeK = k0 + WGD <= sizeK;
    if (wholeA && wholeK)
      load_a(tileA, a, sizeM, m0, k0, item);
    else
      load_a_edge(tileA, a, sizeM, sizeK, m0, k0, item);
    if (wholeB && wholeK)
      load_b(tileB, b, sizeN, n0, k0, item);
    else
      load_b_edge(tileB, b, sizeN, sizeK, n0, k0, item);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < WGD; k += KWID) {
#pragma unroll
      for (int step = 0; step < KWID; ++step) {
        const __local float *rowA = tileA + (k + step) * AROW + im * MWI;
        const __local float *rowB = tileB + (k + step) * BROW + in * NWI;
        for (int n = 0; n < NWI; ++n)
          for (int m = 0; m < MWI; ++m)
            sums[n][m] += rowA[m] * rowB[n];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  for (int n = 0; n < NWI; ++n)
    for (int m = 0; m < MWI; ++m) {
      const int row = m0 + im * MWI + m, column = n0 + in * NWI + n;
      if (row < sizeM && column < sizeN)
        c[column * sizeM + row] =
            alpha * sums[n][m] + beta * c[column * sizeM + row];
    }
}
