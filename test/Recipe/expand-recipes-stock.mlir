// RUN: baco-opt %s --baco-expand-recipes \
// RUN:     --baco-concretize='configuration={"MC":32,"KC":16,"order":[1,0],"NR":16,"MR":4,"CV":8}' \
// RUN:   | %stock-mlir-opt --transform-interpreter | FileCheck %s

// With its knobs resolved the schedule is plain upstream IR. That all works
// shows in the innermost loop: it carries the register tile.

// CHECK-LABEL: func.func @matmul
// CHECK: scf.for %{{.*}} = %c0 to %c64 step %c16
// CHECK: scf.for %{{.*}} = %c0 to %c64 step %c32
// CHECK: vector.load %{{.*}} : memref<64x64xf32>, vector<8xf32>
// CHECK: vector.store %{{.*}} : memref<32x16xf32>, vector<8xf32>
// CHECK: scf.for %{{.*}} = %c0 to %c64 step %c16
// CHECK: vector.store %{{.*}} : memref<16x16xf32>, vector<8xf32>
// CHECK: scf.for %{{.*}} = %c0 to %c32 step %c4
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c1 iter_args(%{{.*}}) -> (vector<4x16xf32>)
// CHECK-COUNT-4: vector.fma %{{.*}} : vector<16xf32>
// CHECK: scf.yield
// CHECK-NOT: linalg.
// CHECK: transform.named_sequence
// CHECK-NOT: baco
func.func @matmul(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"MC", #baco.ordinal<[32, 64]>>, 0,
                          #baco.knob<"KC", #baco.ordinal<[16, 32]>>],
                 order = #baco.knob<"order", #baco.permutation<2>>>,
      #baco.promote<operands = [0]>,
      #baco.tile<sizes = [0, #baco.knob<"NR", #baco.ordinal<[16, 32]>>, 0]>,
      #baco.promote<operands = [1]>,
      #baco.tile<sizes = [#baco.knob<"MR", #baco.ordinal<[4, 8]>>, 0, 0]>,
      #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<copy_length = #baco.knob<"CV", #baco.ordinal<[8, 16]>>>,
      #baco.hoist<>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}
