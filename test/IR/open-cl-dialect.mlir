// The description of a device of OpenCL.
// RUN: baco-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK: #opencl.target<"small", threads = 256, items = [256, 256, 64], local_bytes = 32768, units = 4, half = false, doubles = true>
module attributes {baco.gpu_target = #opencl.target<"small", threads = 256, items = [256, 256, 64], local_bytes = 32768, units = 4, half = false, doubles = true>} {}

// -----

// expected-error@below {{'items' has 2 numbers, but work-groups have three dimensions}}
#device = #opencl.target<"wrong", threads = 256, items = [256, 256], local_bytes = 32768, units = 4, half = false, doubles = false>

// -----

// expected-error@below {{'wrong': a limit is 0, but must be positive}}
#device = #opencl.target<"wrong", threads = 256, items = [256, 256, 64], local_bytes = 0, units = 4, half = false, doubles = false>
