// y = a * x + y by work-items that take WPT elements each, as in ATF's paper: WPT
// is a macro that the tuner sets.

__kernel void saxpy(const int n, const float a, const __global float *x,
                    __global float *y) {
  for (int w = 0; w < WPT; ++w) {
    const int i = w * get_global_size(0) + get_global_id(0);
    y[i] += a * x[i];
  }
}
