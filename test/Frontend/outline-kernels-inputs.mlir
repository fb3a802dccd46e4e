// Kernels that are taken out of a program have the inputs of those of its
// arguments that they take. What no kernel takes gets a remark.
// RUN: baco-opt %s --baco-outline-kernels --verify-diagnostics | FileCheck %s

func.func private @printAll(memref<64x64xf32>)

// CHECK-LABEL: func.func @program(
// CHECK-LABEL: func.func private @program_matmul(
// CHECK-SAME:      %{{[^:]*}}: memref<64x64xf32> {baco.input = {uniform = [1, 2]}},
// CHECK-SAME:      %{{[^:]*}}: memref<64x64xf32>,
// CHECK-SAME:      %{{[^:]*}}: memref<64x64xf32> {baco.input = {file = "c.npy"}})
// expected-remark @below {{'program' can't be run alone, because it calls '@printAll', which is external; these parts of it can be tuned: '@program_matmul'}}
// expected-remark @below {{the input of argument 0 isn't used: no part that can be tuned takes this argument}}
func.func @program(%n: index {baco.input = 7 : i64},
                   %a: memref<64x64xf32> {baco.input = {uniform = [1, 2]}},
                   %b: memref<64x64xf32>,
                   %c: memref<64x64xf32> {baco.input = {file = "c.npy"}}) {
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  call @printAll(%c) : (memref<64x64xf32>) -> ()
  return
}
