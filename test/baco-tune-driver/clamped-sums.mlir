// RUN: rm -rf %t && baco-tune-driver %s --budget=1 --seed=1 --program-time=0 --output-dir=%t 2>&1 | FileCheck %s

// Large terms that cancel leave sums below the limit whose roundings are those
// of the terms: the limit doesn't say how large these were.

// CHECK-NOT: wrong-result
// CHECK: default {{.*}} GFLOP/s
func.func @relu6(%x: tensor<1x112x112x16xf32>, %w: tensor<1x1x16x96xf32>, %b: tensor<96xf32>) -> tensor<1x112x112x96xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %e = tensor.empty() : tensor<1x112x112x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x112x112x96xf32>) -> tensor<1x112x112x96xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x112x112x16xf32>, tensor<1x1x16x96xf32>) outs(%f : tensor<1x112x112x96xf32>) -> tensor<1x112x112x96xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%c, %b : tensor<1x112x112x96xf32>, tensor<96xf32>) outs(%e : tensor<1x112x112x96xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    %m = arith.maximumf %s, %zero : f32
    %n = arith.minimumf %m, %six : f32
    linalg.yield %n : f32
  } -> tensor<1x112x112x96xf32>
  return %r : tensor<1x112x112x96xf32>
}
