// RUN: baco-opt %s --baco-extract-space -o /dev/null \
// RUN:   | tr -d ' \n' | FileCheck %s

// A schedule written by hand, without any attribute of ours.

// CHECK:      "name":"tile_m","kind":"ordinal","values":[4,8,16]
// CHECK-SAME: "default":8
// CHECK-SAME: "location":"{{[^"]*}}extract-space.mlir:19:
// CHECK-SAME: "name":"tile_n","kind":"integer","range":[8,64],"step":8
// CHECK-SAME: "name":"mode","kind":"categorical","values":["a","b"]
// CHECK-SAME: "expression":"((tile_m*tile_n)<=256)"
// CHECK-SAME: "reason":"assertedbytheschedule"
// CHECK-SAME: "location":"{{[^"]*}}extract-space.mlir:31:
// CHECK-SAME: "count":"28"
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %m = transform.tune.knob<"tile_m"> options = [8, 4, 16]
        -> !transform.param<i64>
    %n = transform.tune.knob<"tile_n"> options = {lb = 8, ub = 64, step = 8}
        -> !transform.param<i64>
    %mode = transform.tune.knob<"mode"> options = ["a", "b"]
        -> !transform.any_param
    transform.smt.constrain_params(%m, %n)
        : (!transform.param<i64>, !transform.param<i64>) -> () {
    ^bb0(%a: !smt.int, %b: !smt.int):
      %limit = smt.int.constant 256
      %product = smt.int.mul %a, %b
      %fits = smt.int.cmp le %product, %limit
      smt.assert %fits
    }
    %t, %l:2 = transform.structured.tile_using_for %mm tile_sizes [%m, %n]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
