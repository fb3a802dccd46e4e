// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"N":2}' -o %t.two.mlir
// RUN: baco-opt %t.two.mlir --transform-interpreter | FileCheck %s --check-prefix=TWO
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"N":1}' \
// RUN:   | baco-opt --transform-interpreter | FileCheck %s --check-prefix=ONE
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"N":0}' -o %t.n.mlir
// RUN: %stock-mlir-opt %t.n.mlir --transform-interpreter -o %t.n.stock.mlir
// RUN: baco-opt %t.n.mlir --transform-interpreter -o %t.n.ours.mlir
// RUN: diff %t.n.stock.mlir %t.n.ours.mlir
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.n.stock.mlir

// As many ops as the knob says work on the tile that is there; with none the
// schedule is stock.

// TWO-LABEL: func.func @matmul
// TWO: linalg.broadcast
// TWO-NOT: linalg.
// TWO: scf.for
// TWO: scf.for
// TWO: %[[PRODUCT:.*]] = scf.for
// TWO: linalg.matmul
// TWO: %[[SUM:.*]] = linalg.add ins(%[[PRODUCT]], {{.*}} : tensor<8x16xf32>, tensor<8x16xf32>)
// TWO-NEXT: tensor.insert_slice
// TWO: linalg.exp ins(%[[SUM]] : tensor<8x16xf32>)
// TWO-NOT: linalg.
// TWO: transform.named_sequence
// TWO: transform.baco.fuse_consumers {{.*}} {count = 2 : i64}

// ONE-LABEL: func.func @matmul
// ONE: linalg.matmul
// ONE: linalg.add {{.*}} -> tensor<8x16xf32>
// ONE: linalg.exp {{.*}} -> tensor<64x48xf32>
// ONE: transform.named_sequence

// NONE-LABEL: func.func @matmul
// NONE: linalg.matmul
// NONE: linalg.add {{.*}} -> tensor<64x48xf32>
// NONE: linalg.exp {{.*}} -> tensor<64x48xf32>
// NONE: transform.named_sequence
// NONE-NOT: transform.baco
func.func @matmul(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %bias: tensor<48xf32>,
                  %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %empty = tensor.empty() : tensor<64x48xf32>
  %product = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [8, 16, 0], order = [1, 0]>,
      #baco.fuse_consumers<count = #baco.knob<"N", #baco.ordinal<[0, 1, 2]>>>,
      #baco.tile<sizes = [0, 0, 4]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  %rows = linalg.broadcast ins(%bias : tensor<48xf32>) outs(%empty : tensor<64x48xf32>) dimensions = [0]
  %sum = linalg.add ins(%product, %rows : tensor<64x48xf32>, tensor<64x48xf32>)
    outs(%empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %e = linalg.exp ins(%sum : tensor<64x48xf32>) outs(%empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %e : tensor<64x48xf32>
}
