// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152 | %one-line-recipes | FileCheck %s

// Nests over the same large matrix, by rows and by columns, are one recipe,
// with what is between them in front of them; where one needs all that another
// makes there are two.

// CHECK-LABEL: func.func @both_ways
// CHECK:      baco.recipe = #baco.recipe<[#baco.loop_permute<order = [2, 1], statement = 1>, #baco.loop_fuse<statements = [0, 1], loop = 1>
// CHECK-SAME: #baco.loop_tile<statement = 0, loop = 1, size = #baco.knob<"TB0"
// CHECK-SAME: nests = 2
// CHECK-NOT:  baco.recipe
// CHECK-LABEL: func.func @one_after_the_other
func.func @both_ways(%A: memref<1000x1000xf64>, %x: memref<1000xf64>,
                     %y: memref<1000xf64>, %z: memref<1000xf64>,
                     %w: memref<1000xf64>) {
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 1000 {
      %a = affine.load %A[%i, %j] : memref<1000x1000xf64>
      %v = affine.load %y[%j] : memref<1000xf64>
      %p = arith.mulf %a, %v : f64
      %s = affine.load %x[%i] : memref<1000xf64>
      %t = arith.addf %s, %p : f64
      affine.store %t, %x[%i] : memref<1000xf64>
    }
  }
  %two = arith.constant 2.0 : f64
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 1000 {
      %a = affine.load %A[%j, %i] : memref<1000x1000xf64>
      %b = arith.mulf %a, %two : f64
      %v = affine.load %w[%j] : memref<1000xf64>
      %p = arith.mulf %b, %v : f64
      %s = affine.load %z[%i] : memref<1000xf64>
      %t = arith.addf %s, %p : f64
      affine.store %t, %z[%i] : memref<1000xf64>
    }
  }
  return
}

// CHECK: baco.recipe
// CHECK-NOT: nests
// CHECK: baco.recipe
// CHECK-NOT: nests
// CHECK: return
func.func @one_after_the_other(%A: memref<1000x1000xf64>, %x: memref<1000xf64>,
                               %y: memref<1000xf64>, %z: memref<1000xf64>) {
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 1000 {
      %a = affine.load %A[%i, %j] : memref<1000x1000xf64>
      %v = affine.load %y[%j] : memref<1000xf64>
      %p = arith.mulf %a, %v : f64
      %s = affine.load %x[%i] : memref<1000xf64>
      %t = arith.addf %s, %p : f64
      affine.store %t, %x[%i] : memref<1000xf64>
    }
  }
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 1000 {
      %a = affine.load %A[%i, %j] : memref<1000x1000xf64>
      %v = affine.load %x[%j] : memref<1000xf64>
      %p = arith.mulf %a, %v : f64
      %s = affine.load %z[%i] : memref<1000xf64>
      %t = arith.addf %s, %p : f64
      affine.store %t, %z[%i] : memref<1000xf64>
    }
  }
  return
}
