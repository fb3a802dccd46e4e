// Dialect, passes and pipelines in a stock mlir-opt.
// RUN: %stock-mlir-opt --load-dialect-plugin=%baco-plugin %s \
// RUN:   --pass-pipeline='builtin.module(baco-expand-recipes)' \
// RUN:   | FileCheck %s --check-prefix=SCHEDULE
// RUN: %stock-mlir-opt --load-dialect-plugin=%baco-plugin %s \
// RUN:   --pass-pipeline='builtin.module(baco-expand-recipes,baco-concretize{configuration={"MC": 8}})' \
// RUN:   | %stock-mlir-opt --transform-interpreter \
// RUN:   | FileCheck %s --check-prefix=TILED

// SCHEDULE: transform.tune.knob<"MC"> options = #baco.ordinal<[8, 16]>
// TILED:    %[[STEP:.*]] = arith.constant 8 : index
// TILED:    scf.for {{.*}} step %[[STEP]]
func.func @kernel(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
                  %C: memref<32x32xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"MC", #baco.ordinal<[8, 16]>>, 0, 0]>]>}
    ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>)
    outs(%C : memref<32x32xf32>)
  return
}
