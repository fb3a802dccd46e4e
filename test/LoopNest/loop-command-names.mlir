// RUN: baco-opt %s --baco-concretize='configuration={"order":[1,0],"T":8,"U":2}' \
// RUN:   | FileCheck %s
// RUN: baco-opt %s --baco-concretize='configuration={"order":[1,0],"T":8,"U":2}' \
// RUN:   | baco-opt --transform-interpreter | FileCheck %s --check-prefix=LOOPS

// Values replace the names of knobs in commands: in fields, in conditions, and,
// counted from 1, as orders.

// CHECK:      transform.baco.restructure
// CHECK-SAME:   #baco.loop_permute<order = [2, 1]>
// CHECK-SAME:   #baco.loop_tile<statement = 0, loop = 2, size = 8>
// CHECK-SAME:   #baco.loop_split<statement = 0, loop = 1, condition = "L1>=8+2 and L1<100">
// CHECK-SAME:   #baco.loop_unroll<statement = 0, loop = 3, factor = 2>
// CHECK-NOT:  knob

// LOOPS: affine.for %{{.*}} step 8
// LOOPS: affine.for %{{.*}} step 2
module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<64x32xf32>, %B: memref<32x64xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 32 {
      %a = affine.load %A[%i, %j] : memref<64x32xf32>
      affine.store %a, %B[%j, %i] : memref<32x64xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %order = transform.tune.knob<"order"> options = #baco.permutation<2>
      -> !transform.any_param
  %t = transform.tune.knob<"T"> options = [0, 8, 16] -> !transform.param<i64>
  %u = transform.tune.knob<"U"> options = [1, 2] -> !transform.param<i64>
  %new = transform.baco.restructure %f [
      #baco.loop_permute<order = "order">,
      #baco.loop_tile<statement = 0, loop = 2, size = "T">,
      #baco.loop_split<statement = 0, loop = 1, condition = "L1>=T+U and L1<100">,
      #baco.loop_unroll<statement = 0, loop = 3, factor = "U">]
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
