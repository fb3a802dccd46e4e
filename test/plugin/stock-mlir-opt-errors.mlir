// Errors come through a stock mlir-opt as they are.
// RUN: not %stock-mlir-opt --load-dialect-plugin=%baco-plugin %s \
// RUN:   --baco-autotune="budget=0" 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not %stock-mlir-opt --load-dialect-plugin=%baco-plugin %s \
// RUN:   --baco-autotune="budgt=1" 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: env BACO_WORKER=%t.absent not %stock-mlir-opt \
// RUN:   --load-dialect-plugin=%baco-plugin %s --baco-autotune 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WORKER

// VALUE:  stock-mlir-opt-errors.mlir:[[@LINE+3]]:1: error: the budget must be at least 1 evaluation
// OPTION: no such option budgt
// WORKER: stock-mlir-opt-errors.mlir:[[@LINE+1]]:1: error: worker program '{{.*}}.absent' (from $BACO_WORKER) is not an executable file
func.func @tiny(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
                %C: memref<32x32xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[#baco.tile<sizes = [#baco.knob<"MR", #baco.ordinal<[2, 4]>>, 0, 0]>]>}
                ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>)
                outs(%C : memref<32x32xf32>)
  return
}
