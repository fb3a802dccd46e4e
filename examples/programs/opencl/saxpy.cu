// saxpy.cl in CUDA C++.

extern "C" __global__ void saxpy(const int n, const float a, const float *x,
                                 float *y) {
  for (int w = 0; w < WPT; ++w) {
    const int i =
        w * gridDim.x * blockDim.x + blockIdx.x * blockDim.x + threadIdx.x;
    y[i] += a * x[i];
  }
}

extern "C" __global__ void saxpy_reference(const int n, const float a,
                                           const float *x, float *y) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[i] = a * x[i] + y[i];
}
