// A schedule for tables: 8 x 8 x 3 configurations, of which 129 are allowed.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %a = transform.tune.knob<"a"> options = [1, 2, 4, 8, 16, 32, 64, 128]
        -> !transform.param<i64>
    %b = transform.tune.knob<"b"> options = [1, 2, 4, 8, 16, 32, 64, 128]
        -> !transform.param<i64>
    %mode = transform.tune.knob<"mode"> options = ["x", "y", "z"]
        -> !transform.any_param
    transform.smt.constrain_params(%a, %b)
        : (!transform.param<i64>, !transform.param<i64>) -> () {
    ^bb0(%x: !smt.int, %y: !smt.int):
      %limit = smt.int.constant 256
      %area = smt.int.mul %x, %y
      %fits = smt.int.cmp le %area, %limit
      smt.assert %fits
    }
    %tiled, %loops:2 = transform.structured.tile_using_for %mm
        tile_sizes [%a, %b]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
