// Convolutions of 1 to 3 dimensions, in groups, with filters in other layouts,
// with strides and dilations: every candidate computes what the plain lowering
// does.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=36 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// TRIALS: "status":"ok"

// CHECK: conv1d_nwc: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: conv1d_ncw: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: conv3d_ncdhw: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: grouped_nchw: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: grouped_nhwc: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: nhwc_fhwc: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: depthwise_multiplier: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: depthwise_3d: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: short_rows: {{[1-9][0-9]*}} evaluations{{$}}

func.func @conv1d_nwc(%I: memref<2x23x5xf32>,
    %K: memref<3x5x19xf32>,
    %O: memref<2x10x19xf32>) {
  linalg.conv_1d_nwc_wcf
    {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}
    ins(%I, %K : memref<2x23x5xf32>, memref<3x5x19xf32>)
    outs(%O : memref<2x10x19xf32>)
  return
}
func.func @conv1d_ncw(%I: memref<2x5x37xf32>,
    %K: memref<7x5x3xf32>,
    %O: memref<2x7x12xf32>) {
  linalg.conv_1d_ncw_fcw
    {dilations = dense<1> : tensor<1xi64>, strides = dense<3> : tensor<1xi64>}
    ins(%I, %K : memref<2x5x37xf32>, memref<7x5x3xf32>)
    outs(%O : memref<2x7x12xf32>)
  return
}
func.func @conv3d_ncdhw(%I: memref<1x3x6x7x20xf32>,
    %K: memref<9x3x3x3x3xf32>,
    %O: memref<1x9x4x5x18xf32>) {
  linalg.conv_3d_ncdhw_fcdhw
    {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}
    ins(%I, %K : memref<1x3x6x7x20xf32>, memref<9x3x3x3x3xf32>)
    outs(%O : memref<1x9x4x5x18xf32>)
  return
}
func.func @grouped_nchw(%I: memref<1x2x5x12x22xf32>,
    %K: memref<6x2x5x3x3xf32>,
    %O: memref<1x2x6x10x20xf32>) {
  linalg.conv_2d_ngchw_fgchw
    {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%I, %K : memref<1x2x5x12x22xf32>, memref<6x2x5x3x3xf32>)
    outs(%O : memref<1x2x6x10x20xf32>)
  return
}
func.func @grouped_nhwc(%I: memref<1x9x11x2x5xf32>,
    %K: memref<2x17x3x3x5xf32>,
    %O: memref<1x7x9x2x17xf32>) {
  linalg.conv_2d_nhwgc_gfhwc
    {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%I, %K : memref<1x9x11x2x5xf32>, memref<2x17x3x3x5xf32>)
    outs(%O : memref<1x7x9x2x17xf32>)
  return
}
func.func @nhwc_fhwc(%I: memref<1x9x11x5xf32>,
    %K: memref<17x3x3x5xf32>,
    %O: memref<1x7x9x17xf32>) {
  linalg.conv_2d_nhwc_fhwc
    {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%I, %K : memref<1x9x11x5xf32>, memref<17x3x3x5xf32>)
    outs(%O : memref<1x7x9x17xf32>)
  return
}
func.func @depthwise_multiplier(%I: memref<1x9x11x5xf32>,
    %K: memref<3x3x5x6xf32>,
    %O: memref<1x7x9x5x6xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwcm
    {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%I, %K : memref<1x9x11x5xf32>, memref<3x3x5x6xf32>)
    outs(%O : memref<1x7x9x5x6xf32>)
  return
}
func.func @depthwise_3d(%I: memref<1x6x7x8x17xf32>,
    %K: memref<3x3x3x17xf32>,
    %O: memref<1x4x5x6x17xf32>) {
  linalg.depthwise_conv_3d_ndhwc_dhwc
    {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}
    ins(%I, %K : memref<1x6x7x8x17xf32>, memref<3x3x3x17xf32>)
    outs(%O : memref<1x4x5x6x17xf32>)
  return
}
func.func @short_rows(%I: memref<1x9x9x80xf32>,
    %K: memref<3x3x80x40xf32>,
    %O: memref<1x7x7x40xf32>) {
  linalg.conv_2d_nhwc_hwcf
    {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%I, %K : memref<1x9x9x80xf32>, memref<3x3x80x40xf32>)
    outs(%O : memref<1x7x7x40xf32>)
  return
}
