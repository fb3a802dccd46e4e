// The schedule in the payload's file, as a module or as sequences: it isn't part
// of the tuned file.
// RUN: rm -rf %t && split-file %s %t
// RUN: baco-tune-driver %t/nested.mlir --output-dir=%t %quick | FileCheck %s
// RUN: baco-tune-driver %t/flat.mlir --output-dir=%t %quick | FileCheck %s
// What they would choose if the original, which nothing beats, took no part.
// RUN: baco-tune-driver %t/nested.mlir --output-dir=%t \
// RUN:   --evaluator=replay:%t/nested.trials.jsonl
// RUN: baco-tune-driver %t/flat.mlir --output-dir=%t \
// RUN:   --evaluator=replay:%t/flat.trials.jsonl
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/nested.tuned.mlir
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/flat.tuned.mlir

// CHECK: kernel: 2 evaluations
// CHECK: chosen {{size = (4|8)|the original code}}

// TUNED-NOT: transform
// TUNED: func.func @kernel
// TUNED: scf.for
// TUNED-NOT: transform

//--- nested.mlir
func.func @kernel(%A: memref<16x16xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%A : memref<16x16xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.fill"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %size = transform.tune.knob<"size"> options = [4, 8] -> !transform.param<i64>
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [%size]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- flat.mlir
module attributes {transform.with_named_sequence} {
  func.func @kernel(%A: memref<16x16xf32>) {
    %one = arith.constant 1.0 : f32
    linalg.fill ins(%one : f32) outs(%A : memref<16x16xf32>)
    return
  }
  transform.named_sequence @tile(%op: !transform.any_op {transform.consumed}) {
    %size = transform.tune.knob<"size"> options = [4, 8] -> !transform.param<i64>
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [%size]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.fill"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.include @tile failures(propagate) (%op)
        : (!transform.any_op) -> ()
    transform.yield
  }
}
