// Sums of products by AVX-512's VNNI are those of the plain kernel,
// whatever the signs and the zero point, in convolutions, and where the weights are constants.
// REQUIRES: avx512vnni
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=6 --seed=2 --output-dir=%t --host=vector-bytes=64,vector-registers=32,l1=32768,l2=1048576,dot-products=1 2>&1 | FileCheck %s
// RUN: baco-opt %t/dot-products.tuned.mlir --baco-lower-to-cpu | FileCheck %s --check-prefix=LOWERED

// CHECK-NOT: wrong-result
// CHECK: {{^}}kernel
// CHECK-NEXT: {{^}}signed {{.*}}x
// CHECK-NEXT: {{^}}unsigned {{.*}}x
// CHECK-NEXT: {{^}}mixed {{.*}}x
// CHECK-NEXT: {{^}}words {{.*}}x
// CHECK-NEXT: {{^}}convolution {{.*}}x
// CHECK-NEXT: {{^}}depthwise {{.*}}x
// CHECK-NEXT: {{^}}unsigned_data {{.*}}x
// CHECK-NEXT: {{^}}unsigned_weights {{.*}}x
// CHECK-NEXT: {{^}}image {{.*}}x
// CHECK-NEXT: {{^}}weights {{.*}}x

// LOWERED-LABEL: llvm.func @signed
// LOWERED: vpdpbusd
// LOWERED-LABEL: llvm.func @unsigned
// LOWERED: vpdpbusd
// LOWERED-LABEL: llvm.func @mixed
// LOWERED: vpdpbusd
// LOWERED-LABEL: llvm.func @words
// LOWERED: vpdpwssd
// LOWERED-LABEL: llvm.func @convolution
// LOWERED: vpdpbusd
// LOWERED-LABEL: llvm.func @depthwise
// LOWERED: vpdpbusd
// LOWERED-LABEL: llvm.func @unsigned_data
// LOWERED: vpdpbusd
// LOWERED-LABEL: llvm.func @unsigned_weights
// LOWERED: vpdpbusd
// LOWERED-LABEL: llvm.func @image
// LOWERED: vpdpbusd
// LOWERED-LABEL: llvm.func @weights_prepare
// LOWERED-NOT: vpdpbusd
// LOWERED: llvm.return

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
#window = affine_map<(n, y, x, c, r, s) -> (n, y + r, x + s, c)>
#taps = affine_map<(n, y, x, c, r, s) -> (r, s, c)>
#channels = affine_map<(n, y, x, c, r, s) -> (n, y, x, c)>

