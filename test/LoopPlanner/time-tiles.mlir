// Sweeps over time get tiles of up to all steps and two loops of rows to jam,
// and LLVM's pipeline 1, which a recipe of loop commands may ask for, too.
// RUN: baco-opt %s -o %t --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=32768,l2=1048576
// RUN: %one-line-recipes %t | FileCheck %s
// RUN: baco-opt %t --baco-expand-recipes | FileCheck %s --check-prefix=EXPANDED

// CHECK: "TT0", #baco.ordinal<[0, 2, 4, 8, 10]>, default = 10, extent = 10>
// CHECK-SAME: loop_unroll<statement = 0, loop = 6, factor = #baco.knob<"UJ0"
// CHECK-SAME: loop_unroll<statement = 0, loop = 5, factor = #baco.knob<"U0"
// CHECK-SAME: "W0", #baco.ordinal<[16, 32, 64], log>, default = 32>
// CHECK-SAME: #baco.llvm<{opt_level = 1 : i64}>
// CHECK-SAME: 784 * (TI0 * TJ0 + 2 * TT0 * (TJ0 + TI0)) <= 1048576
// CHECK-SAME: U0 * UJ0 * W0 // 16 * 2 <= 32
// EXPANDED: transform.tune.knob<"llvm.opt_level"> = 1
// EXPANDED: transform.baco.restructure
// EXPANDED-NOT: #baco.llvm
func.func @kernel(%A: memref<100x100x100xf32>, %B: memref<100x100x100xf32>) {
  affine.for %t = 0 to 10 {
    affine.for %i = 1 to 99 {
      affine.for %j = 1 to 99 {
        affine.for %k = 1 to 99 {
          %0 = affine.load %A[%i - 1, %j, %k] : memref<100x100x100xf32>
          %1 = affine.load %A[%i + 1, %j, %k] : memref<100x100x100xf32>
          %2 = affine.load %A[%i, %j - 1, %k + 1] : memref<100x100x100xf32>
          %3 = arith.addf %0, %1 : f32
          %4 = arith.addf %3, %2 : f32
          affine.store %4, %B[%i, %j, %k] : memref<100x100x100xf32>
        }
      }
    }
    affine.for %i = 1 to 99 {
      affine.for %j = 1 to 99 {
        affine.for %k = 1 to 99 {
          %0 = affine.load %B[%i - 1, %j, %k] : memref<100x100x100xf32>
          %1 = affine.load %B[%i, %j + 1, %k - 1] : memref<100x100x100xf32>
          %2 = arith.addf %0, %1 : f32
          affine.store %2, %A[%i, %j, %k] : memref<100x100x100xf32>
        }
      }
    }
  }
  return
}
