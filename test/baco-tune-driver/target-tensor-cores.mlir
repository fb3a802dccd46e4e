// Two products on tensor cores; the second one may round to tf32, which its schedule
// needs after the first one's was applied.
// RUN: rm -rf %t && baco-tune-driver %s --output-dir=%t --target=nvvm:sm_90 \
// RUN:   --evaluator=static --seed=1 --budget=2 --verbose 2>&1 | FileCheck %s --check-prefix=SUMMARY
// RUN: FileCheck %s --input-file=%t/target-tensor-cores.tuned.mlir

// SUMMARY: halves: 1 evaluation
// SUMMARY: tf32: 1 evaluation
// SUMMARY: wrote {{.*}}tuned.mlir

// CHECK-LABEL: func.func @halves(
// CHECK:       nvvm.mma.sync
// CHECK-LABEL: func.func @tf32(
// CHECK:       nvvm.mma.sync
// CHECK-NOT:   baco.tf32

func.func @halves(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%c : memref<64x64xf32>)
  return
}

func.func @tf32(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.tf32} ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
