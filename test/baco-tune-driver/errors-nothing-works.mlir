// A schedule that fails for every configuration: exit code 3, the reason where
// it is, and the files that say what was tried, but none of an earlier run.
// RUN: rm -rf %t && mkdir %t
// RUN: touch %t/errors-nothing-works.tuned.mlir
// RUN: %exits 3 baco-tune-driver %s --output-dir=%t %quick >%t/out 2>%t/err
// RUN: FileCheck %s --input-file=%t/err
// RUN: FileCheck %s --check-prefix=OUT --input-file=%t/out
// RUN: ls %t | FileCheck %s --check-prefix=FILES
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t/errors-nothing-works.summary.json

// CHECK: errors-nothing-works.mlir:[[@LINE+18]]:1: error: 'kernel' has no schedule that works: none of the 2 configurations that were tried works; most often (2): transform-failed: {{.*}}Attempted to vectorize, but failed

// OUT: kernel: 2 evaluations, 2 failed (2 transform-failed)

// FILES-NOT: tuned.mlir
// FILES-NOT: schedule.mlir
// FILES:     errors-nothing-works.summary.json
// FILES:     errors-nothing-works.trials.jsonl

// JSON:      "best_time_ns": null,
// JSON-NEXT: "speedup": null,
// JSON-NEXT: "speedup_over_plain": null,
// JSON-NEXT: "evaluations": 2,
// JSON-NEXT: "failures": {
// JSON-NEXT:   "transform-failed": 2
// JSON-NEXT: },
// JSON-NEXT: "configuration": null,

func.func @kernel(%A: memref<16x16xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%A : memref<16x16xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.fill"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %size = transform.tune.knob<"size"> options = [3, 5] -> !transform.param<i64>
    transform.structured.vectorize %op vector_sizes [%size, 3, 3]
        : !transform.any_op, !transform.param<i64>
    transform.yield
  }
}
