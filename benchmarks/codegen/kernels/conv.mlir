//===- conv.mlir - Convolution as one op ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

func.func @kernel(%I: memref<1x{{IH}}x{{IW}}x{{C}}x{{T}}>,
                  %K: memref<{{R}}x{{R}}x{{C}}x{{F}}x{{T}}>{{KIND}},
                  %O: memref<1x{{H}}x{{W}}x{{F}}x{{T}}>) {
  linalg.conv_2d_nhwc_hwcf
    {dilations = dense<1> : tensor<2xi64>, strides = dense<{{S}}> : tensor<2xi64>}
    ins(%I, %K : memref<1x{{IH}}x{{IW}}x{{C}}x{{T}}>,
                 memref<{{R}}x{{R}}x{{C}}x{{F}}x{{T}}>)
    outs(%O : memref<1x{{H}}x{{W}}x{{F}}x{{T}}>)
  return
}
