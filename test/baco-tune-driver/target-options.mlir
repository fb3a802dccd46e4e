// Knobs called llvm.NAME say how LLVM compiles a candidate. What was chosen is
// in the schedule, which then isn't stock, and on the tuned function.
// RUN: rm -rf %t && mkdir %t && cp %s %t/in.mlir
// RUN: baco-tune-driver %t/in.mlir --output-dir=%t/jit %quick
// Without the original, which may be as fast.
// RUN: baco-tune-driver %t/in.mlir --output-dir=%t \
// RUN:   --evaluator=replay:%t/jit/in.trials.jsonl | FileCheck %s
// RUN: FileCheck %s --check-prefix=SCHEDULE --input-file=%t/in.schedule.mlir
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/in.tuned.mlir

// CHECK: kernel: 2 evaluations
// CHECK: chosen llvm.opt_level = {{[13]}}

// SCHEDULE: Stock tools ignore the target options
// SCHEDULE: into the tuned one,
// SCHEDULE-NEXT: // except for its baco.target_options:
// SCHEDULE: attributes {baco.target_options = {opt_level = {{[13]}} : i64, prefer_vector_width = 128 : i64}}

// TUNED: func.func @kernel({{.*}}) attributes {baco.target_options = {opt_level = {{[13]}} : i64, prefer_vector_width = 128 : i64}}
func.func @kernel(%A: memref<16x16xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%A : memref<16x16xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op)
      attributes {baco.target_options = {prefer_vector_width = 128}} {
    %level = transform.tune.knob<"llvm.opt_level"> options = [1, 3]
      -> !transform.param<i64>
    transform.yield
  }
}
