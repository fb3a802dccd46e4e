// The schedule of this kernel takes for ever to be applied.
module attributes {transform.with_named_sequence} {
  func.func @slow(%A: memref<64xf32>) {
    %c = arith.constant 1.0 : f32
    affine.for %i = 0 to 64 {
      %0 = affine.load %A[%i] : memref<64xf32>
      %1 = arith.addf %0, %c : f32
      %2 = arith.addf %1, %c : f32
      %3 = arith.addf %2, %c : f32
      %4 = arith.addf %3, %c : f32
      %5 = arith.addf %4, %c : f32
      %6 = arith.addf %5, %c : f32
      %7 = arith.addf %6, %c : f32
      %8 = arith.addf %7, %c : f32
      %9 = arith.addf %8, %c : f32
      %10 = arith.addf %9, %c : f32
      affine.store %10, %A[%i] : memref<64xf32>
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["arith.addf"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %ops : !transform.any_op {
    ^bb0(%a: !transform.any_op):
      transform.foreach %ops : !transform.any_op {
      ^bb0(%b: !transform.any_op):
        transform.foreach %ops : !transform.any_op {
        ^bb0(%c: !transform.any_op):
          transform.foreach %ops : !transform.any_op {
          ^bb0(%d: !transform.any_op):
            transform.foreach %ops : !transform.any_op {
            ^bb0(%e: !transform.any_op):
              transform.foreach %ops : !transform.any_op {
              ^bb0(%f: !transform.any_op):
                transform.foreach %ops : !transform.any_op {
                ^bb0(%g: !transform.any_op):
                  transform.foreach %ops : !transform.any_op {
                  ^bb0(%h: !transform.any_op):
                    transform.foreach %ops : !transform.any_op {
                    ^bb0(%i: !transform.any_op):
                      transform.annotate %i "seen" : !transform.any_op
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    %loop = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop {factor = 2 : i64, baco.bind = {factor = "U"}} : !transform.any_op
    transform.tune.knob<"U"> options = [2, 4] -> !transform.any_param
    transform.yield
  }
}
