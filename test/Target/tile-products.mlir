// Products of bytes by AMX, in the loops of a plan's defaults.
// RUN: baco-opt %s --baco-annotate="host=vector-bytes=64,vector-registers=32,l1=32768,l2=1048576,l3=33554432,dot-products=2" --baco-expand-recipes --baco-concretize --transform-interpreter --canonicalize --cse -o %t.mlir
// RUN: sed 's/\(func.func @.*)\) {/\1 attributes {baco.target_options = {dot_products = 2}} {/' %t.mlir | baco-opt --baco-tile-products | FileCheck %s
// RUN: sed 's/\(func.func @.*)\) {/\1 attributes {baco.target_options = {dot_products = 1}} {/' %t.mlir | baco-opt --baco-tile-products | FileCheck %s --check-prefix=WITHOUT

// WITHOUT-NOT: llvm.x86

// Of 24 rows two tiles have 12 each. Of 100 steps two tiles have 48 each, and a loop the other
// four. Columns are interleaved in front of what uses them.
// CHECK-LABEL: func.func @product
// CHECK-DAG: %[[SUMS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<24x32xi32>
// CHECK-DAG: %[[COPY:.*]] = memref.alloc() {alignment = 64 : i64, baco.copy} : memref<24x128xi8>
// CHECK: arith.constant dense<[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 64, 0, 64, 0, 64, 0, 48, 0, 48, 0, 64, 0, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 12, 12, 12, 12, 12, 12, 12, 0, 0, 0, 0, 0, 0, 0, 0]>
// CHECK: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// CHECK: affine.for %[[J:.*]] = 0 to 96 step 32
// CHECK: affine.for %[[G:.*]] = 0 to 24
// CHECK-COUNT-4: affine.vector_load %{{.*}}, %[[J]]] : memref<100x96xi8>, vector<32xi8>
// CHECK: affine.vector_store %{{.*}}, %[[COPY]][%[[G]], 0] : memref<24x128xi8>, vector<128xi8>
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tilezero"
// CHECK: scf.for
// CHECK-COUNT-3: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tdpbssd"
// CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tdpbssd"
// CHECK: extract_aligned_pointer_as_index %[[SUMS]]
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tilestored64"
// CHECK: affine.for %{{.*}} = 96 to 100 step 4 iter_args
// CHECK: llvm.call_intrinsic "llvm.x86.tilerelease"
func.func @product(%a: memref<24x100xi8>, %b: memref<100x96xi8>,
                   %c: memref<24x96xi32>) {
  linalg.matmul ins(%a, %b : memref<24x100xi8>, memref<100x96xi8>)
                outs(%c : memref<24x96xi32>)
  return
}

// The zero point's part is subtracted: it is the same for all rows.
// CHECK-LABEL: func.func @zero_point
// CHECK: %[[LANES:.*]] = scf.for {{.*}} iter_args
// CHECK: arith.constant dense<1> : vector<128xi8>
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK: %[[ZERO:.*]] = arith.constant dense<-100> : vector<32xi32>
// CHECK: %[[EXCESS:.*]] = arith.muli %[[LANES]], %[[ZERO]]
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbsud"
// CHECK: llvm.x86.tilestored64
// CHECK-COUNT-24: arith.subi %{{.*}}, %[[EXCESS]] : vector<32xi32>
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @zero_point(%a: memref<24x64xi8>, %b: memref<64x32xi8>,
                      %c: memref<24x32xi32>) {
  %zero = arith.constant -100 : i32
  linalg.generic {indexing_maps = [#a, #b, #c],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<24x64xi8>, memref<64x32xi8>)
      outs(%c : memref<24x32xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %u = arith.extsi %x : i8 to i32
    %d = arith.subi %u, %zero : i32
    %v = arith.extui %y : i8 to i32
    %p = arith.muli %d, %v : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  }
  return
}

// Sums stay in tiles while the window moves. All of its columns are interleaved before, since
// rows use them again.
// CHECK-LABEL: func.func @convolution
// CHECK: %[[COPY:.*]] = memref.alloc() {{.*}}baco.copy} : memref<144x128xi8>
// CHECK: affine.vector_store %{{.*}}, %[[COPY]][(%{{.*}} * 3 + %{{.*}}) * 16 + %{{.*}}, 0]
// CHECK: affine.for %{{.*}} = 0 to 14 step 2 {
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tilezero"
// CHECK: affine.for %{{.*}} = 0 to 3 {
// CHECK-NEXT: affine.for %{{.*}} = 0 to 3 {
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbssd"
// CHECK-NOT: llvm.x86.tilezero
// CHECK: llvm.call_intrinsic "llvm.x86.tilestored64"
func.func @convolution(%i: memref<1x16x16x64xi8>, %w: memref<3x3x64x32xi8>,
                       %o: memref<1x14x14x32xi32>) {
  linalg.conv_2d_nhwc_hwcf
      ins(%i, %w : memref<1x16x16x64xi8>, memref<3x3x64x32xi8>)
      outs(%o : memref<1x14x14x32xi32>)
  return
}

// Constants have the copy of baco-dot-products.
// CHECK-LABEL: func.func @weights
// CHECK: memref.alloc() {{.*}}baco.copy} : memref<1x3x3x16x128xi8>
// CHECK-NOT: baco.copy
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbssd"
func.func @weights(%i: memref<1x16x16x64xi8>, %w: memref<3x3x64x32xi8> {baco.constant},
                       %o: memref<1x14x14x32xi32>) {
  linalg.conv_2d_nhwc_hwcf
      ins(%i, %w : memref<1x16x16x64xi8>, memref<3x3x64x32xi8>)
      outs(%o : memref<1x14x14x32xi32>)
  return
}
