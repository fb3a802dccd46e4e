// RUN: baco-opt %s --baco-concretize='configuration={"tile":16,"order":[1,0],"U":4}' \
// RUN:   -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=baco. \
// RUN:   --implicit-check-not=tune. --implicit-check-not=smt.
// RUN: %stock-mlir-opt %t.mlir --transform-interpreter | FileCheck %s --check-prefix=PAYLOAD

// Every choice is resolved, nothing of ours is left, and the stock tool runs
// the result.

// CHECK:         transform.named_sequence @__transform_main
// CHECK-DAG:     %[[TILE:.*]] = transform.param.constant 16 : i64
// CHECK-DAG:     %[[HALF:.*]] = transform.param.constant 8 : i64
// CHECK:         tile_using_for %{{.*}} tile_sizes [%[[TILE]], %[[HALF]]] interchange = [1, 0]
// CHECK:         transform.loop.unroll %{{.*}} {factor = 4 : i64}

// A loop over the columns (by 8) outside; the one over the rows (by 16) had four
// trips and is unrolled.
// PAYLOAD:         scf.for {{.*}} {
// PAYLOAD-NOT:     scf.for
// PAYLOAD-COUNT-4: linalg.matmul {{.*}} memref<16x64xf32, {{.*}} memref<64x8xf32
// PAYLOAD-NOT:     linalg.matmul
// PAYLOAD:         return
module attributes {transform.with_named_sequence} {
func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
             %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                outs(%c : memref<64x64xf32>)
  return
}

  transform.named_sequence @__transform_main(%root: !transform.any_op)
      attributes {baco.constraints = [#baco.constraint<"tile * U <= 64", "why">]} {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tile = transform.tune.knob<"tile"> options = [8, 16]
        -> !transform.param<i64>
    %order = transform.tune.knob<"order"> options = #baco.permutation<2>
        -> !transform.any_param
    %u = transform.tune.knob<"U"> options = #baco.integer<1 to 4>
        -> !transform.any_param
    %half = transform.smt.constrain_params(%tile)
        : (!transform.param<i64>) -> !transform.param<i64> {
    ^bb0(%x: !smt.int):
      %two = smt.int.constant 2
      %h = smt.declare_fun : !smt.int
      %twice = smt.int.mul %two, %h
      %q = smt.int.div %x, %two
      %is = smt.eq %h, %q : !smt.int
      smt.assert %is
      %exact = smt.eq %twice, %x : !smt.int
      smt.assert %exact
      smt.yield %h : !smt.int
    }
    %t, %l:2 = transform.structured.tile_using_for %mm tile_sizes [%tile, %half]
        {baco.bind = {interchange = "order"}}
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.loop.unroll %l#1 {factor = 1 : i64, baco.bind = {factor = "U"}}
        : !transform.any_op
    transform.yield
  }
}
