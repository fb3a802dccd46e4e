// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"P":16}' -o %t.mlir
// RUN: %stock-mlir-opt %t.mlir --transform-interpreter -o %t.stock.mlir
// RUN: baco-opt %t.mlir --transform-interpreter -o %t.ours.mlir
// RUN: diff %t.stock.mlir %t.ours.mlir
// RUN: FileCheck %s --input-file=%t.stock.mlir
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"P":1}' -o %t.one.mlir
// RUN: %stock-mlir-opt %t.one.mlir --transform-interpreter -o %t.one.stock.mlir
// RUN: baco-opt %t.one.mlir --transform-interpreter -o %t.one.ours.mlir
// RUN: diff %t.one.stock.mlir %t.one.ours.mlir
// RUN: FileCheck %s --check-prefix=ONE --input-file=%t.one.stock.mlir

// The sums of a row go on in 16 partial sums, in registers, which are combined
// behind the loop. With one of them there is only the loop.

// CHECK-LABEL: func.func @sums
// CHECK: %[[PARTS:.*]] = memref.alloc() {{.*}} : memref<4x16xf32>
// CHECK: scf.for %{{.*}} = %c0 to %c64 step %c4
// CHECK: linalg.fill ins(%cst{{.*}}) outs(%[[PARTS]]
// CHECK: scf.for %{{.*}} = %c0 to %c256 step %c16 iter_args({{.*}}) -> (vector<4x16xf32>)
// CHECK-COUNT-4: vector.load
// CHECK: arith.addf %{{.*}} : vector<4x16xf32>
// CHECK: scf.yield
// CHECK: linalg.reduce ins(%[[PARTS]]
// CHECK: memref.dealloc %[[PARTS]]
// CHECK: transform.named_sequence
// CHECK-NOT: baco

// ONE-LABEL: func.func @sums
// ONE-NOT: memref.alloc
// ONE: scf.for %{{.*}} = %c0 to %c64 step %c4
// ONE: scf.for %{{.*}} = %c0 to %c256 step %c1 iter_args({{.*}}) -> (vector<4xf32>)
// ONE-NOT: linalg.
// ONE: transform.named_sequence
#in = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>
func.func @sums(%A: memref<64x256xf32>, %C: memref<64xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<64x256xf32> to tensor<64x256xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<64xf32> to tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#in, #out],
                       iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<64x256xf32>) outs(%c : tensor<64xf32>)
    attrs = {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [4, 0]>,
      #baco.split_reduction<iterator = 1, factor = #baco.knob<"P", #baco.ordinal<[1, 16, 32], log>>>,
      #baco.vectorize<>, #baco.bufferize<>, #baco.hoist<>]>} {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %y, %x : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
