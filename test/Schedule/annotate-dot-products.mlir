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

// Factors of two types, sums of 8 bits, fewer terms, and floats.
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

func.func @short(%a: memref<128x3xi8>, %b: memref<3x128xi8>,
                 %c: memref<128x128xi32>) {
  linalg.matmul ins(%a, %b : memref<128x3xi8>, memref<3x128xi8>)
                outs(%c : memref<128x128xi32>)
  return
}

func.func @floats(%a: memref<128x128xbf16>, %b: memref<128x128xbf16>,
                  %c: memref<128x128xf32>) {
  linalg.matmul ins(%a, %b : memref<128x128xbf16>, memref<128x128xbf16>)
                outs(%c : memref<128x128xf32>)
  return
}
