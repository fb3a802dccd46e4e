// A recipe in the file is what is tuned; the rest of the module stays. By costs,
// because the original code is as fast.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --evaluator=static --output-dir=%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/recipe.tuned.mlir

// Steps that upstream has ops for leave a schedule that a stock mlir-opt runs.
// RUN: not grep baco[.][a-z] %t/recipe.schedule.mlir
// RUN: FileCheck %s --check-prefix=STOCK --input-file=%t/recipe.schedule.mlir
// STOCK: Runs in a stock mlir-opt.
// RUN: sed 's/{baco.recipe = .*//; /#baco.tile/d' %s > %t/plain.mlir
// RUN: %stock-mlir-opt %t/plain.mlir \
// RUN:   --transform-preload-library=transform-library-paths=%t/recipe.schedule.mlir \
// RUN:   --transform-interpreter -o %t/scheduled
// RUN: %stock-mlir-opt %t/recipe.tuned.mlir -o %t/tuned
// RUN: cmp %t/tuned %t/scheduled

// CHECK:     kernel: 2 evaluations
// CHECK:     chosen MC = {{8|16}}
// CHECK-NOT: other:

// TUNED:       func.func @kernel
// TUNED:       scf.for
// TUNED-LABEL: func.func @other
// TUNED-NEXT:  linalg.transpose
// TUNED-NOT:   baco
func.func @kernel(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
                  %C: memref<32x32xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"MC", #baco.ordinal<[8, 16]>>, 0, 0]>]>}
    ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>)
    outs(%C : memref<32x32xf32>)
  return
}
func.func @other(%A: memref<?x32xf32>, %B: memref<32x?xf32>) {
  linalg.transpose ins(%A : memref<?x32xf32>) outs(%B : memref<32x?xf32>)
    permutation = [1, 0]
  return
}
