// Callers may pass one buffer twice to a function on dynamic shapes. The
// versions don't assume that they don't, and compute what the original does,
// with a number of rows that callers pass, too.
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

// CHECK: shift_65x48_65x48: {{[1-9]}}
// CHECK: timed with 64 for argument 0
// In one buffer each row becomes the sum of all before it: 64 * 65 / 2 from
// rows of 0, 1, 2, ...; in two buffers the sum of two rows, 63 + 64.
// RESULT: {{^}}2.207000e+03
func.func @shift(%n: index, %from: memref<?x?xf32>, %to: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %columns = memref.dim %from, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %columns {
      %0 = affine.load %from[%i, %j] : memref<?x?xf32>
      %1 = affine.load %to[%i + 1, %j] : memref<?x?xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %to[%i + 1, %j] : memref<?x?xf32>
    }
  }
  return
}

func.func private @number(%x: memref<65x48xf32>) {
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
  %n = arith.constant 64 : index
  %last = arith.constant 47 : index
  %x = memref.alloc() : memref<65x48xf32>
  %y = memref.alloc() : memref<65x48xf32>
  call @number(%x) : (memref<65x48xf32>) -> ()
  call @number(%y) : (memref<65x48xf32>) -> ()
  %x0 = memref.cast %x : memref<65x48xf32> to memref<?x?xf32>
  %y0 = memref.cast %y : memref<65x48xf32> to memref<?x?xf32>
  call @shift(%n, %x0, %x0) : (index, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %0 = memref.load %x[%n, %last] : memref<65x48xf32>
  call @number(%x) : (memref<65x48xf32>) -> ()
  call @shift(%n, %x0, %y0) : (index, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %1 = memref.load %y[%n, %last] : memref<65x48xf32>
  %2 = arith.addf %0, %1 : f32
  memref.dealloc %x : memref<65x48xf32>
  memref.dealloc %y : memref<65x48xf32>
  return %2 : f32
}
