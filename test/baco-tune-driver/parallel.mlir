// The schedule distributes the columns of a matmul over threads, as many as a
// knob says. The candidates run in a team of threads, in the sandbox, and what
// was chosen lowers to OpenMP. One thread, which would leave no trace of it and
// may win on a busy machine, isn't among the values.
// RUN: rm -rf %t && mkdir %t && cp %s %t/in.mlir
// RUN: baco-tune-driver %t/in.mlir --output-dir=%t %quick
// The original, which is as good for so small a kernel, takes no part in this:
// RUN: baco-tune-driver %t/in.mlir --output-dir=%t \
// RUN:   --evaluator=replay:%t/in.trials.jsonl | FileCheck %s
// RUN: FileCheck %s --check-prefix=TRIALS --input-file=%t/in.trials.jsonl
// RUN: baco-opt %t/in.tuned.mlir --baco-lower-to-cpu | FileCheck %s --check-prefix=LOWERED

// CHECK: matmul: 4 evaluations
// CHECK: chosen T = {{[2-5]}}

// TRIALS-COUNT-4: "status":"ok"

// LOWERED: omp.parallel
func.func @matmul(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
                  %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                outs(%c : memref<64x64xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %t = transform.tune.knob<"T"> options = [2, 3, 4, 5]
      -> !transform.param<i64>
    %part, %forall = transform.structured.tile_using_forall %op
      num_threads [0, %t]
      : (!transform.any_op, !transform.param<i64>)
      -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
