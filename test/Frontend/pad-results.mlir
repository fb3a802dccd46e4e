// RUN: baco-opt %s -split-input-file --baco-pad-results | FileCheck %s

// The border is filled in disjoint parts, before the op and its fill; another
// user reads the inside.

// CHECK-LABEL: func.func @residual
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<1x7x6x4xf32>
// CHECK: %[[TOP:.*]] = tensor.extract_slice %[[EMPTY]][0, 0, 0, 0] [1, 1, 6, 4]
// CHECK: linalg.fill {{.*}} outs(%[[TOP]]
// CHECK: tensor.insert_slice {{.*}} into %[[EMPTY]][0, 0, 0, 0] [1, 1, 6, 4]
// CHECK: tensor.extract_slice {{.*}}[0, 5, 0, 0] [1, 2, 6, 4]
// CHECK: tensor.extract_slice {{.*}}[0, 1, 5, 0] [1, 4, 1, 4]
// CHECK-NOT: tensor.extract_slice
// CHECK: %[[BORDER:.*]] = tensor.insert_slice {{.*}}[0, 1, 5, 0] [1, 4, 1, 4]
// CHECK: linalg.fill
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK: %[[SUM:.*]] = linalg.add
// CHECK: %[[PADDED:.*]] = tensor.insert_slice %[[SUM]] into %[[BORDER]][0, 1, 0, 0] [1, 4, 5, 4]
// CHECK: %[[INSIDE:.*]] = tensor.extract_slice %[[PADDED]][0, 1, 0, 0] [1, 4, 5, 4]
// CHECK: linalg.mul ins(%[[INSIDE]], %[[INSIDE]]
// CHECK: return %[[PADDED]], %{{.*}}, %[[PADDED]]
func.func @residual(%x: tensor<1x4x5x4xf32>, %w: tensor<1x1x4x4xf32>) -> (tensor<1x7x6x4xf32>, tensor<1x4x5x4xf32>, tensor<1x7x6x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x5x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x4x5x4xf32>, tensor<1x1x4x4xf32>) outs(%f : tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32>
  %r = linalg.add ins(%c, %x : tensor<1x4x5x4xf32>, tensor<1x4x5x4xf32>) outs(%e : tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32>
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %r low[0, 1, 0, 0] high[0, 2, 1, 0] {
  ^bb0(%a0: index, %a1: index, %a2: index, %a3: index):
    tensor.yield %one : f32
  } : tensor<1x4x5x4xf32> to tensor<1x7x6x4xf32>
  %m = linalg.mul ins(%r, %r : tensor<1x4x5x4xf32>, tensor<1x4x5x4xf32>) outs(%e : tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32>
  // An equal one.
  %q = tensor.pad %r low[0, 1, 0, 0] high[0, 2, 1, 0] {
  ^bb0(%a0: index, %a1: index, %a2: index, %a3: index):
    tensor.yield %one : f32
  } : tensor<1x4x5x4xf32> to tensor<1x7x6x4xf32>
  return %p, %m, %q : tensor<1x7x6x4xf32>, tensor<1x4x5x4xf32>, tensor<1x7x6x4xf32>
}

// -----

// A second border is around a copy of the inside.

// CHECK-LABEL: func.func @two
// CHECK: %[[PADDED:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[1] [65536] [1] : tensor<65536xf32> into tensor<65537xf32>
// CHECK: %[[INSIDE:.*]] = tensor.extract_slice %[[PADDED]][1] [65536] [1]
// CHECK: tensor.pad %[[INSIDE]] low[2] high[0]
func.func @two(%x: tensor<65536xf32>) -> (tensor<65537xf32>, tensor<65538xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<65536xf32>
  %r = linalg.exp ins(%x : tensor<65536xf32>) outs(%e : tensor<65536xf32>) -> tensor<65536xf32>
  %p = tensor.pad %r low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<65536xf32> to tensor<65537xf32>
  %q = tensor.pad %r low[2] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<65536xf32> to tensor<65538xf32>
  return %p, %q : tensor<65537xf32>, tensor<65538xf32>
}

// -----

// These stay: of an argument, with a value that isn't constant, of what is
// returned too, of what an op overwrites, in a function that isn't tuned.

// CHECK-LABEL: func.func @argument
// CHECK: tensor.pad
func.func @argument(%x: tensor<65536xf32>) -> tensor<65537xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<65536xf32> to tensor<65537xf32>
  return %p : tensor<65537xf32>
}

// CHECK-LABEL: func.func @value
// CHECK: tensor.pad
func.func @value(%x: tensor<65536xf32>, %value: f32) -> tensor<65537xf32> {
  %e = tensor.empty() : tensor<65536xf32>
  %r = linalg.exp ins(%x : tensor<65536xf32>) outs(%e : tensor<65536xf32>) -> tensor<65536xf32>
  %p = tensor.pad %r low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %value : f32
  } : tensor<65536xf32> to tensor<65537xf32>
  return %p : tensor<65537xf32>
}

// CHECK-LABEL: func.func @returned
// CHECK: tensor.pad
func.func @returned(%x: tensor<65536xf32>) -> (tensor<65536xf32>, tensor<65537xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<65536xf32>
  %r = linalg.exp ins(%x : tensor<65536xf32>) outs(%e : tensor<65536xf32>) -> tensor<65536xf32>
  %p = tensor.pad %r low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<65536xf32> to tensor<65537xf32>
  return %r, %p : tensor<65536xf32>, tensor<65537xf32>
}

// CHECK-LABEL: func.func @overwritten
// CHECK: tensor.pad
func.func @overwritten(%x: tensor<65536xf32>) -> (tensor<65536xf32>, tensor<65537xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<65536xf32>
  %r = linalg.exp ins(%x : tensor<65536xf32>) outs(%e : tensor<65536xf32>) -> tensor<65536xf32>
  %p = tensor.pad %r low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<65536xf32> to tensor<65537xf32>
  %s = linalg.add ins(%x, %x : tensor<65536xf32>, tensor<65536xf32>) outs(%r : tensor<65536xf32>) -> tensor<65536xf32>
  return %s, %p : tensor<65536xf32>, tensor<65537xf32>
}

// CHECK-LABEL: func.func @no_tune
// CHECK: tensor.pad
func.func @no_tune(%x: tensor<65536xf32>) -> tensor<65537xf32> attributes {baco.no_tune} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<65536xf32>
  %r = linalg.exp ins(%x : tensor<65536xf32>) outs(%e : tensor<65536xf32>) -> tensor<65536xf32>
  %p = tensor.pad %r low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<65536xf32> to tensor<65537xf32>
  return %p : tensor<65537xf32>
}
