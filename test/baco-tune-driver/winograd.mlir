// A convolution by Winograd's algorithm is one kernel with what is done to its
// results. A library is applied with the same option.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --winograd=4 --budget=3 --seed=1 --output-dir=%t %quick 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t/winograd.schedule.mlir --check-prefix=SCHEDULE
// RUN: FileCheck %s --input-file=%t/winograd.tuned.mlir --check-prefix=TUNED
// RUN: baco-opt %s --baco-apply="library=%t/winograd.library.mlir winograd=4" -o %t/applied.mlir
// RUN: baco-opt %t/winograd.tuned.mlir -o %t/tuned.mlir
// RUN: diff %t/tuned.mlir %t/applied.mlir
// RUN: not baco-opt %s --baco-apply=library=%t/winograd.library.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DIRECT
// RUN: not baco-tune-driver %s --winograd=3 2>&1 | FileCheck %s --check-prefix=ERROR

// CHECK:     winograd.mlir:[[# @LINE + 15]]:1: remark: 'convolve' computes 1 convolution by Winograd's algorithm
// CHECK:     convolve: 3 evaluations
// CHECK-NOT: failed
// CHECK:     speed-up

// SCHEDULE: --'baco-winograd=tile=4' \

// TUNED:     func.func @convolve(
// TUNED-NOT: linalg.{{batch|generic|conv}}

// DIRECT: error: the entry of 'convolve' in {{.*}} is stale: the function has changed since it was tuned

// ERROR: Winograd's tile must be off, 2, 4, measure or a list for shapes, such as 1x56x56x64x64xf32:4, but is '3'
#channel = affine_map<(n, y, x, f) -> (f)>
#element = affine_map<(n, y, x, f) -> (n, y, x, f)>
func.func @convolve(%x: tensor<1x34x34x32xf32>, %bias: tensor<32xf32>) -> tensor<1x32x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.0625> : tensor<3x3x32x32xf32>
  %e = tensor.empty() : tensor<1x32x32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x32x32xf32>) -> tensor<1x32x32x32xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x34x34x32xf32>, tensor<3x3x32x32xf32>)
    outs(%f : tensor<1x32x32x32xf32>) -> tensor<1x32x32x32xf32>
  %r = linalg.generic {indexing_maps = [#element, #channel, #element],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%c, %bias : tensor<1x32x32x32xf32>, tensor<32xf32>) outs(%e : tensor<1x32x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x32x32x32xf32>
  return %r : tensor<1x32x32x32xf32>
}
