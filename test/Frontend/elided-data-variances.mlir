// A constant with elided data that is a vector but for extents of 1 may be a
// variance: its numbers are from 0.5 to 1, in which the last byte is 3F.
// RUN: baco-opt %s --baco-lower-front-ends 2>/dev/null | FileCheck %s

// CHECK-LABEL: @variance
// CHECK:       math.rsqrt
// CHECK:       elided: "0x{{........(......3F)(......3F)(......3F)}}"
func.func @variance(%a: tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> {
  %v = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x3x1x1xf32>}> : () -> tensor<1x3x1x1xf32>
  %0 = tosa.rsqrt %v : (tensor<1x3x1x1xf32>) -> tensor<1x3x1x1xf32>
  %1 = tosa.add %a, %0 : (tensor<1x3x4x4xf32>, tensor<1x3x1x1xf32>) -> tensor<1x3x4x4xf32>
  return %1 : tensor<1x3x4x4xf32>
}
