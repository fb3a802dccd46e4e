// ----- matmul-large-bf16-bf16-f32
func.func @kernel(%a0: memref<127x211xbf16>, %a1: memref<211x95xbf16>, %a2: memref<127x95xf32>) {
  linalg.matmul ins(%a0, %a1 : memref<127x211xbf16>, memref<211x95xbf16>) outs(%a2 : memref<127x95xf32>)
  return
}
// ----- matmul-f32-f32-f32-columns2
func.func @kernel(%a0: memref<57x83xf32>, %a1: memref<83x59xf32>, %a2: memref<57x118xf32>) {
  %a2v = memref.subview %a2[0, 0] [57, 59] [1, 2] : memref<57x118xf32> to memref<57x59xf32, strided<[118, 2]>>
  linalg.matmul ins(%a0, %a1 : memref<57x83xf32>, memref<83x59xf32>) outs(%a2v : memref<57x59xf32, strided<[118, 2]>>)
  return
}
// ----- matmul-f32-f32-f32-transposed1
func.func @kernel(%a0: memref<57x83xf32>, %a1: memref<59x83xf32>, %a2: memref<57x59xf32>) {
  %a1v = memref.reinterpret_cast %a1 to offset: [0], sizes: [83, 59], strides: [1, 83] : memref<59x83xf32> to memref<83x59xf32, strided<[1, 83]>>
  linalg.matmul ins(%a0, %a1v : memref<57x83xf32>, memref<83x59xf32, strided<[1, 83]>>) outs(%a2 : memref<57x59xf32>)
  return
}
// ----- pool-max-unsigned-i8-plain
func.func @kernel(%a0: memref<1x19x21x13xi8>, %a1: memref<3x3xi8>, %a2: memref<1x17x19x13xi8>) {
  linalg.pooling_nhwc_max_unsigned ins(%a0, %a1 : memref<1x19x21x13xi8>, memref<3x3xi8>) outs(%a2 : memref<1x17x19x13xi8>)
  return
}
