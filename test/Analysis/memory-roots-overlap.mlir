// RUN: baco-opt %s --split-input-file --baco-annotate --verify-diagnostics | FileCheck %s

// Memory of unknown origin may be any other memory.

// CHECK-NOT: baco.recipe
func.func @select(%A: memref<100xf32>, %B: memref<100xf32>, %c: i1) {
  %p = arith.select %c, %A, %B : memref<100xf32>
  // expected-remark@+1 {{no automatic recipe: accesses memory that may alias any other memref: it comes from 'arith.select'}}
  affine.for %i = 1 to 100 {
    %a = affine.load %A[%i - 1] : memref<100xf32>
    %b = arith.addf %a, %a : f32
    // expected-remark@+1 {{accesses memory that may alias any other memref}}
    affine.store %b, %p[%i] : memref<100xf32>
  }
  return
}

// -----

func.func private @id(memref<100xf32>) -> memref<100xf32>

func.func @result(%A: memref<100xf32>) {
  %p = call @id(%A) : (memref<100xf32>) -> memref<100xf32>
  // expected-remark@+1 {{it comes from 'func.call'}}
  affine.for %i = 1 to 100 {
    %a = affine.load %A[%i - 1] : memref<100xf32>
    %b = arith.addf %a, %a : f32
    // expected-remark@+1 {{accesses memory that may alias any other memref}}
    affine.store %b, %p[%i] : memref<100xf32>
  }
  return
}

// -----

// Two arguments are one array here.
func.func private @shift(%A: memref<100xf32>, %B: memref<100xf32>) {
  // expected-remark@+1 {{a call of this function passes two arguments that may alias}}
  affine.for %i = 1 to 100 {
    %a = affine.load %A[%i - 1] : memref<100xf32>
    %b = arith.addf %a, %a : f32
    affine.store %b, %B[%i] : memref<100xf32>
  }
  return
}

func.func @caller(%A: memref<100xf32>) {
  call @shift(%A, %A) : (memref<100xf32>, memref<100xf32>) -> ()
  return
}

// -----

// What has the address of a function may pass anything.
func.func @pointed(%A: memref<100xf32>, %B: memref<100xf32>) {
  // expected-remark@+1 {{a use of the address of this function passes two arguments that may alias}}
  affine.for %i = 1 to 100 {
    %a = affine.load %A[%i - 1] : memref<100xf32>
    %b = arith.addf %a, %a : f32
    affine.store %b, %B[%i] : memref<100xf32>
  }
  return
}

func.func @caller() -> ((memref<100xf32>, memref<100xf32>) -> ()) {
  %0 = func.constant @pointed : (memref<100xf32>, memref<100xf32>) -> ()
  return %0 : (memref<100xf32>, memref<100xf32>) -> ()
}

// -----

// The only memory of a nest may be of unknown origin, and reading twice from
// one array does no harm.
// CHECK: func.func private @alone
// CHECK: baco.recipe
func.func private @id(memref<100xf32>) -> memref<100xf32>
func.func private @alone(%A: memref<100xf32>) {
  %p = call @id(%A) : (memref<100xf32>) -> memref<100xf32>
  affine.for %i = 0 to 100 {
    %a = affine.load %p[%i] : memref<100xf32>
    %b = arith.addf %a, %a : f32
    affine.store %b, %p[%i] : memref<100xf32>
  }
  return
}

// CHECK: func.func private @add
// CHECK: baco.recipe
func.func private @add(%A: memref<100xf32>, %B: memref<100xf32>, %C: memref<100xf32>) {
  affine.for %i = 0 to 100 {
    %a = affine.load %A[%i] : memref<100xf32>
    %b = affine.load %B[%i] : memref<100xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %C[%i] : memref<100xf32>
  }
  return
}
func.func @doubled(%A: memref<100xf32>, %B: memref<100xf32>) {
  call @add(%A, %A, %B) : (memref<100xf32>, memref<100xf32>, memref<100xf32>) -> ()
  return
}

// -----

// Rows of one buffer that have no element in common are as good as two buffers.
// CHECK: func.func @disjoint
// CHECK: baco.recipe
func.func @disjoint(%A: memref<2x100xf32>) {
  %x = memref.subview %A[0, 0] [1, 100] [1, 1]
      : memref<2x100xf32> to memref<100xf32, strided<[1]>>
  %y = memref.subview %A[1, 0] [1, 100] [1, 1]
      : memref<2x100xf32> to memref<100xf32, strided<[1], offset: 100>>
  affine.for %i = 1 to 100 {
    %a = affine.load %x[%i - 1] : memref<100xf32, strided<[1]>>
    affine.store %a, %y[%i] : memref<100xf32, strided<[1], offset: 100>>
  }
  return
}

// -----

// Two that don't overlap may both overlap a third one.
// CHECK: func.func @connected
// CHECK-NOT: baco.recipe
func.func @connected(%A: memref<2x100xf32>) {
  %x = memref.subview %A[0, 0] [1, 100] [1, 1]
      : memref<2x100xf32> to memref<100xf32, strided<[1]>>
  %y = memref.subview %A[1, 0] [1, 100] [1, 1]
      : memref<2x100xf32> to memref<100xf32, strided<[1], offset: 100>>
  // expected-remark@+1 {{no automatic recipe: nothing in it can be chosen}}
  affine.for %i = 1 to 100 {
    %a = affine.load %x[%i - 1] : memref<100xf32, strided<[1]>>
    // expected-remark@+1 {{views of the same memory may alias, so that any access may touch any element}}
    affine.store %a, %y[%i] : memref<100xf32, strided<[1], offset: 100>>
    %b = affine.load %A[0, %i] : memref<2x100xf32>
    affine.store %b, %A[1, 100 - %i] : memref<2x100xf32>
  }
  return
}

// -----

// An offset that changes from iteration to iteration shows nothing.
// CHECK: func.func @moving
// CHECK-NOT: baco.recipe
func.func @moving(%A: memref<201xf32>, %n: index) {
  %x = memref.subview %A[%n] [100] [1]
      : memref<201xf32> to memref<100xf32, strided<[1], offset: ?>>
  %y = memref.subview %A[100] [100] [1]
      : memref<201xf32> to memref<100xf32, strided<[1], offset: 100>>
  // expected-remark@+1 {{no automatic recipe: nothing in it can be chosen}}
  affine.for %i = 1 to 100 {
    %a = affine.load %x[%i - 1] : memref<100xf32, strided<[1], offset: ?>>
    // expected-remark@+1 {{views of the same memory may alias}}
    affine.store %a, %y[%i] : memref<100xf32, strided<[1], offset: 100>>
  }
  return
}
