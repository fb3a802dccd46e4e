// What automatic annotation gives loop commands is tuned on tensors, too: a
// convolution, and a softmax in one function. The schedules give the tuned code
// again.
// RUN: rm -rf %t && mkdir %t && cp %s %t/in.mlir
// RUN: baco-tune-driver %t/in.mlir --interface=buffers --budget=6 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'
// RUN: baco-opt %t/in.mlir \
// RUN:   --transform-preload-library=transform-library-paths=%t/in.schedule.mlir \
// RUN:   --transform-interpreter -o %t/scheduled
// RUN: baco-opt %t/in.tuned.mlir | cmp - %t/scheduled

// TRIALS: "status":"ok"

// CHECK-DAG: conv: {{[2-3]}} evaluations
// CHECK-DAG: softmax: {{[2-3]}} evaluations

func.func @conv(%I: tensor<1x10x10x16xf32>, %K: tensor<3x3x16x32xf32>) -> tensor<1x8x8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x32xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf
    ins(%I, %K : tensor<1x10x10x16xf32>, tensor<3x3x16x32xf32>)
    outs(%c : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  return %r : tensor<1x8x8x32xf32>
}

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @softmax(%X: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %r = tensor.empty() : tensor<64xf32>
  %e = tensor.empty() : tensor<64x128xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%X : tensor<64x128xf32>) outs(%m0 : tensor<64xf32>) {
  ^bb0(%x: f32, %a: f32):
    %y = arith.maximumf %x, %a : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%X, %m : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%x: f32, %a: f32, %o: f32):
    %d = arith.subf %x, %a : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%p : tensor<64x128xf32>) outs(%s0 : tensor<64xf32>) {
  ^bb0(%x: f32, %a: f32):
    %y = arith.addf %x, %a : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%p, %s : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%x: f32, %a: f32, %o: f32):
    %y = arith.divf %x, %a : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %q : tensor<64x128xf32>
}
