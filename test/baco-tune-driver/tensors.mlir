// Functions that take and return tensors are annotated, tuned and checked, and
// their schedules can be replayed.
// RUN: rm -rf %t && mkdir %t && cp %s %t/in.mlir
// RUN: baco-tune-driver %t/in.mlir --interface=buffers --budget=12 --output-dir=%t %quick --verbose \
// RUN:   | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/in.tuned.mlir
// RUN: baco-opt %t/in.mlir \
// RUN:   --transform-preload-library=transform-library-paths=%t/in.schedule.mlir \
// RUN:   --transform-interpreter -o %t/scheduled
// RUN: %stock-mlir-opt %t/in.tuned.mlir | cmp - %t/scheduled

// TRIALS: "status":"ok"

// CHECK-DAG: matmul: 6 evaluations
// CHECK-DAG: batches: 6 evaluations

// A result is one more argument, and is computed there.
// TUNED-LABEL: func.func @matmul
// TUNED-SAME:  (%{{.*}}: memref<64x32xf32>, %{{.*}}: memref<32x48xf32>, %[[OUT:.*]]: memref<64x48xf32>) {
// TUNED-NOT:   memref.copy
// TUNED:       vector{{.*}}store {{.*}}%[[OUT]][
// TUNED-NOT:   linalg.matmul
func.func @matmul(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %r = linalg.matmul ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
                     outs(%c : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %r : tensor<64x48xf32>
}

// What is accumulated into is an argument, too.
// TUNED-LABEL: func.func @batches
// TUNED-SAME:  memref<8x64x48xf32>, %{{.*}}: memref<8x64x48xf32>) {
func.func @batches(%A: tensor<8x64x32xf32>, %B: tensor<8x32x48xf32>,
                   %C: tensor<8x64x48xf32>) -> tensor<8x64x48xf32> {
  %r = linalg.batch_matmul ins(%A, %B : tensor<8x64x32xf32>, tensor<8x32x48xf32>)
                           outs(%C : tensor<8x64x48xf32>) -> tensor<8x64x48xf32>
  return %r : tensor<8x64x48xf32>
}
