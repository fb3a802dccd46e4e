// A convolution of channels-first images is tuned as a channels-last one. The
// command in the schedule's head, and a library, make the same of the file;
// another layout has no entry.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=3 --seed=1 --output-dir=%t %quick 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t/layout.schedule.mlir --check-prefix=SCHEDULE
// RUN: FileCheck %s --input-file=%t/layout.tuned.mlir --check-prefix=TUNED
// RUN: baco-opt %s --baco-apply=library=%t/layout.library.mlir -o %t/applied.mlir
// RUN: baco-opt %t/layout.tuned.mlir -o %t/tuned.mlir
// RUN: diff %t/tuned.mlir %t/applied.mlir
// RUN: not baco-opt %s --baco-apply="library=%t/layout.library.mlir layout=keep" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=KEEP
// RUN: baco-tune-driver %s --layout=keep --emit-space=%t/space.json 2>&1 \
// RUN:   | FileCheck %s --check-prefix=KEPT --allow-empty
// RUN: not baco-tune-driver %s --layout=nhwc 2>&1 | FileCheck %s --check-prefix=ERROR

// CHECK: layout.mlir:[[# @LINE + 15]]:1: remark: 'convolve' computes 1 convolution channels-last; 2 tensors are transposed in each execution
// CHECK: remark: transposed the constants of 1 op
// CHECK: convolve: 3 evaluations
// CHECK-NOT: failed
// CHECK: speed-up

// SCHEDULE: --baco-channels-last \
// SCHEDULE: --baco-transpose-constants \

// TUNED: func.func @convolve(%{{.*}}: tensor<1x256x6x6xf32>) -> tensor<1x256x4x4xf32>

// KEEP: error: the entry of 'convolve' in {{.*}} is stale: the function has changed since it was tuned
// KEPT-NOT: channels-last

// ERROR: layout must be auto, keep, channels-last or tensor-cores, but is 'nhwc'
func.func @convolve(%x: tensor<1x256x6x6xf32>) -> tensor<1x256x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.0625> : tensor<256x256x3x3xf32>
  %e = tensor.empty() : tensor<1x256x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x256x4x4xf32>) -> tensor<1x256x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x256x6x6xf32>, tensor<256x256x3x3xf32>)
    outs(%f : tensor<1x256x4x4xf32>) -> tensor<1x256x4x4xf32>
  return %c : tensor<1x256x4x4xf32>
}
