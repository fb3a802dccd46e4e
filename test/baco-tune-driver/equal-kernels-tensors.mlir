// Functions on tensors, whose schedules mark the ops, are tuned once if they are
// equal but for their names.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --interface=buffers --budget=4 --seed=1 --output-dir=%t %quick 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/equal-kernels-tensors.tuned.mlir

// CHECK-DAG: {{^}}first: {{[0-9]+}} evaluations
// CHECK-DAG: {{^}}second: the same kernel as first
// TUNED-NOT: tensor<

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

func.func @first(%A: tensor<64x64xf32>, %B: tensor<64x64xf32>, %b: tensor<64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%A, %B : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
    ins(%p, %b : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

func.func @second(%A: tensor<64x64xf32>, %B: tensor<64x64xf32>, %b: tensor<64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%A, %B : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
    ins(%p, %b : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}
