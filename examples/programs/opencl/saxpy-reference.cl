// The right results of saxpy.cl, with one work-item for each element.

__kernel void saxpy_reference(const int n, const float a,
                              const __global float *x, __global float *y) {
  const int i = get_global_id(0);
  if (i < n)
    y[i] = a * x[i] + y[i];
}
