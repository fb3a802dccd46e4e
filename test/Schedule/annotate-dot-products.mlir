// Products of bytes on a machine with dot products of four of them, and without.
// RUN: baco-opt %s --baco-annotate="host=vector-bytes=64,vector-registers=32,l1=32768,l2=1048576,l3=33554432,dot-products=1" | %one-line-recipes | FileCheck %s
// RUN: baco-opt %s --baco-annotate="host=vector-bytes=64,vector-registers=32,l1=32768,l2=1048576,l3=33554432" | %one-line-recipes | FileCheck %s --check-prefix=WITHOUT

// Passes of whole dot products.
// CHECK-LABEL: func.func @bytes
// CHECK: linalg.matmul {baco.recipe = #baco.recipe<[
// CHECK-SAME: #baco.knob<"KU", #baco.ordinal<[4, 8], log>
// CHECK-SAME: #baco.llvm<{dot_products = 1 : i64}>]
// WITHOUT-LABEL: func.func @bytes
// WITHOUT: linalg.matmul {baco.recipe = #baco.recipe<[
// WITHOUT-SAME: #baco.knob<"KU", #baco.ordinal<[2, 4], log>
// WITHOUT-NOT: dot_products
func.func @bytes(%a: memref<128x128xi8>, %b: memref<128x128xi8>,
                 %c: memref<128x128xi32>) {
  linalg.matmul ins(%a, %b : memref<128x128xi8>, memref<128x128xi8>)
                outs(%c : memref<128x128xi32>)
  return
}

// Three products fill most of an instruction; a line of a window of three channels has nine,
// whose data are neighbors, if both loops are unrolled.
// CHECK-LABEL: func.func @short
// CHECK: #baco.llvm<{dot_products = 1 : i64}>]
// CHECK-LABEL: func.func @image
// CHECK: #baco.loop_unroll<statement = 0, loop = 6, factor = 3>, #baco.loop_unroll<statement = 0, loop = 7, factor = 3>
// CHECK: #baco.llvm<{dot_products = 1 : i64}>]
func.func @short(%a: memref<128x3xi8>, %b: memref<3x128xi8>,
                 %c: memref<128x128xi32>) {
  linalg.matmul ins(%a, %b : memref<128x3xi8>, memref<3x128xi8>)
                outs(%c : memref<128x128xi32>)
  return
}

func.func @image(%a: memref<1x33x33x3xi8>, %b: memref<3x3x3x32xi8>,
                 %c: memref<1x16x16x32xi32>) {
  linalg.conv_2d_nhwc_hwcf {strides = dense<2> : vector<2xi64>}
      ins(%a, %b : memref<1x33x33x3xi8>, memref<3x3x3x32xi8>)
      outs(%c : memref<1x16x16x32xi32>)
  return
}

// Factors of two types, sums of 8 bits, and floats.
// CHECK-LABEL: func.func @several
// CHECK-NOT: dot_products
func.func @several(%a: memref<128x128xi16>, %b: memref<128x128xi8>,
                 %c: memref<128x128xi32>) {
  linalg.matmul ins(%a, %b : memref<128x128xi16>, memref<128x128xi8>)
                outs(%c : memref<128x128xi32>)
  return
}

func.func @wrapping(%a: memref<128x128xi8>, %b: memref<128x128xi8>,
                    %c: memref<128x128xi8>) {
  linalg.matmul ins(%a, %b : memref<128x128xi8>, memref<128x128xi8>)
                outs(%c : memref<128x128xi8>)
  return
}

func.func @floats(%a: memref<128x128xbf16>, %b: memref<128x128xbf16>,
                  %c: memref<128x128xf32>) {
  linalg.matmul ins(%a, %b : memref<128x128xbf16>, memref<128x128xbf16>)
                outs(%c : memref<128x128xf32>)
  return
}
