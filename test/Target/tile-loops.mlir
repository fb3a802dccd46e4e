// What rows tiles take, and where they lie.
// RUN: baco-opt %s --baco-annotate="host=vector-bytes=64,vector-registers=32,l1=32768,l2=1048576,l3=33554432,dot-products=2" --baco-expand-recipes --baco-concretize --transform-interpreter --canonicalize --cse -o %t.mlir
// RUN: sed 's/\(func.func @.*)\) {/\1 attributes {baco.target_options = {dot_products = 2}} {/' %t.mlir | baco-opt --baco-tile-products | FileCheck %s

// A stride of two makes rows that are two pixels apart. Each of two lines has a tile of 15 rows.
// CHECK-LABEL: func.func @strided
// CHECK: arith.constant dense<[1, {{.*}} 15, 15, 15, 15, 15, 15, 16, 16, 0
// CHECK: llvm.x86.ldtilecfg
// CHECK: %[[STRIDE:.*]] = llvm.mlir.constant(128 : i64) : i64
// CHECK: "llvm.x86.tileloadd64"(%{{.*}}, %{{.*}}, %[[STRIDE]])
func.func @strided(%i: memref<1x31x31x64xi8>, %w: memref<3x3x64x32xi8>,
                   %o: memref<1x15x15x32xi32>) {
  linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%i, %w : memref<1x31x31x64xi8>, memref<3x3x64x32xi8>)
      outs(%o : memref<1x15x15x32xi32>)
  return
}

// Three rows are too few.
// CHECK-LABEL: func.func @few
// CHECK-NOT: llvm.x86
// CHECK: return
func.func @few(%a: memref<3x64xi8>, %b: memref<64x32xi8>,
               %c: memref<3x32xi32>) {
  linalg.matmul ins(%a, %b : memref<3x64xi8>, memref<64x32xi8>)
                outs(%c : memref<3x32xi32>)
  return
}
