// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152 | %one-line-recipes | FileCheck %s

// A matrix product as a C programmer writes it: the loop of the rows of the
// result isn't where it is best, and C is initialized on the way.

// CHECK-LABEL: func.func @matmul
// CHECK: baco.recipe = #baco.recipe<[
// CHECK-SAME: #baco.loop_distribute<statements = [0, 1], loop = 1>
// CHECK-SAME: #baco.loop_permute<order = [2, 1, 3], statement = 1>
// CHECK-SAME: #baco.loop_tile<statement = 1, loop = 3, size = #baco.knob<"KC1",
// CHECK-SAME: #baco.loop_tile<statement = 1, loop = 3, size = #baco.knob<"MC1",
// CHECK-SAME: #baco.loop_vectorize<statement = 1, loop = 3, width = #baco.knob<"NR1", #baco.ordinal<[8, 16, 32], log>
// CHECK-SAME: #baco.loop_unroll<statement = 1, loop = 4, factor = #baco.knob<"MR1",
// CHECK-SAME: #baco.loop_copy<statement = 1, loop = 2, reference = 2, width = 8, panel = #baco.knob<"NR1"
// CHECK-SAME: #baco.loop_copy<statement = 1, loop = 3, reference = 1, width = #baco.knob<"packRows1"
// CHECK-SAME: "the tile of sums and its operands fit 32 vector registers"
func.func @matmul(%A: memref<800x1000xf64>, %B: memref<1000x900xf64>,
                  %C: memref<800x900xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 800 {
    affine.for %j = 0 to 900 {
      affine.store %zero, %C[%i, %j] : memref<800x900xf64>
      affine.for %k = 0 to 1000 {
        %a = affine.load %A[%i, %k] : memref<800x1000xf64>
        %b = affine.load %B[%k, %j] : memref<1000x900xf64>
        %c = affine.load %C[%i, %j] : memref<800x900xf64>
        %p = arith.mulf %a, %b : f64
        %s = arith.addf %c, %p : f64
        affine.store %s, %C[%i, %j] : memref<800x900xf64>
      }
    }
  }
  return
}

// Loops of scf that are affine are read like these.
// CHECK-LABEL: func.func @product_with_vector
// CHECK: baco.recipe = #baco.recipe<[
// CHECK-SAME: #baco.loop_unroll<statement = {{[0-9]+}}, loop = 1, factor = #baco.knob<"U
// CHECK-SAME: #baco.loop_vectorize<statement = {{[0-9]+}}, loop = 2, width = #baco.knob<"W
func.func @product_with_vector(%A: memref<1000x1000xf64>, %x: memref<1000xf64>,
                               %y: memref<1000xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  scf.for %i = %c0 to %c1000 step %c1 {
    scf.for %j = %c0 to %c1000 step %c1 {
      %a = memref.load %A[%i, %j] : memref<1000x1000xf64>
      %b = memref.load %x[%j] : memref<1000xf64>
      %c = memref.load %y[%i] : memref<1000xf64>
      %p = arith.mulf %a, %b : f64
      %s = arith.addf %c, %p : f64
      memref.store %s, %y[%i] : memref<1000xf64>
    }
  }
  return
}

// Copies of columns that few rows use may be left out, if the columns aren't at
// power-of-two distances.
// CHECK-LABEL: func.func @few_rows
// CHECK-SAME: {
// CHECK: #baco.loop_copy<statement = 0, loop = 2, reference = 2, width = #baco.knob<"pack", #baco.ordinal<[0, 16]>, default = 0>
// CHECK-SAME: #baco.loop_copy<statement = 0, loop = 3, reference = 1, width = #baco.knob<"packRows"
func.func @few_rows(%A: memref<80x3072xf32>, %B: memref<3072x600xf32>,
                    %C: memref<80x600xf32>) {
  linalg.matmul ins(%A, %B : memref<80x3072xf32>, memref<3072x600xf32>)
      outs(%C : memref<80x600xf32>)
  return
}

// CHECK-LABEL: func.func @few_rows_at_powers
// CHECK: #baco.loop_copy<statement = 0, loop = 2, reference = 2, width = 16,
func.func @few_rows_at_powers(%A: memref<80x3072xf32>, %B: memref<3072x4096xf32>,
                              %C: memref<80x4096xf32>) {
  linalg.matmul ins(%A, %B : memref<80x3072xf32>, memref<3072x4096xf32>)
      outs(%C : memref<80x4096xf32>)
  return
}
