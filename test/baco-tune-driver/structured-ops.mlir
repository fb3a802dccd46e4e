// Linalg ops that become loops: with strides, dilations, odd sizes and other
// layouts, every candidate computes what the plain lowering does.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=48 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// TRIALS: "status":"ok"

// CHECK: nhwc: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: nchw: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: nchw_strided: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: depthwise: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: depthwise_nchw: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: pool: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: conv3d: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: integers: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: matvec: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: transposed: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: maximum: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: index: {{[1-9][0-9]*}} evaluations{{$}}

func.func @nhwc(%I: memref<2x13x15x5xf32>,
                %K: memref<3x2x5x19xf32>,
                %O: memref<2x5x11x19xf32>) {
  linalg.conv_2d_nhwc_hwcf
    {dilations = dense<[2, 4]> : tensor<2xi64>,
     strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%I, %K : memref<2x13x15x5xf32>, memref<3x2x5x19xf32>)
    outs(%O : memref<2x5x11x19xf32>)
  return
}
func.func @nchw(%I: memref<1x5x18x22xf32>,
                %K: memref<7x5x3x3xf32>,
                %O: memref<1x7x16x20xf32>) {
  linalg.conv_2d_nchw_fchw
    {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%I, %K : memref<1x5x18x22xf32>, memref<7x5x3x3xf32>)
    outs(%O : memref<1x7x16x20xf32>)
  return
}
func.func @nchw_strided(%I: memref<1x5x17x41xf32>,
                        %K: memref<7x5x3x3xf32>,
                        %O: memref<1x7x8x19xf32>) {
  linalg.conv_2d_nchw_fchw
    {dilations = dense<[1, 2]> : tensor<2xi64>,
     strides = dense<2> : tensor<2xi64>}
    ins(%I, %K : memref<1x5x17x41xf32>, memref<7x5x3x3xf32>)
    outs(%O : memref<1x7x8x19xf32>)
  return
}
func.func @depthwise(%I: memref<1x12x14x33xf32>,
                     %K: memref<3x3x33xf32>,
                     %O: memref<1x5x6x33xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwc
    {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%I, %K : memref<1x12x14x33xf32>, memref<3x3x33xf32>)
    outs(%O : memref<1x5x6x33xf32>)
  return
}
func.func @depthwise_nchw(%I: memref<1x7x12x35xf32>,
                          %K: memref<7x3x3xf32>,
                          %O: memref<1x7x10x33xf32>) {
  linalg.depthwise_conv_2d_nchw_chw
    {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%I, %K : memref<1x7x12x35xf32>, memref<7x3x3xf32>)
    outs(%O : memref<1x7x10x33xf32>)
  return
}
func.func @pool(%I: memref<1x12x14x33xf32>,
                %K: memref<3x3xf32>,
                %O: memref<1x5x6x33xf32>) {
  linalg.pooling_nhwc_max
    {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%I, %K : memref<1x12x14x33xf32>, memref<3x3xf32>)
    outs(%O : memref<1x5x6x33xf32>)
  return
}
func.func @conv3d(%I: memref<1x6x7x8x3xf32>,
                  %K: memref<3x3x3x3x9xf32>,
                  %O: memref<1x4x5x6x9xf32>) {
  linalg.conv_3d_ndhwc_dhwcf
    {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}
    ins(%I, %K : memref<1x6x7x8x3xf32>, memref<3x3x3x3x9xf32>)
    outs(%O : memref<1x4x5x6x9xf32>)
  return
}
func.func @integers(%I: memref<1x9x9x6xi8>,
                    %K: memref<3x3x6x18xi8>,
                    %O: memref<1x7x7x18xi32>) {
  linalg.conv_2d_nhwc_hwcf
    {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%I, %K : memref<1x9x9x6xi8>, memref<3x3x6x18xi8>)
    outs(%O : memref<1x7x7x18xi32>)
  return
}
func.func @matvec(%a: memref<37x101xf32>,
                  %b: memref<101xf32>,
                  %c: memref<37xf32>) {
  linalg.matvec ins(%a, %b : memref<37x101xf32>, memref<101xf32>)
    outs(%c : memref<37xf32>)
  return
}
#a = affine_map<(m, n, k) -> (m, k)>
#transposed = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @transposed(%a: memref<37x29xf32>,
                      %b: memref<41x29xf32>,
                      %c: memref<37x41xf32>) {
  linalg.matmul indexing_maps = [#a, #transposed, #c]
    ins(%a, %b : memref<37x29xf32>, memref<41x29xf32>)
    outs(%c : memref<37x41xf32>)
  return
}
#id = affine_map<(d0,d1)->(d0,d1)>
#row = affine_map<(d0,d1)->(d0)>
#col = affine_map<(d0,d1)->(d1)>
func.func @maximum(%a: memref<37x53xf32>, %c: memref<37xf32>) {
  linalg.generic {indexing_maps=[#id,#row],
                  iterator_types=["parallel","reduction"]}
    ins(%a: memref<37x53xf32>)
    outs(%c: memref<37xf32>) {
    ^bb0(%x: f32, %y: f32):
    %s = arith.maximumf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}
func.func @index(%c: memref<37x53xi64>) {
  linalg.generic {indexing_maps=[#id],
                  iterator_types=["parallel","parallel"]}
    outs(%c: memref<37x53xi64>) {
    ^bb0(%x: i64):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %t = arith.addi %x, %j : i64
    linalg.yield %t : i64
  }
  return
}
