// A function on tensors of dynamic shape: each given shape is tuned, and the
// tuned module computes what the original does inside and outside of the set.
// RUN: rm -rf %t && split-file %s %t
// RUN: baco-tune-driver %t/layer.mlir --interface=buffers --budget=4 --seed=1 --output-dir=%t \
// RUN:   %quick --verbose --shape="layer:0=64x32,1=32x48;0=7x32,1=32x48" 2>&1 \
// RUN:   | FileCheck %s
// CHECK: layer_64x32_32x48_64x48:
// CHECK: layer_7x32_32x48_7x48:

// The tuned function is on memrefs, and takes one for its result; so does the
// original once it is bufferized alike.
// RUN: %stock-mlir-opt %t/layer.mlir \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   --buffer-results-to-out-params=modify-public-functions \
// RUN:   -o %t/original.mlir
// RUN: %python %S/Inputs/join-modules.py %t/original.mlir %t/main.mlir \
// RUN:   | %stock-mlir-opt %to-llvm -o %t/original-low.mlir
// RUN: %python %S/Inputs/join-modules.py %t/layer.tuned.mlir %t/main.mlir \
// RUN:   | %stock-mlir-opt %to-llvm -o %t/tuned-low.mlir
// RUN: %stock-mlir-runner %t/original-low.mlir -e main \
// RUN:   --entry-point-result=f32 | FileCheck %s --check-prefix=RESULT
// RUN: %stock-mlir-runner %t/tuned-low.mlir -e main \
// RUN:   --entry-point-result=f32 | FileCheck %s --check-prefix=RESULT
// Rows sum 2 * 32 terms; the last run has 8 terms.
// RESULT: {{^}}1.440000e+02

//--- layer.mlir
func.func @layer(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>,
                 %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %cleared = linalg.fill ins(%zero : f32) outs(%init : tensor<?x?xf32>)
    -> tensor<?x?xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>)
    outs(%cleared : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
//--- main.mlir
func.func private @run(%m: index, %n: index, %k: index) -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %c1 = arith.constant 1 : index
  %x = memref.alloc(%m, %k) : memref<?x?xf32>
  %w = memref.alloc(%k, %n) : memref<?x?xf32>
  %y = memref.alloc(%m, %n) : memref<?x?xf32>
  %z = memref.alloc(%m, %n) : memref<?x?xf32>
  linalg.fill ins(%two : f32) outs(%x : memref<?x?xf32>)
  linalg.fill ins(%one : f32) outs(%w : memref<?x?xf32>)
  func.call @layer(%x, %w, %y, %z)
    : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %row = arith.subi %m, %c1 : index
  %column = arith.subi %n, %c1 : index
  %last = memref.load %z[%row, %column] : memref<?x?xf32>
  return %last : f32
}
func.func @main() -> f32 {
  %c64 = arith.constant 64 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %0 = call @run(%c64, %c48, %c32) : (index, index, index) -> f32
  %1 = call @run(%c7, %c48, %c32) : (index, index, index) -> f32
  %2 = call @run(%c7, %c48, %c8) : (index, index, index) -> f32
  %3 = arith.addf %0, %1 : f32
  %4 = arith.addf %3, %2 : f32
  return %4 : f32
}
