// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=1048576 \
// RUN:   --baco-expand-recipes --baco-concretize --transform-interpreter | FileCheck %s
// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=1048576 \
// RUN:   --baco-expand-recipes --baco-concretize --transform-interpreter --baco-lower-to-cpu --remarks-filter=constants 2>&1 >/dev/null \
// RUN: | FileCheck %s --check-prefix=PACKED

// Weights that a network reads from memory are prefetched one panel ahead: the
// copy of the next panel is behind this one, 3 * 3 * 32 * 32 elements further.
// Copies are still made before the first call.

// CHECK-LABEL: func.func @convolution
// CHECK: %[[PANEL:.*]] = memref.alloc() {{.*}}baco.copy} : memref<3x3x32x32xf32>
// CHECK: %[[AHEAD:.*]] = arith.constant 9216 : index
// CHECK: memref.prefetch %[[PANEL]]
// PACKED: [Passed] ConstantCopies | Category:constants | Function=convolution
func.func @convolution(%x: memref<1x16x16x256xf32>, %w: memref<3x3x256x256xf32> {baco.constant}, %y: memref<1x14x14x256xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : memref<1x16x16x256xf32>, memref<3x3x256x256xf32>) outs(%y : memref<1x14x14x256xf32>)
  return
}

// Rows of transposed weights are contiguous, but only the copies are prefetched.

// CHECK-LABEL: func.func @transposed
// CHECK: %[[COPY:.*]] = memref.alloc() {{.*}}baco.copy}
// CHECK-NOT: prefetch %arg1
// CHECK: memref.prefetch %[[COPY]]
// CHECK-NOT: prefetch %arg1
// CHECK: return
// PACKED: [Passed] ConstantCopies | Category:constants | Function=transposed
func.func @transposed(%x: memref<32x768xf32>, %w: memref<768x768xf32> {baco.constant}, %y: memref<32x768xf32>) {
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%x, %w : memref<32x768xf32>, memref<768x768xf32>) outs(%y : memref<32x768xf32>)
  return
}
