// Where candidates are only nearly right, the summary says which tolerance
// would do.
// RUN: rm -rf %t
// RUN: %exits 3 baco-tune-driver %s --optimizer=exhaustive --output-dir=%t \
// RUN:   %quick 2>&1 | FileCheck %s
// RUN: baco-tune-driver %s --optimizer=exhaustive --output-dir=%t %quick \
// RUN:   --tolerance=30 | FileCheck %s --check-prefix=ALLOWED

// CHECK-DAG: error: 'kernel' has no schedule that works: {{.*}}nearly right, the best one within [[FACTOR:2[0-9.]*]] times the tolerance; if that is precise enough, pass --tolerance=[[FACTOR]]
// CHECK-DAG: kernel: 2 evaluations, 2 failed (2 wrong-result)

// ALLOWED: kernel: 2 evaluations{{$}}
func.func @kernel(%A: memref<8x8xf32>, %B: memref<8x8xf32>) {
  linalg.copy ins(%A : memref<8x8xf32>) outs(%B : memref<8x8xf32>)
  return
}

// The tolerance is 2 epsilon, which is 2^-22.
func.func private @imprecise(%B: memref<8x8xf32>) {
  %factor = arith.constant 0.999994 : f32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %b = affine.load %B[%i, %j] : memref<8x8xf32>
      %c = arith.mulf %b, %factor : f32
      affine.store %c, %B[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %kernel = transform.structured.match ops{["func.func"]}
        attributes{sym_name = "kernel"} in %root
        : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["linalg.copy"]} in %kernel
        : (!transform.any_op) -> !transform.any_op
    %b = transform.get_operand %op[1]
        : (!transform.any_op) -> !transform.any_value
    transform.func.cast_and_call @imprecise(%b) after %op
        : (!transform.any_op, !transform.any_value) -> !transform.any_op
    %size = transform.tune.knob<"size"> options = [4, 8]
        -> !transform.param<i64>
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [%size]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
