// A build without assertions says that it has no debug output, once: workers
// don't repeat it.
// UNSUPPORTED: debug-output
// RUN: env BACO_DEBUG=baco-annotate baco-opt %s --baco-annotate -o /dev/null 2>&1 | FileCheck %s
// CHECK: baco: BACO_DEBUG: this build has no debug output; make one that has by cmake --preset debug
// CHECK-NOT: {{.}}

func.func @scale(%A: memref<256x256xf32>, %s: f32) {
  affine.for %i = 0 to 256 {
    affine.for %j = 0 to 256 {
      %a = affine.load %A[%i, %j] : memref<256x256xf32>
      %p = arith.mulf %a, %s : f32
      affine.store %p, %A[%i, %j] : memref<256x256xf32>
    }
  }
  return
}
