// RUN: baco-opt %s --baco-expand-recipes | FileCheck %s --check-prefix=SCHEDULE
// RUN: baco-opt %s --baco-expand-recipes --baco-extract-space | FileCheck %s

// A knob may be called like a word or a function of expressions.

// SCHEDULE: #baco.constraint<"divides(`true`, 64)", "tile 'true' of iterator 0 must divide 64
// SCHEDULE-SAME: #baco.constraint<"divides(min, 64)"
// SCHEDULE-SAME: #baco.constraint<"divides(in, 64)"
// CHECK: "expression": "divides(`true`, 64)"
// CHECK: "expression": "divides(min, 64)"
// CHECK: "expression": "divides(in, 64)"
func.func @matmul(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"true", #baco.ordinal<[2, 4]>>,
                          #baco.knob<"min", #baco.ordinal<[2, 4]>>,
                          #baco.knob<"in", #baco.ordinal<[2, 4]>>]>,
      #baco.vectorize<>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}
