// A matmul whose extents no tile divides is tuned without a schedule by hand,
// and every candidate computes what the plain lowering does.
// RUN: rm -rf %t && baco-tune-driver %s --budget=5 --trial-time=1 --final-time=1 --output-dir=%t
// RUN: FileCheck %s --input-file=%t/odd-matmul.trials.jsonl
// CHECK-COUNT-5: "status":"ok"
func.func @matmul(%A: memref<67x131xf32>, %B: memref<131x43xf32>, %C: memref<67x43xf32>) {
  linalg.matmul ins(%A, %B : memref<67x131xf32>, memref<131x43xf32>)
                outs(%C : memref<67x43xf32>)
  return
}
