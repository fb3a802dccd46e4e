// BACO_TRACE=plan says on standard error what is tried for which statements,
// and why it is refused; nothing else changes.
// RUN: baco-opt %s --baco-annotate -o %t.plain
// RUN: env BACO_TRACE=plan baco-opt %s --baco-annotate -o %t.traced 2> %t.log
// RUN: diff %t.plain %t.traced
// RUN: FileCheck %s --input-file=%t.log
// RUN: env BACO_TRACE=plans,plan baco-opt %s --baco-annotate -o %t.traced 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=UNKNOWN,CHECK

// UNKNOWN: baco: BACO_TRACE: unknown topic 'plans'; the topics are: plan

// CHECK:      plan: statements 0 inside of 0 loops
// CHECK:      plan: strategy: contraction, {{[0-9.]+}} cycles for an instance
// CHECK-NEXT: plan: permute({{.*}} vectorize({{.*}} -> accepted
// CHECK-NEXT: plan: strategy: array expansion
// CHECK-NEXT: plan: strategy: factorization
// CHECK-NEXT: plan: statements 0 inside of 0 loops
// CHECK:      plan: strategy: stream
// CHECK:      plan: vectorize(0, 2, W) -> refused: no width of vectors is legal
// CHECK:      plan: strategy: wavefront
// CHECK-NEXT: plan: skew(0, 2, [1, 1]) unroll(0, 1, U) -> accepted

func.func @product(%A: memref<256x256xf32>, %B: memref<256x256xf32>, %C: memref<256x256xf32>) {
  affine.for %i = 0 to 256 {
    affine.for %j = 0 to 256 {
      affine.for %k = 0 to 256 {
        %a = affine.load %A[%i, %k] : memref<256x256xf32>
        %b = affine.load %B[%k, %j] : memref<256x256xf32>
        %c = affine.load %C[%i, %j] : memref<256x256xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%i, %j] : memref<256x256xf32>
      }
    }
  }
  return
}

func.func @wavefront(%A: memref<256x256xf32>) {
  affine.for %i = 1 to 255 {
    affine.for %j = 1 to 255 {
      %a = affine.load %A[%i - 1, %j] : memref<256x256xf32>
      %b = affine.load %A[%i, %j - 1] : memref<256x256xf32>
      %s = arith.addf %a, %b : f32
      affine.store %s, %A[%i, %j] : memref<256x256xf32>
    }
  }
  return
}
