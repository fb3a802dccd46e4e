// Steps that a knob switches: on, and off, by stock tools.
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"P":1,"V":1,"H":1,"T":0}' -o %t.on.mlir
// RUN: %stock-mlir-opt %t.on.mlir --transform-interpreter -o %t.on.stock.mlir
// RUN: baco-opt %t.on.mlir --transform-interpreter -o %t.on.ours.mlir
// RUN: diff %t.on.stock.mlir %t.on.ours.mlir
// RUN: FileCheck %s --check-prefix=ON --input-file=%t.on.stock.mlir
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"P":0,"V":0,"H":0,"T":8}' -o %t.off.mlir
// RUN: %stock-mlir-opt %t.off.mlir --transform-interpreter -o %t.off.stock.mlir
// RUN: baco-opt %t.off.mlir --transform-interpreter -o %t.off.ours.mlir
// RUN: diff %t.off.stock.mlir %t.off.ours.mlir
// RUN: FileCheck %s --check-prefix=OFF --input-file=%t.off.stock.mlir

// A block in a buffer, sums in registers; or neither, and no vectors. A knob of 0
// leaves no loop over the second iterator.
// ON-LABEL: func.func @matmul
// ON:     memref.alloc
// ON:     scf.for
// ON-NOT: linalg.matmul
// ON:     iter_args({{.*}}vector<
// OFF-LABEL: func.func @matmul
// OFF-NOT: memref.alloc
// OFF-NOT: vector
// OFF-COUNT-3: scf.for
// OFF:     linalg.matmul
func.func @matmul(%A: memref<64x32xf32>, %B: memref<32x16xf32>, %C: memref<64x16xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [8, #baco.knob<"T", #baco.ordinal<[0, 8]>>, 0]>,
      #baco.promote<operands = [0], enabled = #baco.knob<"P", #baco.ordinal<[0, 1]>>>,
      #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<enabled = #baco.knob<"V", #baco.ordinal<[0, 1]>>>,
      #baco.hoist<enabled = #baco.knob<"H", #baco.ordinal<[0, 1]>>>]>}
    ins(%A, %B : memref<64x32xf32>, memref<32x16xf32>) outs(%C : memref<64x16xf32>)
  return
}