func.func @signed(%a: memref<24x67xi8>, %b: memref<67x80xi8>,
                  %c: memref<24x80xi32>) {
  %zero = arith.constant -100 : i32
  linalg.generic {indexing_maps = [#a, #b, #c],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<24x67xi8>, memref<67x80xi8>)
      outs(%c : memref<24x80xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %u = arith.extsi %x : i8 to i32
    %d = arith.subi %u, %zero : i32
    %v = arith.extsi %y : i8 to i32
    %p = arith.muli %d, %v : i32
    %r = arith.addi %s, %p : i32
    linalg.yield %r : i32
  }
  return
}

func.func @unsigned(%a: memref<24x64xi8>, %b: memref<64x64xi8>,
                    %c: memref<24x64xi32>) {
  %zero = arith.constant 200 : i32
  linalg.generic {indexing_maps = [#a, #b, #c],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<24x64xi8>, memref<64x64xi8>)
      outs(%c : memref<24x64xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %u = arith.extui %x : i8 to i32
    %d = arith.subi %u, %zero : i32
    %v = arith.extui %y : i8 to i32
    %p = arith.muli %d, %v : i32
    %r = arith.addi %s, %p : i32
    linalg.yield %r : i32
  }
  return
}

func.func @mixed(%a: memref<24x64xi8>, %b: memref<64x64xi8>,
                 %c: memref<24x64xi32>) {
  %zero = arith.constant 7 : i32
  linalg.generic {indexing_maps = [#a, #b, #c],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<24x64xi8>, memref<64x64xi8>)
      outs(%c : memref<24x64xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %u = arith.extui %x : i8 to i32
    %d = arith.subi %u, %zero : i32
    %v = arith.extsi %y : i8 to i32
    %p = arith.muli %d, %v : i32
    %r = arith.addi %s, %p : i32
    linalg.yield %r : i32
  }
  return
}

func.func @words(%a: memref<24x66xi16>, %b: memref<66x64xi16>,
                 %c: memref<24x64xi32>) {
  linalg.matmul ins(%a, %b : memref<24x66xi16>, memref<66x64xi16>)
                outs(%c : memref<24x64xi32>)
  return
}

func.func @convolution(%a: memref<1x9x9x16xi8>, %b: memref<3x3x16x32xi8>,
                       %c: memref<1x7x7x32xi32>) {
  %zero = arith.constant 5 : i32
  %none = arith.constant 0 : i32
  linalg.conv_2d_nhwc_hwcf_q
      ins(%a, %b, %zero, %none : memref<1x9x9x16xi8>, memref<3x3x16x32xi8>,
                                 i32, i32)
      outs(%c : memref<1x7x7x32xi32>)
  return
}

// Products of channels by channels: 3 columns of windows are shared, and the
// last of 80 channels fill no vector of 64.
func.func @depthwise(%a: memref<1x9x9x80xi8>, %b: memref<3x3x80xi8>,
                     %c: memref<1x7x7x80xi32>) {
  %zero = arith.constant -128 : i32
  %none = arith.constant 0 : i32
  linalg.depthwise_conv_2d_nhwc_hwc_q
      ins(%a, %b, %zero, %none : memref<1x9x9x80xi8>, memref<3x3x80xi8>, i32,
                                 i32)
      outs(%c : memref<1x7x7x80xi32>)
  return
}

func.func @unsigned_data(%a: memref<1x9x9x80xi8>, %b: memref<3x3x80xi8>,
                         %c: memref<1x7x7x80xi32>) {
  %zero = arith.constant 131 : i32
  linalg.generic {indexing_maps = [#window, #taps, #channels],
                  iterator_types = ["parallel", "parallel", "parallel",
                                    "parallel", "reduction", "reduction"]}
      ins(%a, %b : memref<1x9x9x80xi8>, memref<3x3x80xi8>)
      outs(%c : memref<1x7x7x80xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %u = arith.extui %x : i8 to i32
    %d = arith.subi %u, %zero : i32
    %v = arith.extsi %y : i8 to i32
    %p = arith.muli %d, %v : i32
    %r = arith.addi %s, %p : i32
    linalg.yield %r : i32
  }
  return
}

func.func @unsigned_weights(%a: memref<1x9x9x80xi8>, %b: memref<3x3x80xi8>,
                            %c: memref<1x7x7x80xi32>) {
  %zero = arith.constant -5 : i32
  linalg.generic {indexing_maps = [#window, #taps, #channels],
                  iterator_types = ["parallel", "parallel", "parallel",
                                    "parallel", "reduction", "reduction"]}
      ins(%a, %b : memref<1x9x9x80xi8>, memref<3x3x80xi8>)
      outs(%c : memref<1x7x7x80xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %u = arith.extsi %x : i8 to i32
    %d = arith.subi %u, %zero : i32
    %v = arith.extui %y : i8 to i32
    %p = arith.muli %d, %v : i32
    %r = arith.addi %s, %p : i32
    linalg.yield %r : i32
  }
  return
}

// A line of the window has nine elements.
func.func @image(%a: memref<1x19x19x3xi8>, %b: memref<3x3x3x24xi8>,
                 %c: memref<1x9x9x24xi32>) {
  linalg.conv_2d_nhwc_hwcf {strides = dense<2> : vector<2xi64>}
      ins(%a, %b : memref<1x19x19x3xi8>, memref<3x3x3x24xi8>)
      outs(%c : memref<1x9x9x24xi32>)
  return
}

// Registers of 16, 8 and 4 lanes, and a rest of two rows.
func.func @weights(%a: memref<24x66xi8>, %b: memref<66x60xi8> {baco.constant},
                   %c: memref<24x60xi32>) {
  linalg.matmul ins(%a, %b : memref<24x66xi8>, memref<66x60xi8>)
                outs(%c : memref<24x60xi32>)
  return
}
