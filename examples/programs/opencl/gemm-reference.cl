// The right results of xgemm-direct.cl, with one work-item for each element.

__kernel void gemm_reference(const int sizeM, const int sizeN, const int sizeK,
                             const float alpha, const float beta,
                             const __global float *a, const __global float *b,
                             __global float *c) {
  const int m = get_global_id(0), n = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < sizeK; ++k)
    sum += a[k * sizeM + m] * b[k * sizeN + n];
  c[n * sizeM + m] = alpha * sum + beta * c[n * sizeM + m];
}
