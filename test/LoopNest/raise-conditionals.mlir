// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=1048576,l3=33554432 | %one-line-recipes | FileCheck %s

// Sums that a condition decides about are reductions along vectors, whether
// they are carried through branches, selected, or kept in memory.

#above = affine_set<(i, j) : (i - j - 1 >= 0)>

// CHECK-LABEL: @memory
// CHECK: baco.recipe = [[RECIPE:#baco.recipe<.*loop_vectorize<statement = 1, loop = 2.*default = 64.*]]
func.func @memory(%a: memref<512x512xf32>, %v: memref<512xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %j = 0 to 512 {
    affine.store %zero, %v[%j] : memref<512xf32>
    affine.for %i = 0 to 512 {
      affine.if #above(%i, %j) {
        %s = affine.load %v[%j] : memref<512xf32>
        %x = affine.load %a[%j, %i] : memref<512x512xf32>
        %u = arith.addf %s, %x : f32
        affine.store %u, %v[%j] : memref<512xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: @affine_if
// CHECK: baco.recipe = [[RECIPE]]
func.func @affine_if(%a: memref<512x512xf32>, %v: memref<512xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %j = 0 to 512 {
    %r = affine.for %i = 0 to 512 iter_args(%s = %zero) -> f32 {
      %t = affine.if #above(%i, %j) -> f32 {
        %x = affine.load %a[%j, %i] : memref<512x512xf32>
        %u = arith.addf %s, %x : f32
        affine.yield %u : f32
      } else {
        affine.yield %s : f32
      }
      affine.yield %t : f32
    }
    affine.store %r, %v[%j] : memref<512xf32>
  }
  return
}

// CHECK-LABEL: @scf_if_of_indices
// CHECK: baco.recipe = [[RECIPE]]
func.func @scf_if_of_indices(%a: memref<512x512xf32>, %v: memref<512xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  scf.for %j = %c0 to %c512 step %c1 {
    %r = scf.for %i = %c0 to %c512 step %c1 iter_args(%s = %zero) -> f32 {
      %c = arith.cmpi sgt, %i, %j : index
      %t = scf.if %c -> f32 {
        %x = memref.load %a[%j, %i] : memref<512x512xf32>
        %u = arith.addf %s, %x : f32
        scf.yield %u : f32
      } else {
        scf.yield %s : f32
      }
      scf.yield %t : f32
    }
    memref.store %r, %v[%j] : memref<512xf32>
  }
  return
}

// CHECK-LABEL: @scf_if_of_data
// CHECK: baco.recipe = [[RECIPE]]
func.func @scf_if_of_data(%a: memref<512x512xf32>, %v: memref<512xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %j = 0 to 512 {
    %r = affine.for %i = 0 to 512 iter_args(%s = %zero) -> f32 {
      %x = affine.load %a[%j, %i] : memref<512x512xf32>
      %c = arith.cmpf ogt, %x, %zero : f32
      %t = scf.if %c -> f32 {
        %u = arith.addf %s, %x : f32
        scf.yield %u : f32
      } else {
        scf.yield %s : f32
      }
      affine.yield %t : f32
    }
    affine.store %r, %v[%j] : memref<512xf32>
  }
  return
}

// CHECK-LABEL: @select
// CHECK: baco.recipe = [[RECIPE]]
func.func @select(%a: memref<512x512xf32>, %v: memref<512xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %j = 0 to 512 {
    %r = affine.for %i = 0 to 512 iter_args(%s = %zero) -> f32 {
      %x = affine.load %a[%j, %i] : memref<512x512xf32>
      %c = arith.cmpf ogt, %x, %zero : f32
      %u = arith.addf %s, %x : f32
      %t = arith.select %c, %u, %s : f32
      affine.yield %t : f32
    }
    affine.store %r, %v[%j] : memref<512xf32>
  }
  return
}
