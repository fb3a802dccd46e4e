module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["affine.for"]} attributes {this}
        in %root : (!transform.any_op) -> !transform.any_op
    transform.baco.vectorize_loop %loop {width = 4} : !transform.any_op
    transform.yield
  }
}
