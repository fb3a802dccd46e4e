// Conditions that end the search of the pass before its budget does.
// RUN: echo "size,time_ns" > %t.csv
// RUN: echo "4,300" >> %t.csv
// RUN: echo "8,100" >> %t.csv
// RUN: echo "16,200" >> %t.csv
// RUN: baco-opt %s --verify-diagnostics \
// RUN:   --baco-autotune="evaluator=replay:%t.csv optimizer=exhaustive time-limit=1000 cpu=0 stop=evaluations(1)||duration(2h)" \
// RUN:   | FileCheck %s

// CHECK-NOT:   transform
// CHECK-LABEL: func.func @kernel
// CHECK:       %[[STEP:.*]] = arith.constant 4 : index
// CHECK:       scf.for {{.*}} step %[[STEP]]
// CHECK-NOT:   transform

// expected-remark @below {{tuned 'kernel' in 1 evaluation: 300 ns}}
func.func @kernel(%A: memref<32x32xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%A : memref<32x32xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.fill"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %size = transform.tune.knob<"size"> options = [4, 8, 16]
        -> !transform.param<i64>
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [%size]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
