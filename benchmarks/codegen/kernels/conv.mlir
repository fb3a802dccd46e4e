//===- conv.mlir - 3 x 3 convolution as one op ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

func.func @kernel(%I: memref<1x{{H+2}}x{{W+2}}x{{C}}x{{T}}>,
                  %K: memref<3x3x{{C}}x{{F}}x{{T}}>,
                  %O: memref<1x{{H}}x{{W}}x{{F}}x{{T}}>) {
  linalg.conv_2d_nhwc_hwcf
    {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%I, %K : memref<1x{{H+2}}x{{W+2}}x{{C}}x{{T}}>,
                 memref<3x3x{{C}}x{{F}}x{{T}}>)
    outs(%O : memref<1x{{H}}x{{W}}x{{F}}x{{T}}>)
  return
}

// Order f0, c0, h, w0, kh, kw, c, with W columns and F channels of the output in
// registers, and the slice of the filter for F and C channels in a buffer.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %F = transform.tune.knob<"F"> options = [16, 32, 64]
        -> !transform.param<i64>
    %W = transform.tune.knob<"W"> options = [4, 5, 6, 7, 8, 10, 14]
        -> !transform.param<i64>
    // 0: all channels.
    %C = transform.tune.knob<"C"> options = [0, 16, 32, 64]
        -> !transform.param<i64>
    %op = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %loops = transform.structured.convert_to_loops %op
        : (!transform.any_op) -> !transform.any_op
    %kernel = transform.structured.match ops{["func.func"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %new = transform.baco.restructure %kernel
        [#baco.loop_permute<order = [1, 2, 4, 3, 5, 6, 7]>,
         #baco.loop_tile<statement = 0, loop = 7, size = "C", outer = 1>,
         #baco.loop_tile<statement = 0, loop = 4, size = "F", outer = 1>,
         #baco.loop_permute<order = [1, 2, 3, 4, 6, 7, 8, 9, 5]>,
         #baco.loop_copy<statement = 0, loop = 3, reference = 2>,
         #baco.loop_unroll<statement = 0, loop = 5, factor = "W">,
         #baco.loop_vectorize<statement = 0, loop = 9, width = "F">]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
