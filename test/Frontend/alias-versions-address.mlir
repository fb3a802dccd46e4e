// Whoever has the address of a function may pass it one buffer twice, whether it
// is private or not. Functions that write none of their arguments stay.
// RUN: baco-opt %s --baco-specialize-shapes --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @pointed(
// CHECK-SAME:      attributes {baco.no_tune}
// CHECK:         scf.if
// CHECK:           call @pointed_noalias(
// CHECK-LABEL: func.func private @pointed_noalias(
func.func @pointed(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>)
    outs(%b : memref<64x64xf32>)
  return
}

// CHECK-LABEL: func.func private @hidden(
// CHECK-SAME:      attributes {baco.no_tune}
// CHECK:         call @hidden_noalias(
// CHECK-LABEL: func.func private @hidden_noalias(
func.func private @hidden(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>)
    outs(%b : memref<64x64xf32>)
  return
}

// CHECK-LABEL: func.func @named(
// CHECK-SAME:      attributes {baco.no_tune}
// CHECK:         call @named_noalias(
// CHECK-LABEL: func.func private @named_noalias(
func.func @named(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>)
    outs(%b : memref<64x64xf32>)
  return
}

// CHECK-LABEL: func.func @single(
// CHECK-NOT:     baco.no_tune
func.func @single(%a: memref<64x64xf32>) {
  linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>)
    outs(%a : memref<64x64xf32>)
  return
}

// CHECK-LABEL: func.func @strided(
// CHECK-SAME:      attributes {baco.no_tune}
// expected-remark @below {{not tuned: a use of its address in this module may pass one buffer for the arguments 0 and 1; pass different buffers (argument 1 isn't contiguous)}}
func.func @strided(%a: memref<64x64xf32>,
                   %b: memref<64x64xf32, strided<[64, 1], offset: 32>>) {
  linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>)
    outs(%b : memref<64x64xf32, strided<[64, 1], offset: 32>>)
  return
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME:      attributes {callback = @named}
// CHECK-DAG:     constant @pointed
// CHECK-DAG:     constant @hidden
func.func @main(%x: memref<64x64xf32>,
                %y: memref<64x64xf32, strided<[64, 1], offset: 32>>)
    attributes {callback = @named} {
  %0 = func.constant @pointed : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  call_indirect %0(%x, %x) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  %1 = func.constant @hidden : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  call_indirect %1(%x, %x) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  %2 = func.constant @single : (memref<64x64xf32>) -> ()
  call_indirect %2(%x) : (memref<64x64xf32>) -> ()
  %3 = func.constant @strided
    : (memref<64x64xf32>, memref<64x64xf32, strided<[64, 1], offset: 32>>) -> ()
  call_indirect %3(%x, %y)
    : (memref<64x64xf32>, memref<64x64xf32, strided<[64, 1], offset: 32>>) -> ()
  return
}
