// BACO_DEBUG switches on what LLVM_DEBUG prints for some types, in the tool and
// in the process that plans for it.
// REQUIRES: debug-output
// RUN: env BACO_DEBUG=baco-annotate,baco-plan-nest baco-opt %s --baco-annotate -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// RUN: baco-opt %s --baco-annotate -o /dev/null 2>&1 | count 0

// CHECK:      [baco-plan-nest PlanNest.cpp:{{[0-9]+}} 1] loc({{.*}}debug-output.mlir{{.*}}planned as
// CHECK-NEXT: [baco-plan-nest PlanNest.cpp:{{[0-9]+}} 1] permute(0, [2, 1, 3])
// CHECK:      [baco-annotate Annotate.cpp:{{[0-9]+}} 1] affine.for at loc({{.*}}#baco.recipe<[
// CHECK:      [baco-annotate Annotate.cpp:{{[0-9]+}} 1] made 1 recipes

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
