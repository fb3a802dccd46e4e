// Nests are planned in a process that is killed when it takes too long, which 1
// ms always is.
// RUN: baco-opt %s --baco-annotate="plan-timeout=1" 2>&1 | FileCheck %s
// RUN: baco-opt %s --baco-annotate="plan-timeout=0" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FREE
// RUN: not baco-opt %s --baco-annotate="plan-timeout=-1" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRONG
// RUN: baco-opt %s --baco-annotate="worker=%t.missing" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MISSING
// RUN: baco-opt %s --baco-annotate="worker=/bin/false" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DEAD

// CHECK: annotate-limits.mlir:[[#@LINE+11]]:{{[0-9]+}}: remark: no automatic recipe: planning 'scale' took longer than 1 ms of wall time; raise 'plan-timeout'
// CHECK-LABEL: func.func @scale
// CHECK-NOT:   baco.recipe
// CHECK-LABEL: func.func @product
// CHECK-NOT:   baco.recipe
// FREE-NOT:    remark
// FREE:        #baco.loop_vectorize
// WRONG:       error: plan-timeout must be between 0 and a day (86400000 ms), but is -1
// MISSING:     remark: no automatic recipe: worker program '{{.*}}missing' (from the option 'worker') is not an executable file
// DEAD:        remark: no automatic recipe: the worker that planned 'scale' exited with code 1
func.func @scale(%A: memref<64x64xf32>, %f: f32) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %0 = affine.load %A[%i, %j] : memref<64x64xf32>
      %1 = arith.mulf %0, %f : f32
      affine.store %1, %A[%i, %j] : memref<64x64xf32>
    }
  }
  return
}
func.func @product(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
