// Each function is a kernel of its own; the schedules share one library.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=4 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: ls %t | FileCheck %s --check-prefix=FILES
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t/sequences-of-two-kernels.summary.json
// RUN: baco-opt %s \
// RUN:   --transform-preload-library=transform-library-paths=%t/sequences-of-two-kernels.schedule.mlir \
// RUN:   --transform-interpreter -o %t/scheduled
// RUN: %stock-mlir-opt %t/sequences-of-two-kernels.tuned.mlir | cmp - %t/scheduled

// CHECK: first: 2 evaluations
// CHECK: second/../half: 2 evaluations

// The name of a function is no path.
// FILES: sequences-of-two-kernels.first.trials.jsonl
// FILES: sequences-of-two-kernels.second%2F..%2Fhalf.trials.jsonl

// JSON: "name": "first"
// JSON: "name": "second/../half"

// --entry takes one of them.
// RUN: baco-tune-driver %s --budget=1 --entry=first --output-dir=%t/one %quick --verbose \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: FileCheck %s --check-prefix=ONE-TUNED --input-file=%t/one/sequences-of-two-kernels.tuned.mlir
// ONE:     first: 1 evaluation
// ONE-NOT: {{^}}second

// ONE-TUNED-LABEL: func.func @first
// ONE-TUNED:       affine.for
// ONE-TUNED-LABEL: func.func @"second/../half"
// ONE-TUNED-NEXT:  linalg.matmul
func.func @first(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
                 %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>)
                outs(%C : memref<32x32xf32>)
  return
}
func.func @"second/../half"(%A: memref<64x32xf64>, %B: memref<32x64xf64>,
                            %C: memref<64x64xf64>) {
  linalg.matmul ins(%A, %B : memref<64x32xf64>, memref<32x64xf64>)
                outs(%C : memref<64x64xf64>)
  return
}
