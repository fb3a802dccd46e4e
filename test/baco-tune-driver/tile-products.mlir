// Products of bytes by AMX are those of the plain kernel, whatever the signs and the zero point, in
// convolutions, with constant weights and by two threads.
// REQUIRES: amx-int8
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=8 --seed=2 --output-dir=%t --host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152,dot-products=2 2>&1 | FileCheck %s
// RUN: baco-opt %t/tile-products.tuned.mlir --baco-lower-to-cpu | FileCheck %s --check-prefix=LOWERED
// RUN: baco-tune-driver %s --budget=4 --seed=3 --threads=2 --output-dir=%t/threads 2>&1 | FileCheck %s

// CHECK-NOT: wrong-result
// CHECK: {{^}}kernel
// CHECK-NEXT: {{^}}signed {{.*}}x
// CHECK-NEXT: {{^}}transposed {{.*}}x
// CHECK-NEXT: {{^}}convolution {{.*}}x
// CHECK-NEXT: {{^}}weights {{.*}}x

// LOWERED-LABEL: llvm.func @signed(
// LOWERED: tdpbssd
// LOWERED-LABEL: llvm.func @transposed(
// LOWERED: tdpbusd
// LOWERED-LABEL: llvm.func @convolution(
// LOWERED: tdpbssd
// LOWERED-LABEL: llvm.func @weights_prepare(
// LOWERED-NOT: tdpb
// LOWERED: llvm.return
// LOWERED: tdpbssd
// LOWERED: @baco_permit_tiles

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#t = affine_map<(i, j, k) -> (j, k)>
#c = affine_map<(i, j, k) -> (i, j)>

func.func @signed(%a: memref<45x131xi8>, %b: memref<131x80xi8>,
                  %c: memref<45x80xi32>) {
  %zero = arith.constant -100 : i32
  linalg.generic {indexing_maps = [#a, #b, #c],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<45x131xi8>, memref<131x80xi8>)
      outs(%c : memref<45x80xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %u = arith.extsi %x : i8 to i32
    %d = arith.subi %u, %zero : i32
    %v = arith.extsi %y : i8 to i32
    %p = arith.muli %d, %v : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  }
  return
}

func.func @transposed(%a: memref<64x100xi8>, %b: memref<96x100xi8>,
                      %c: memref<64x96xi32>) {
  linalg.generic {indexing_maps = [#a, #t, #c],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x100xi8>, memref<96x100xi8>)
      outs(%c : memref<64x96xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %u = arith.extui %x : i8 to i32
    %v = arith.extsi %y : i8 to i32
    %p = arith.muli %u, %v : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  }
  return
}

func.func @convolution(%i: memref<1x16x16x64xi8>, %w: memref<3x3x64x32xi8>,
                       %o: memref<1x14x14x32xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%o : memref<1x14x14x32xi32>)
  linalg.conv_2d_nhwc_hwcf
      ins(%i, %w : memref<1x16x16x64xi8>, memref<3x3x64x32xi8>)
      outs(%o : memref<1x14x14x32xi32>)
  return
}

func.func @weights(%i: memref<1x16x16x64xi8>,
                   %w: memref<3x3x64x32xi8> {baco.constant},
                   %o: memref<1x14x14x32xi32>) {
  %zero = arith.constant 0 : i32
  %point = arith.constant 7 : i32
  linalg.fill ins(%zero : i32) outs(%o : memref<1x14x14x32xi32>)
  linalg.conv_2d_nhwc_hwcf_q
      ins(%i, %w, %point, %zero : memref<1x16x16x64xi8>, memref<3x3x64x32xi8>, i32, i32)
      outs(%o : memref<1x14x14x32xi32>)
  return
}
