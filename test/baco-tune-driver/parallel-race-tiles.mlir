// Parallel tiles of a sum, the outer loop of which is short: in one pass threads
// rarely meet. All candidates but the one without a second tile race.
// RUN: rm -rf %t && mkdir %t && cp %s %t/in.mlir
// RUN: baco-tune-driver %t/in.mlir --output-dir=%t %quick | FileCheck %s
// RUN: FileCheck %s --check-prefix=TRIALS --input-file=%t/in.trials.jsonl

// CHECK: matmul: 3 evaluations, 2 failed (2 wrong-result)
// TRIALS-DAG: "K":64},"status":"ok"
// TRIALS-DAG: "K":32},"status":"wrong-result"
// TRIALS-DAG: "K":8},"status":"wrong-result"
func.func @matmul(%a: memref<16x64xf32>, %b: memref<64x16xf32>,
                  %c: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x64xf32>, memref<64x16xf32>)
                outs(%c : memref<16x16xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %k = transform.tune.knob<"K"> options = [64, 32, 8]
      -> !transform.param<i64>
    %part, %forall = transform.structured.tile_using_forall %op
      tile_sizes [0, 0, %k]
      : (!transform.any_op, !transform.param<i64>)
      -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
