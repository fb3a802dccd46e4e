// y += 2 * x where MODE is 0, and each kind of failure.
__kernel void add(const int n, __global float *x, __global float *y) {
  const int i = get_global_id(0);
#if MODE == 1
  y[i] = 3 * x[i];
#elif MODE == 2
  error here
#elif MODE == 3
  while (x[0] < 2)
    y[i] += 1;
#elif MODE == 4
  *(volatile __global int *)0 = 1;
#elif MODE == 5
  __local float many[1 << 24];
  many[i] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = many[n - i - 1];
#else
  y[i] += 2 * x[i];
#endif
}

__kernel void right(const int n, __global float *x, __global float *y) {
  const int i = get_global_id(0);
  y[i] += 2 * x[i];
}
