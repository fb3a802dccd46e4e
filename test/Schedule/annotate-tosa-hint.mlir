// The pass that the remark about TOSA names turns all of it into what gets a
// recipe.
// RUN: baco-opt %s --baco-annotate -o /dev/null 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=HINT
// RUN: baco-opt --baco-lower-front-ends %s 2> /dev/null \
// RUN:   | baco-opt --baco-annotate 2>&1 | FileCheck %s

// HINT-COUNT-6: baco-opt --baco-lower-front-ends makes it one

// CHECK-NOT:   remark
// CHECK-LABEL: @product
// CHECK:       baco.recipe
// CHECK-LABEL: @convolution
// CHECK:       baco.recipe
// CHECK-LABEL: @reduction
// CHECK:       baco.recipe
// CHECK-NOT:   tosa.reshape
func.func @product(%a: tensor<1x64x64xf32>) -> tensor<1x64x64xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}>
      : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %a, %zero, %zero
      : (tensor<1x64x64xf32>, tensor<1x64x64xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<1x64x64xf32>
  return %0 : tensor<1x64x64xf32>
}
func.func @convolution(%x: tensor<1x34x34x8xf32>, %w: tensor<16x3x3x8xf32>,
                       %b: tensor<16xf32>) -> tensor<1x32x32x16xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}>
      : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %zero, %zero
      {acc_type = f32, dilation = array<i64: 1, 1>,
       pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
      : (tensor<1x34x34x8xf32>, tensor<16x3x3x8xf32>, tensor<16xf32>,
         tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x32x16xf32>
  %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 6.0 : f32}
      : (tensor<1x32x32x16xf32>) -> tensor<1x32x32x16xf32>
  return %1 : tensor<1x32x32x16xf32>
}
func.func @reduction(%x: tensor<64x64xf32>, %y: tensor<1x64xf32>)
    -> tensor<8x8xf32> {
  %0 = tosa.add %x, %y : (tensor<64x64xf32>, tensor<1x64xf32>)
      -> tensor<64x64xf32>
  %1 = tosa.reduce_sum %0 {axis = 1 : i32} : (tensor<64x64xf32>)
      -> tensor<64x1xf32>
  %shape = tosa.const_shape {values = dense<8> : tensor<2xindex>}
      : () -> !tosa.shape<2>
  %2 = tosa.reshape %1, %shape : (tensor<64x1xf32>, !tosa.shape<2>)
      -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
