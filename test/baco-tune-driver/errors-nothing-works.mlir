// A schedule that fails for every configuration: exit code 3, the reason where
// it is, and the files that say what was tried. A result of an earlier run
// stays.
// RUN: rm -rf %t && mkdir %t
// RUN: echo good > %t/errors-nothing-works.tuned.mlir
// RUN: echo good > %t/errors-nothing-works.schedule.mlir
// RUN: %exits 3 baco-tune-driver %s --output-dir=%t %quick >%t/out 2>%t/err
// RUN: FileCheck %s --input-file=%t/err
// RUN: FileCheck %s --check-prefix=OUT --input-file=%t/out
// RUN: FileCheck %s --check-prefix=KEPT --input-file=%t/errors-nothing-works.tuned.mlir
// RUN: FileCheck %s --check-prefix=KEPT --input-file=%t/errors-nothing-works.schedule.mlir
// RUN: count 2 < %t/errors-nothing-works.trials.jsonl
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t/errors-nothing-works.summary.json

// CHECK: errors-nothing-works.mlir:[[@LINE+21]]:1: error: 'kernel' has no schedule that works: none of the 2 configurations that were tried works; the most frequent failure (2): transform-failed: {{.*}}Attempted to vectorize, but failed

// OUT: kernel: 2 evaluations, 2 failed (2 transform-failed)

// KEPT: good

// JSON:      "best_time_ns": null,
// JSON-NEXT: "speedup": null,
// JSON-NEXT: "speedup_interval": null,
// JSON-NEXT: "keeps_default": false,
// JSON-NEXT: "best_other_speedup": null,
// JSON-NEXT: "best_other_interval": null,
// JSON-NEXT: "speedup_over_plain": null,
// JSON-NEXT: "conversion_ns": null,
// JSON-NEXT: "pays_after_calls": null,
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
