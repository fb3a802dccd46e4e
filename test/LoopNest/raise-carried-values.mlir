// RUN: baco-opt %s --baco-annotate | %one-line-recipes | FileCheck %s

// A factorization whose sums are carried by loops, affine or not, is read as
// the one that keeps them in the matrix: all three get the same plan.

// CHECK-LABEL: @memory
// CHECK: baco.recipe = [[RECIPE:#baco.recipe<.*loop_split.*]]
func.func @memory(%a: memref<96x96xf64>) {
  affine.for %i = 0 to 96 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %s = affine.load %a[%i, %j] : memref<96x96xf64>
        %x = affine.load %a[%i, %k] : memref<96x96xf64>
        %y = affine.load %a[%k, %j] : memref<96x96xf64>
        %m = arith.mulf %x, %y : f64
        %r = arith.subf %s, %m : f64
        affine.store %r, %a[%i, %j] : memref<96x96xf64>
      }
      %s = affine.load %a[%i, %j] : memref<96x96xf64>
      %d = affine.load %a[%j, %j] : memref<96x96xf64>
      %q = arith.divf %s, %d : f64
      affine.store %q, %a[%i, %j] : memref<96x96xf64>
    }
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 96 {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        %s = affine.load %a[%i, %j] : memref<96x96xf64>
        %x = affine.load %a[%i, %k] : memref<96x96xf64>
        %y = affine.load %a[%k, %j] : memref<96x96xf64>
        %m = arith.mulf %x, %y : f64
        %r = arith.subf %s, %m : f64
        affine.store %r, %a[%i, %j] : memref<96x96xf64>
      }
    }
  }
  return
}

// CHECK-LABEL: @affine
// CHECK: baco.recipe = [[RECIPE]]
func.func @affine(%a: memref<96x96xf64>) {
  affine.for %i = 0 to 96 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %s = affine.load %a[%i, %j] : memref<96x96xf64>
      %t = affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) iter_args(%c = %s) -> f64 {
        %x = affine.load %a[%i, %k] : memref<96x96xf64>
        %y = affine.load %a[%k, %j] : memref<96x96xf64>
        %m = arith.mulf %x, %y : f64
        %r = arith.subf %c, %m : f64
        affine.yield %r : f64
      }
      %d = affine.load %a[%j, %j] : memref<96x96xf64>
      %q = arith.divf %t, %d : f64
      affine.store %q, %a[%i, %j] : memref<96x96xf64>
    }
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 96 {
      %s = affine.load %a[%i, %j] : memref<96x96xf64>
      %t = affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%c = %s) -> f64 {
        %x = affine.load %a[%i, %k] : memref<96x96xf64>
        %y = affine.load %a[%k, %j] : memref<96x96xf64>
        %m = arith.mulf %x, %y : f64
        %r = arith.subf %c, %m : f64
        affine.yield %r : f64
      }
      affine.store %t, %a[%i, %j] : memref<96x96xf64>
    }
  }
  return
}

// CHECK-LABEL: @scf
// CHECK: baco.recipe = [[RECIPE]]
func.func @scf(%a: memref<96x96xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 96 : index
  scf.for %i = %zero to %n step %one {
    scf.for %j = %zero to %i step %one {
      %s = memref.load %a[%i, %j] : memref<96x96xf64>
      %t = scf.for %k = %zero to %j step %one iter_args(%c = %s) -> f64 {
        %x = memref.load %a[%i, %k] : memref<96x96xf64>
        %y = memref.load %a[%k, %j] : memref<96x96xf64>
        %m = arith.mulf %x, %y : f64
        %r = arith.subf %c, %m : f64
        scf.yield %r : f64
      }
      %d = memref.load %a[%j, %j] : memref<96x96xf64>
      %q = arith.divf %t, %d : f64
      memref.store %q, %a[%i, %j] : memref<96x96xf64>
    }
    scf.for %j = %i to %n step %one {
      %s = memref.load %a[%i, %j] : memref<96x96xf64>
      %t = scf.for %k = %zero to %i step %one iter_args(%c = %s) -> f64 {
        %x = memref.load %a[%i, %k] : memref<96x96xf64>
        %y = memref.load %a[%k, %j] : memref<96x96xf64>
        %m = arith.mulf %x, %y : f64
        %r = arith.subf %c, %m : f64
        scf.yield %r : f64
      }
      memref.store %t, %a[%i, %j] : memref<96x96xf64>
    }
  }
  return
}
