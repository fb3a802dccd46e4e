// Shared memory is limited by the step and by the chip of the module, whichever
// has less.
// RUN: sed s/CHIP/sm_75/ %s > %t.turing.mlir
// RUN: baco-opt %t.turing.mlir --baco-expand-recipes \
// RUN:   --baco-extract-space -o /dev/null | FileCheck %s --check-prefix=TURING
// RUN: sed s/CHIP/sm_90/ %s | baco-opt --baco-expand-recipes \
// RUN:   --baco-extract-space -o /dev/null | FileCheck %s --check-prefix=HOPPER
// A tile that never fits:
// RUN: sed 's/CHIP/sm_75/; s/#baco.knob<[^>]*>>/256/' %s \
// RUN:   | not baco-opt --baco-expand-recipes 2>&1 | FileCheck %s --check-prefix=NEVER

// TURING: "4 * BM * 64 + 16384 <= 65536"
// HOPPER: "4 * BM * 64 + 16384 <= 100000"
// NEVER: must fit 65536 bytes of shared memory
module attributes {baco.gpu_target = #nvvm.target<chip = "CHIP">} {
  func.func @matmul(%a: memref<512x512xf32>, %b: memref<512x512xf32>,
                    %c: memref<512x512xf32>) {
    linalg.matmul {baco.recipe = #baco.recipe<[
        #baco.gpu_blocks<sizes = [#baco.knob<"BM", #baco.ordinal<[32, 64, 256], log>>, 64, 0]>,
        #baco.tile<sizes = [0, 0, 64]>,
        #baco.gpu_shared<operands = [0, 1], limit = 100000>,
        #baco.gpu_threads<sizes = [8, 8, 0]>]>}
      ins(%a, %b : memref<512x512xf32>, memref<512x512xf32>)
      outs(%c : memref<512x512xf32>)
    return
  }
}
