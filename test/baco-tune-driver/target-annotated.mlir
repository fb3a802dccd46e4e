// Ops without recipes are annotated for the GPU that is tuned for.
// RUN: rm -rf %t && baco-tune-driver %s --target=nvvm:sm_75 --evaluator=static --budget=4 --seed=1 \
// RUN:   --output-dir=%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/target-annotated.tuned.mlir
// RUN: baco-tune-driver %s --target=nvvm:sm_75 --evaluator=static --emit-space=- | FileCheck %s --check-prefix=SPACE

// CHECK: matmul: 4 evaluations
// CHECK: best {{ *}}{{[0-9]+}} cycles
// CHECK: static cost in cycles, not a time
// TUNED-LABEL: @matmul
// TUNED:         gpu.launch
// An sm_75 has no cp.async, which stages (S) need, and 64 KiB of shared memory.
// SPACE:     "name": "P"
// SPACE-NOT: "name": "S"
// SPACE:     "name": "TM"
// SPACE:     fit 65536 bytes of shared memory
func.func @matmul(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) {
  linalg.matmul ins(%a, %b : memref<256x256xf32>, memref<256x256xf32>) outs(%c : memref<256x256xf32>)
  return
}
