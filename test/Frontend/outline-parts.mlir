// The parts of a new tensor that an op with several results computes belong to
// its kernel, and don't count as ops of the group.
// RUN: baco-opt %s --baco-outline-kernels 2> /dev/null | FileCheck %s

func.func private @value() -> f32

#row = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @two(
// CHECK:         %[[PARTS:.*]] = call @[[KERNEL:.*]](%{{.*}}) : (tensor<64x64xf32>) -> tensor<2x64x64xf32>
// CHECK:         tensor.insert %{{.*}} into %[[PARTS]]
// CHECK:       func.func private @[[KERNEL]](
// CHECK:         %[[BOTH:.*]]:2 = linalg.generic
// CHECK:         tensor.insert_slice %[[BOTH]]#0
// CHECK:         %[[LAST:.*]] = tensor.insert_slice %[[BOTH]]#1
// CHECK-NEXT:    return %[[LAST]]
func.func @two(%x: tensor<64x64xf32>) -> tensor<2x64x64xf32> {
  %zero = arith.constant 0 : index
  %e = tensor.empty() : tensor<2x64x64xf32>
  %a = tensor.extract_slice %e[0, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<2x64x64xf32> to tensor<64x64xf32>
  %b = tensor.extract_slice %e[1, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<2x64x64xf32> to tensor<64x64xf32>
  %r:2 = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) {
  ^bb0(%v: f32, %o: f32, %p: f32):
    %t = math.exp %v : f32
    %u = arith.mulf %t, %v : f32
    linalg.yield %t, %u : f32, f32
  } -> (tensor<64x64xf32>, tensor<64x64xf32>)
  %i = tensor.insert_slice %r#0 into %e[0, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<64x64xf32> into tensor<2x64x64xf32>
  %k = tensor.insert_slice %r#1 into %i[1, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<64x64xf32> into tensor<2x64x64xf32>
  // Something else's part.
  %v = func.call @value() : () -> f32
  %z = tensor.insert %v into %k[%zero, %zero, %zero] : tensor<2x64x64xf32>
  return %z : tensor<2x64x64xf32>
}
