// A knob that is the size of tiles says of which loop: its search in another
// shape is compared by shares of that.
// RUN: baco-opt %s --baco-expand-recipes | FileCheck %s --check-prefix=KNOBS
// RUN: baco-opt %s --baco-expand-recipes \
// RUN:   --baco-extract-space="sequence=__transform_main output=-" \
// RUN:   -o /dev/null | FileCheck %s --check-prefix=SPACE

// Tiles of tiles are sizes; S tiles two loops that differ; C has what it says.
// KNOBS: tune.knob<"I"> {{.*}}baco.extent = 96
// KNOBS: tune.knob<"S"> options = #baco.ordinal<[8, 16]> ->
// KNOBS: tune.knob<"R"> options = #baco.ordinal<[2, 4]> ->
// KNOBS: tune.knob<"C"> {{.*}}baco.extent = 7
// SPACE:      "name": "I"
// SPACE:      "extent": 96
// SPACE-NOT:  "extent"
// SPACE:      "name": "C"
// SPACE:      "extent": 7
func.func @stepwise(%A: memref<96x32xf32>, %B: memref<32x64xf32>,
                    %C: memref<96x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
    #baco.tile<sizes = [#baco.knob<"I", #baco.ordinal<[8, 96]>>,
                        #baco.knob<"S", #baco.ordinal<[8, 16]>>,
                        #baco.knob<"S", #baco.ordinal<[8, 16]>>]>,
    #baco.tile<sizes = [#baco.knob<"R", #baco.ordinal<[2, 4]>>,
                        #baco.knob<"C", #baco.ordinal<[2, 4]>, extent = 7>,
                        0]>]>}
    ins(%A, %B : memref<96x32xf32>, memref<32x64xf32>)
    outs(%C : memref<96x64xf32>)
  return
}
