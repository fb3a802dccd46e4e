// Schedules that tile by stock ops are advised as recipes of tile steps are:
// each op tiles what the one before has tiled.
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{driver} = baco-tune-driver --host=l1=4096,l2=16384,l3=0
// RUN: %{driver} %t/product.mlir --schedule=%t/tile.mlir --emit-space=- | FileCheck %s --check-prefix=TILE
// TILE:      "expression": "MC * KC * 4 <= 16384",
// TILE-NEXT: "reason": "the tile of operand 0, which each iteration of the loop over iterator 1 reuses, stays in level 2",
// TILE-NEXT: "location": "{{.*}}tile.mlir:7:16",
// TILE-NEXT: "advisory": true
// TILE-NOT:  "expression"
// RUN: %exits 3 %{driver} %t/product.mlir --schedule=%t/tile.mlir --explain=MC=128,KC=128 | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN:      MC = 128, KC = 128: forbidden
// EXPLAIN-NEXT: {{.*}}MC * KC * 4 <= 16384{{.*}}stays in level 2{{.*}}tile.mlir:7:16{{.*}}advisory
// RUN: %{driver} %t/product.mlir --schedule=%t/tile.mlir --ignore-advisory --emit-space=- \
// RUN:   | FileCheck %s --check-prefix=NONE
// NONE: "constraints": [],

// What the default doesn't meet isn't said.
// RUN: sed 's/\[32, 64, 128\]/& {baco.default = 128}/' %t/tile.mlir > %t/default.mlir
// RUN: %{driver} %t/product.mlir --schedule=%t/default.mlir --emit-space=- | FileCheck %s --check-prefix=NONE

// Parallel tiles, in a region of alternatives; a tile is not larger than the loop.
// RUN: %{driver} %t/product.mlir --schedule=%t/forall.mlir --emit-space=- | FileCheck %s --check-prefix=FORALL
// FORALL:      "expression": "!(how == 0) || (min(T, 128) * 128 * 4 + 128 * min(T, 128) * 4 + min(T, 128) * min(T, 128) * 4 <= 16384)"
// FORALL-NEXT: "reason": "what a tile reads and writes stays in level 2",

// Nothing is known of sizes that are computed or follow from numbers of threads,
// or of an op that another choice may have changed.
// RUN: %{driver} %t/product.mlir --schedule=%t/computed.mlir --emit-space=- | FileCheck %s --check-prefix=COMPUTED
// COMPUTED-NOT: "advisory"
// RUN: %{driver} %t/product.mlir --schedule=%t/changed.mlir --emit-space=- | FileCheck %s --check-prefix=NONE
// RUN: %{driver} %t/product.mlir --schedule=%t/threads.mlir --emit-space=- | FileCheck %s --check-prefix=NONE

//--- product.mlir
func.func @product(%A: memref<128x128xf32>, %B: memref<128x128xf32>, %C: memref<128x128xf32>) {
  linalg.matmul ins(%A, %B : memref<128x128xf32>, memref<128x128xf32>)
                outs(%C : memref<128x128xf32>)
  return
}

//--- tile.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %mc = transform.tune.knob<"MC"> options = [32, 64, 128] -> !transform.param<i64>
    %kc = transform.tune.knob<"KC"> options = [32, 64, 128] -> !transform.param<i64>
    %0, %l:2 = transform.structured.tile_using_for %mm tile_sizes [%mc, 0, %kc]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %1, %j = transform.structured.tile_using_for %0 tile_sizes [0, 16]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %2, %i:2 = transform.structured.tile_using_for %1 tile_sizes [4, 0, 1]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.structured.vectorize %2 : !transform.any_op
    transform.yield
  }
}

//--- forall.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.tune.alternatives<"how"> {
      %t = transform.tune.knob<"T"> options = [8, 64, 512] -> !transform.param<i64>
      %0, %l = transform.structured.tile_using_forall %mm tile_sizes [%t, %t]
          : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
          -> (!transform.any_op, !transform.any_op)
    }, {
    }
    transform.yield
  }
}

//--- computed.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %t = transform.tune.knob<"T"> options = [1, 64, 128] -> !transform.param<i64>
    %size = transform.smt.constrain_params(%t)
        : (!transform.param<i64>) -> (!transform.param<i64>) {
    ^bb0(%x: !smt.int):
      %y = smt.declare_fun : !smt.int
      %two = smt.int.constant 2
      %twice = smt.int.mul %x, %two
      %is = smt.eq %y, %twice : !smt.int
      smt.assert %is
      smt.yield %y : !smt.int
    }
    %0, %l = transform.structured.tile_using_for %mm tile_sizes [%size]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- changed.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.tune.alternatives<"how"> {
    }, {
      %m = transform.structured.match ops{["linalg.matmul"]} in %root
          : (!transform.any_op) -> !transform.any_op
      %0, %l = transform.structured.tile_using_for %m tile_sizes [8]
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %t = transform.tune.knob<"T"> options = [1, 64, 128] -> !transform.param<i64>
    %0, %l:2 = transform.structured.tile_using_for %mm tile_sizes [0, %t, %t]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- threads.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %t = transform.tune.knob<"T"> options = [1, 2, 4] -> !transform.param<i64>
    %0, %l = transform.structured.tile_using_forall %mm num_threads [%t]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
