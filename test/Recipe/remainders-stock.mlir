// RUN: baco-opt %s --baco-expand-recipes \
// RUN:     --baco-concretize='configuration={"MC":16,"KC":16,"NR":32,"MR":8}' -o %t.mlir
// RUN: %stock-mlir-opt %t.mlir --transform-interpreter -o %t.stock.mlir
// RUN: baco-opt %t.mlir --transform-interpreter -o %t.ours.mlir
// RUN: diff %t.stock.mlir %t.ours.mlir
// RUN: FileCheck %s --input-file=%t.stock.mlir
// RUN: baco-opt %s --baco-expand-recipes \
// RUN:     --baco-concretize='configuration={"MC":37,"KC":32,"NR":16,"MR":4}' \
// RUN:   | %stock-mlir-opt --transform-interpreter | FileCheck %s --check-prefix=OTHER

// Upstream alone makes the parts, each with its register tile in the innermost
// loop. 37 rows in blocks of 12 and 13; 41 = 2 * 16 + 9; 59 = 32 + 27 columns,
// and 27 in tiles of 6 and 7. 12 rows are two tiles of 6.

// CHECK-LABEL: func.func @matmul
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c1 iter_args({{.*}}) -> (vector<6x32xf32>)
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c1 iter_args({{.*}}) -> (vector<6x6xf32>)
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c1 iter_args({{.*}}) -> (vector<6x7xf32>)
// CHECK: scf.for %{{.*}} = %c0 to %c9 step %c1 iter_args({{.*}}) -> (vector<6x32xf32>)
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c1 iter_args({{.*}}) -> (vector<7x32xf32>)
// CHECK: scf.for %{{.*}} = %c0 to %c9 step %c1 iter_args({{.*}}) -> (vector<7x7xf32>)
// CHECK-NOT: linalg.
// CHECK: transform.named_sequence

// A single block of rows: 37 = 3 * 3 + 7 * 4.
// OTHER-LABEL: func.func @matmul
// OTHER: scf.for %{{.*}} = %c0 to %c32 step %c1 iter_args({{.*}}) -> (vector<3x16xf32>)
// OTHER: scf.for %{{.*}} = %c0 to %c32 step %c1 iter_args({{.*}}) -> (vector<4x16xf32>)
// OTHER: scf.for %{{.*}} = %c0 to %c9 step %c1 iter_args({{.*}}) -> (vector<3x16xf32>)
// OTHER-NOT: linalg.
// OTHER: transform.named_sequence
func.func @matmul(%A: memref<37x41xf32>, %B: memref<41x59xf32>, %C: memref<37x59xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"MC", #baco.ordinal<[16, 37]>>, 0,
                          #baco.knob<"KC", #baco.ordinal<[16, 32]>>],
                 order = [1, 0], remainders = ["balance", "exact", "split"]>,
      #baco.promote<operands = [0]>,
      #baco.tile<sizes = [0, #baco.knob<"NR", #baco.ordinal<[16, 32]>>, 0],
                 remainders = ["exact", "split", "exact"], rest = 8>,
      #baco.promote<operands = [1]>,
      #baco.tile<sizes = [#baco.knob<"MR", #baco.ordinal<[4, 8]>>, 0, 0],
                 remainders = ["balance", "exact", "exact"]>,
      #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<copy_length = 8>,
      #baco.hoist<>]>}
    ins(%A, %B : memref<37x41xf32>, memref<41x59xf32>)
    outs(%C : memref<37x59xf32>)
  return
}
