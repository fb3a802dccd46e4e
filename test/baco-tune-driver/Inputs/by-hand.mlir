// A schedule with choices, and nothing of baco: tiled or not; if tiled, 3 sizes
// by 3 widths, of which 6 are not wider than the size.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.tune.alternatives<"how"> {
      %size = transform.tune.knob<"size"> options = [4, 8, 16]
          -> !transform.param<i64>
      %width = transform.tune.knob<"width"> options = [4, 8, 16]
          -> !transform.param<i64>
      transform.smt.constrain_params(%size, %width)
          : (!transform.param<i64>, !transform.param<i64>) -> () {
      ^bb0(%s: !smt.int, %w: !smt.int):
        %fits = smt.int.cmp le %w, %s
        smt.assert %fits
      }
      %tiled, %loops:2 = transform.structured.tile_using_for %mm
          tile_sizes [%size, %width]
          : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
          -> (!transform.any_op, !transform.any_op, !transform.any_op)
    }, {
    }
    transform.yield
  }
}
