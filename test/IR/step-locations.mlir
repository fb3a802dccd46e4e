// A recipe of several steps is printed to be edited, and an error is at the step.
// RUN: split-file %s %t
// RUN: baco-opt %t/lines.mlir -o %t/printed.mlir
// RUN: FileCheck %s --match-full-lines --strict-whitespace --input-file=%t/printed.mlir
// RUN: baco-opt %t/printed.mlir | cmp - %t/printed.mlir
// RUN: not baco-opt %t/error.mlir 2>&1 | FileCheck %s --check-prefix=ERROR --implicit-check-not="{{\^}}"
// RUN: not baco-opt %t/alias.mlir 2>&1 | FileCheck %s --check-prefix=ALIAS

//      CHECK:    linalg.matmul {baco.recipe = #baco.recipe<[
// CHECK-NEXT:      #baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[16, 32]>>, 8, 1]>,
// CHECK-NEXT:      #baco.vectorize<>,
// CHECK-NEXT:      #baco.hoist<>],
// CHECK-NEXT:    where = [
// CHECK-NEXT:      "T > 8" : "a reason",
// CHECK-NEXT:      advisory "T < 32"]>} ins(%arg0, %arg1 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg2 : memref<64x64xf32>)
// One step or condition needs no line of its own.
// CHECK-NEXT:    linalg.matmul {baco.recipe = #baco.recipe<[#baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[16, 32]>>, 8, 1]>], where = ["T > 8"]>} ins(%arg0, %arg1 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg2 : memref<64x64xf32>)

// ERROR:      error.mlir:7:5: error: 'linalg.matmul' op command 1 of its recipe, #baco.loop_tile<statement = 0, loop = 4, size = 4>, needs 4 loops, but there are 3
// ERROR-NEXT: #baco.loop_tile<statement = 0, loop = 4, size = 4>]>}
// ERROR-NEXT: {{^    \^$}}

// ALIAS: alias.mlir:2:34: error: 'linalg.matmul' op recipe step 2 (promote): there is no operand 3, the op has 3

//--- lines.mlir
func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[#baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[16, 32]>>, 8, 1]>, #baco.vectorize<>, #baco.hoist<>],
     where = ["T > 8" : "a reason", advisory "T < 32"]>} ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[16, 32]>>, 8, 1]>], where = ["T > 8"]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
//--- error.mlir
// The same steps are at two ops, and wrong at the second one only.
func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>, %x: memref<64x64x64xf32>) {
  linalg.batch_matmul {baco.recipe = #baco.recipe<[
    #baco.loop_tile<statement = 0, loop = 4, size = 4>]>}
    ins(%x, %x : memref<64x64x64xf32>, memref<64x64x64xf32>) outs(%x : memref<64x64x64xf32>)
  linalg.matmul {baco.recipe = #baco.recipe<[
    #baco.loop_tile<statement = 0, loop = 4, size = 4>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
//--- alias.mlir
#steps = #baco.recipe<[
  #baco.tile<sizes = [4, 4, 4]>, #baco.promote<operands = [3]>]>
func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #steps} ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
