// y += 2 * x where MODE is 0, and kinds of failure.
extern "C" __global__ void add(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#if MODE == 1
  y[i] = 3 * x[i];
#elif MODE == 2
  error here
#elif MODE == 3
  while (((volatile const float *)x)[0] < 2)
    y[i] += 1;
#elif MODE == 4
  *(volatile int *)16 = 1;
#else
  y[i] += 2 * x[i];
#endif
}

extern "C" __global__ void right(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] += 2 * x[i];
}
