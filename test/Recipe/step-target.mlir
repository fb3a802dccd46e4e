// RUN: baco-opt %s | baco-opt --baco-expand-recipes -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: baco-opt %t.mlir --baco-concretize='configuration={"llvm.opt_level":0}' \
// RUN:   | FileCheck %s --check-prefix=CONCRETE

// CHECK:      transform.tune.knob<"llvm.opt_level"> options = #baco.ordinal<[0, 3]> {baco.default = 3 : i64}
// CHECK:      transform.tune.knob<"llvm.prefer_vector_width"> = 256 : i64 from options = [256]
// CONCRETE:   baco.target_options = {opt_level = 0 : i64, prefer_vector_width = 256 : i64}
func.func @f(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.llvm<{opt_level = #baco.knob<"llvm.opt_level", #baco.ordinal<[0, 3]>, default = 3>,
                  prefer_vector_width = 256}>,
      #baco.tile<sizes = [4, 0, 0]>]>}
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>)
    outs(%c : memref<8x8xf32>)
  return
}
