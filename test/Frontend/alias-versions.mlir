// Functions that are called with one buffer for two arguments, one of which they
// write, get a version for other calls; parts of a buffer that are apart are
// different memory.
// RUN: baco-opt %s --baco-specialize-shapes --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @twice(
// CHECK-SAME:      %[[A:.*]]: memref<64x64xf32>, %[[B:.*]]: memref<64x64xf32>)
// CHECK-SAME:      attributes {baco.no_tune}
// CHECK-DAG:     %[[a:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// CHECK-DAG:     %[[b:.*]] = memref.extract_aligned_pointer_as_index %[[B]]
// CHECK-DAG:     %[[BYTES:.*]] = arith.constant 16384
// CHECK-DAG:     %[[aEND:.*]] = arith.addi %[[a]], %[[BYTES]]
// CHECK-DAG:     %[[bEND:.*]] = arith.addi %[[b]], %[[BYTES]]
// CHECK-DAG:     %[[BEHIND:.*]] = arith.cmpi uge, %[[a]], %[[bEND]]
// CHECK-DAG:     %[[BEFORE:.*]] = arith.cmpi uge, %[[b]], %[[aEND]]
// CHECK:         %[[APART:.*]] = arith.ori %[[BEHIND]], %[[BEFORE]]
// CHECK:         scf.if %[[APART]] {
// CHECK:           call @twice_noalias(%[[A]], %[[B]])
// CHECK:         } else {
// CHECK:           linalg.matmul
// CHECK-LABEL: func.func private @twice_noalias(
func.func @twice(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>)
    outs(%b : memref<64x64xf32>)
  return
}

// CHECK-LABEL: func.func @reads(
// CHECK-NOT:     baco.no_tune
// CHECK-LABEL: func.func @halves(
// CHECK-NOT:     baco.no_tune
// CHECK-LABEL: func.func @overlaps(
// CHECK-SAME:      attributes {baco.no_tune}
func.func @reads(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
                 %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}
func.func @halves(%a: memref<64x64xf32, strided<[64, 1]>>,
                  %b: memref<64x64xf32, strided<[64, 1], offset: 4096>>) {
  linalg.matmul ins(%a, %a : memref<64x64xf32, strided<[64, 1]>>,
                             memref<64x64xf32, strided<[64, 1]>>)
    outs(%b : memref<64x64xf32, strided<[64, 1], offset: 4096>>)
  return
}

// expected-remark @below {{not tuned: a call in this module may pass one buffer for the arguments 0 and 1; pass different buffers (argument 1 isn't contiguous)}}
func.func @overlaps(%a: memref<64x64xf32>,
                    %b: memref<64x64xf32, strided<[64, 1], offset: 32>>) {
  linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>)
    outs(%b : memref<64x64xf32, strided<[64, 1], offset: 32>>)
  return
}

// CHECK-LABEL: func.func @decided(
// CHECK-NOT:     baco.no_tune
// CHECK-LABEL: func.func @main(
func.func @decided(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[#baco.tile<sizes = [8, 0, 0]>]>}
    ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>)
    outs(%b : memref<64x64xf32>)
  return
}

memref.global @table : memref<64x64xf32>

func.func @main(%x: memref<128x64xf32>, %y: memref<64x64xf32>) {
  %t0 = memref.get_global @table : memref<64x64xf32>
  %t1 = memref.get_global @table : memref<64x64xf32>
  call @twice(%t0, %t1) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  call @decided(%t0, %t1) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  call @reads(%y, %y, %t0)
    : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
  %upper = memref.subview %x[0, 0] [64, 64] [1, 1]
    : memref<128x64xf32> to memref<64x64xf32, strided<[64, 1]>>
  %lower = memref.subview %x[64, 0] [64, 64] [1, 1]
    : memref<128x64xf32> to memref<64x64xf32, strided<[64, 1], offset: 4096>>
  call @halves(%upper, %lower)
    : (memref<64x64xf32, strided<[64, 1]>>,
       memref<64x64xf32, strided<[64, 1], offset: 4096>>) -> ()
  %odd = memref.reinterpret_cast %y to offset: [32], sizes: [64, 64],
    strides: [64, 1]
    : memref<64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: 32>>
  call @overlaps(%y, %odd)
    : (memref<64x64xf32>, memref<64x64xf32, strided<[64, 1], offset: 32>>) -> ()
  return
}
