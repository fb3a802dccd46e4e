// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152 | %one-line-recipes | FileCheck %s

// Triangular solves of any side are cut into blocks.

// Upper triangle, from the last row on; columns innermost; a multiplication by
// what was divided outside.
// CHECK-LABEL: func.func @upper
// CHECK:      #baco.loop_tile<statement = 0, loop = 3, size = 1, outer = 2>, #baco.loop_fuse<statements = [0, 1], loop = 2>
// CHECK-SAME: #baco.loop_tile<statement = 0, loop = 1, size = #baco.knob<"TB1"
// CHECK-SAME: #baco.loop_split<statement = 0, loop = 4, condition = "-L4 + 511 < L1">
// CHECK-SAME: #baco.knob<"NR0"
// CHECK-SAME: #baco.loop_copy<statement = 0
func.func @upper(%U: memref<512x512xf32>, %B: memref<512x512xf32>) {
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 512 {
    affine.for %k = affine_map<(i) -> (512 - i)>(%i) to 512 {
      affine.for %j = 0 to 512 {
        %u = affine.load %U[511 - %i, %k] : memref<512x512xf32>
        %x = affine.load %B[%k, %j] : memref<512x512xf32>
        %b = affine.load %B[511 - %i, %j] : memref<512x512xf32>
        %p = arith.mulf %u, %x : f32
        %d = arith.subf %b, %p : f32
        affine.store %d, %B[511 - %i, %j] : memref<512x512xf32>
      }
    }
    %u = affine.load %U[511 - %i, 511 - %i] : memref<512x512xf32>
    %inverse = arith.divf %one, %u : f32
    affine.for %j = 0 to 512 {
      %b = affine.load %B[511 - %i, %j] : memref<512x512xf32>
      %q = arith.mulf %b, %inverse : f32
      affine.store %q, %B[511 - %i, %j] : memref<512x512xf32>
    }
  }
  return
}

// X U = B, a row at a time: rows are unrolled, as they are not contiguous.
// CHECK-LABEL: func.func @right
// CHECK:      #baco.loop_tile<statement = 0, loop = 2, size = #baco.knob<"TB1"
// CHECK-SAME: #baco.loop_split<statement = 0, loop = 4, condition = "L4 < L1">
// CHECK-SAME: #baco.loop_unroll<statement = 2, loop = 2, factor = #baco.knob<"U1"
// CHECK-SAME: #baco.knob<"NR0"
func.func @right(%U: memref<512x512xf32>, %B: memref<512x512xf32>) {
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 512 {
      affine.for %k = 0 to affine_map<(j) -> (j)>(%j) {
        %u = affine.load %U[%k, %j] : memref<512x512xf32>
        %x = affine.load %B[%i, %k] : memref<512x512xf32>
        %b = affine.load %B[%i, %j] : memref<512x512xf32>
        %p = arith.mulf %u, %x : f32
        %d = arith.subf %b, %p : f32
        affine.store %d, %B[%i, %j] : memref<512x512xf32>
      }
      %u = affine.load %U[%j, %j] : memref<512x512xf32>
      %b = affine.load %B[%i, %j] : memref<512x512xf32>
      %q = arith.divf %b, %u : f32
      affine.store %q, %B[%i, %j] : memref<512x512xf32>
    }
  }
  return
}

// A diagonal of ones needs no division.
// CHECK-LABEL: func.func @unit
// CHECK:      #baco.loop_split<statement = 0, loop = 4, condition = "L4 < L1">
// CHECK-SAME: #baco.loop_vectorize<statement = 1, loop = 2, width = #baco.knob<"W"
// CHECK-SAME: #baco.knob<"NR"
func.func @unit(%L: memref<512x512xf32>, %B: memref<512x512xf32>) {
  affine.for %j = 0 to 512 {
    affine.for %i = 0 to 512 {
      affine.for %k = 0 to affine_map<(i) -> (i)>(%i) {
        %l = affine.load %L[%i, %k] : memref<512x512xf32>
        %x = affine.load %B[%k, %j] : memref<512x512xf32>
        %b = affine.load %B[%i, %j] : memref<512x512xf32>
        %p = arith.mulf %l, %x : f32
        %d = arith.subf %b, %p : f32
        affine.store %d, %B[%i, %j] : memref<512x512xf32>
      }
    }
  }
  return
}

// X L = B, from the last column on: columns run backwards in the contraction.
// CHECK-LABEL: func.func @right_backwards
// CHECK:      #baco.loop_split<statement = 0, loop = 4, condition = "-L4 + 511 < L1">
// CHECK-SAME: #baco.loop_reverse<statement = 0, loop = 3>
// CHECK-SAME: #baco.knob<"NR0"
func.func @right_backwards(%L: memref<512x512xf32>, %B: memref<512x512xf32>) {
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 512 {
      affine.for %k = affine_map<(j) -> (512 - j)>(%j) to 512 {
        %l = affine.load %L[%k, 511 - %j] : memref<512x512xf32>
        %x = affine.load %B[%i, %k] : memref<512x512xf32>
        %b = affine.load %B[%i, 511 - %j] : memref<512x512xf32>
        %p = arith.mulf %l, %x : f32
        %d = arith.subf %b, %p : f32
        affine.store %d, %B[%i, 511 - %j] : memref<512x512xf32>
      }
      %l = affine.load %L[511 - %j, 511 - %j] : memref<512x512xf32>
      %b = affine.load %B[%i, 511 - %j] : memref<512x512xf32>
      %q = arith.divf %b, %l : f32
      affine.store %q, %B[%i, 511 - %j] : memref<512x512xf32>
    }
  }
  return
}

// What subtracts each row as soon as it is solved is turned first.
// CHECK-LABEL: func.func @looks_right
// CHECK:      #baco.loop_skew<statement = 0, loop = 2, coefficients = [1, 1]>
// CHECK-SAME: #baco.loop_permute<order = [2, 3, 1], statement = 1>
// CHECK-SAME: #baco.loop_tile<statement = 1, loop = 1, size = #baco.knob<"TB0"
// CHECK-SAME: #baco.loop_split<statement = 1, loop = 4, condition = "L4 < L1">
// CHECK-SAME: #baco.knob<"NR1"
func.func @looks_right(%L: memref<512x512xf32>, %B: memref<512x512xf32>) {
  affine.for %k = 0 to 512 {
    affine.for %j = 0 to 512 {
      %l = affine.load %L[%k, %k] : memref<512x512xf32>
      %b = affine.load %B[%k, %j] : memref<512x512xf32>
      %q = arith.divf %b, %l : f32
      affine.store %q, %B[%k, %j] : memref<512x512xf32>
    }
    affine.for %i = affine_map<(k) -> (k + 1)>(%k) to 512 {
      affine.for %j = 0 to 512 {
        %l = affine.load %L[%i, %k] : memref<512x512xf32>
        %x = affine.load %B[%k, %j] : memref<512x512xf32>
        %b = affine.load %B[%i, %j] : memref<512x512xf32>
        %p = arith.mulf %l, %x : f32
        %d = arith.subf %b, %p : f32
        affine.store %d, %B[%i, %j] : memref<512x512xf32>
      }
    }
  }
  return
}
