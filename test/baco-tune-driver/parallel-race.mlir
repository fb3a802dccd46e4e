// Threads that add to the same elements race. This is found on any machine,
// even with one CPU, because one pass of a check gives each thread the memory
// from before the others ran.
// RUN: rm -rf %t && mkdir %t && cp %s %t/in.mlir
// RUN: baco-tune-driver %t/in.mlir --output-dir=%t %quick | FileCheck %s
// RUN: FileCheck %s --check-prefix=TRIALS --input-file=%t/in.trials.jsonl
// RUN: %python -c "import os, sys; \
// RUN:   os.sched_setaffinity(0, [min(os.sched_getaffinity(0))]); \
// RUN:   os.execv(sys.argv[1], sys.argv[1:])" baco-tune-driver %t/in.mlir \
// RUN:   --output-dir=%t/one %quick
// RUN: FileCheck %s --check-prefix=ONE --input-file=%t/one/in.trials.jsonl

// CHECK: chosen T = 1
// TRIALS-DAG: "T":1},"status":"ok"
// TRIALS-DAG: "T":2},"status":"wrong-result"
// ONE-DAG: "T":1},"status":"ok"
// ONE-DAG: "T":2},"status":"wrong-result",{{.*}}they race
func.func @matmul(%a: memref<128x128xf32>, %b: memref<128x128xf32>,
                  %c: memref<128x128xf32>) {
  linalg.matmul ins(%a, %b : memref<128x128xf32>, memref<128x128xf32>)
                outs(%c : memref<128x128xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %t = transform.tune.knob<"T"> options = [1, 2]
      -> !transform.param<i64>
    %part, %forall = transform.structured.tile_using_forall %op
      num_threads [0, 0, %t]
      : (!transform.any_op, !transform.param<i64>)
      -> (!transform.any_op, !transform.any_op)
    // The sums outermost: each thread comes by every element often.
    %tile, %loop = transform.structured.tile_using_for %part
      tile_sizes [0, 0, 1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
