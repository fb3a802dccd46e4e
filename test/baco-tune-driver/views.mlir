// A kernel on blocks of one buffer is tuned correctly.
// RUN: rm -rf %t && mkdir %t
// RUN: baco-tune-driver %s --budget=3 --seed=1 %quick --output-dir=%t \
// RUN:   | FileCheck %s
// CHECK:     blocks: 3 evaluations{{$}}
// CHECK:     speed-up
func.func @blocks(%a: memref<64x192xf32>) {
  %x = memref.subview %a[0, 0] [64, 64] [1, 1]
      : memref<64x192xf32> to memref<64x64xf32, strided<[192, 1]>>
  %y = memref.subview %a[0, 64] [64, 64] [1, 1]
      : memref<64x192xf32> to memref<64x64xf32, strided<[192, 1], offset: 64>>
  %z = memref.subview %a[0, 128] [64, 64] [1, 1]
      : memref<64x192xf32> to memref<64x64xf32, strided<[192, 1], offset: 128>>
  linalg.matmul ins(%x, %y : memref<64x64xf32, strided<[192, 1]>>, memref<64x64xf32, strided<[192, 1], offset: 64>>)
                outs(%z : memref<64x64xf32, strided<[192, 1], offset: 128>>)
  return
}
