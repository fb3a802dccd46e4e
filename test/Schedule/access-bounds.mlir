// RUN: baco-opt %s --baco-annotate -split-input-file -verify-diagnostics | FileCheck %s

// Accesses outside of memrefs are named; other loops get recipes.

// CHECK-LABEL: func @above
// CHECK-NOT: baco.recipe
func.func @above(%a: memref<10000xf32>, %b: memref<10000xf32>) {
  affine.for %i = 0 to 10000 {
    // expected-remark @below {{no automatic recipe: it is out of bounds: index 0 can be 10000, of 10000}}
    %v = affine.load %a[%i + 1] : memref<10000xf32>
    affine.store %v, %b[%i] : memref<10000xf32>
  }
  return
}

// -----

// CHECK-LABEL: func @below
// CHECK-NOT: baco.recipe
func.func @below(%a: memref<128x128xf32>) {
  affine.for %i = 0 to 128 {
    affine.for %j = 0 to 128 {
      // expected-remark @below {{no automatic recipe: it is out of bounds: index 1 can be -}}
      %v = affine.load %a[%i, %j - 2] : memref<128x128xf32>
      affine.store %v, %a[%i, %j] : memref<128x128xf32>
    }
  }
  return
}

// -----

// CHECK-LABEL: func @strided
// CHECK: baco.recipe
func.func @strided(%a: memref<128x125xf32>, %b: memref<128x125xf32>) {
  affine.for %i = 0 to 128 {
    // The last iteration is 124.
    affine.for %j = 0 to 128 step 4 {
      %v = affine.load %a[%i, %j] : memref<128x125xf32>
      %w = arith.mulf %v, %v : f32
      affine.store %w, %b[%i, %j] : memref<128x125xf32>
    }
  }
  return
}

// -----

// CHECK-LABEL: func @guarded
// CHECK: baco.recipe
func.func @guarded(%a: memref<128x128xf32>, %b: memref<128x128xf32>) {
  affine.for %i = 0 to 128 {
    affine.for %j = 0 to 128 {
      affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%j) {
        %v = affine.load %a[%i, %j - 1] : memref<128x128xf32>
        %w = arith.mulf %v, %v : f32
        affine.store %w, %b[%i, %j] : memref<128x128xf32>
      }
    }
  }
  return
}

// -----

// CHECK-LABEL: func @guarded_by_scf
func.func @guarded_by_scf(%a: memref<128x128xf32>, %b: memref<128x128xf32>) {
  %zero = arith.constant 0 : index
  affine.for %i = 0 to 128 {
    affine.for %j = 0 to 128 {
      %inside = arith.cmpi sgt, %j, %zero : index
      scf.if %inside {
        %v = affine.load %a[%i, %j - 1] : memref<128x128xf32>
        affine.store %v, %b[%i, %j] : memref<128x128xf32>
      }
    }
  }
  return
}
