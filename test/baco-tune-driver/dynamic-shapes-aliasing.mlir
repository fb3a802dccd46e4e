// Schedules assume that different arguments are different memory. Callers may
// pass one buffer twice all the same, to functions on dynamic shapes and others:
// versions are called only where what they write is apart.
// RUN: rm -rf %t && mkdir %t
// RUN: baco-tune-driver %s --budget=8 --seed=1 --output-dir=%t %quick 2>&1 \
// RUN:   | FileCheck %s
// RUN: %stock-mlir-opt %s %to-llvm -o %t/original.mlir
// RUN: %stock-mlir-opt %t/dynamic-shapes-aliasing.tuned.mlir %to-llvm \
// RUN:   -o %t/tuned.mlir
// RUN: %stock-mlir-runner %t/original.mlir -e main --entry-point-result=f32 \
// RUN:   | FileCheck %s --check-prefix=RESULT
// RUN: %stock-mlir-runner %t/tuned.mlir -e main --entry-point-result=f32 \
// RUN:   | FileCheck %s --check-prefix=RESULT

// CHECK-DAG: add_next_65x48_65x48: {{[1-9]}}
// CHECK-DAG: add_static_noalias: the same kernel as add_next_65x48_65x48
// CHECK-DAG: add_pointed_noalias: the same kernel as add_next_65x48_65x48
// Element 47 of row 47 is the sum of 48 times 47 in one buffer, and of 2 times
// 47 in two: 2256 + 94 + 2256 + 2256.
// RESULT: {{^}}6.862000e+03
func.func @add_next(%from: memref<?x?xf32>, %to: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %rows = memref.dim %from, %c0 : memref<?x?xf32>
  affine.for %i = 0 to %rows {
    affine.for %j = 0 to 47 {
      %0 = affine.load %from[%i, %j] : memref<?x?xf32>
      %1 = affine.load %to[%i, %j + 1] : memref<?x?xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %to[%i, %j + 1] : memref<?x?xf32>
    }
  }
  return
}

func.func @add_static(%from: memref<65x48xf32>, %to: memref<65x48xf32>) {
  affine.for %i = 0 to 65 {
    affine.for %j = 0 to 47 {
      %0 = affine.load %from[%i, %j] : memref<65x48xf32>
      %1 = affine.load %to[%i, %j + 1] : memref<65x48xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %to[%i, %j + 1] : memref<65x48xf32>
    }
  }
  return
}

func.func private @add_pointed(%from: memref<65x48xf32>, %to: memref<65x48xf32>) {
  affine.for %i = 0 to 65 {
    affine.for %j = 0 to 47 {
      %0 = affine.load %from[%i, %j] : memref<65x48xf32>
      %1 = affine.load %to[%i, %j + 1] : memref<65x48xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %to[%i, %j + 1] : memref<65x48xf32>
    }
  }
  return
}

func.func private @number(%x: memref<65x48xf32>) attributes {baco.no_tune} {
  affine.for %i = 0 to 65 {
    affine.for %j = 0 to 48 {
      %0 = arith.index_cast %i : index to i64
      %1 = arith.sitofp %0 : i64 to f32
      affine.store %1, %x[%i, %j] : memref<65x48xf32>
    }
  }
  return
}

func.func @main() -> f32 {
  %at = arith.constant 47 : index
  %x = memref.alloc() : memref<65x48xf32>
  %y = memref.alloc() : memref<65x48xf32>
  call @number(%x) : (memref<65x48xf32>) -> ()
  call @number(%y) : (memref<65x48xf32>) -> ()
  %x0 = memref.cast %x : memref<65x48xf32> to memref<?x?xf32>
  %y0 = memref.cast %y : memref<65x48xf32> to memref<?x?xf32>
  call @add_next(%x0, %x0) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  %0 = memref.load %x[%at, %at] : memref<65x48xf32>
  call @number(%x) : (memref<65x48xf32>) -> ()
  call @add_next(%x0, %y0) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  %1 = memref.load %y[%at, %at] : memref<65x48xf32>
  call @add_static(%x, %x) : (memref<65x48xf32>, memref<65x48xf32>) -> ()
  %2 = memref.load %x[%at, %at] : memref<65x48xf32>
  call @number(%x) : (memref<65x48xf32>) -> ()
  %add = func.constant @add_pointed
    : (memref<65x48xf32>, memref<65x48xf32>) -> ()
  call_indirect %add(%x, %x) : (memref<65x48xf32>, memref<65x48xf32>) -> ()
  %pointed = memref.load %x[%at, %at] : memref<65x48xf32>
  %3 = arith.addf %0, %1 : f32
  %4 = arith.addf %3, %2 : f32
  memref.dealloc %x : memref<65x48xf32>
  memref.dealloc %y : memref<65x48xf32>
  %5 = arith.addf %4, %pointed : f32
  return %5 : f32
}
