// Tiles of hand-written recipes that don't fit the caches of the host are
// advised against, with their reason and place.
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{driver} = baco-tune-driver --host=l1=4096,l2=16384,l3=0
// RUN: %{driver} %t/product.mlir --emit-space=- | FileCheck %s --check-prefix=PRODUCT
// PRODUCT:      "expression": "MC * KC * 4 <= 16384",
// PRODUCT-NEXT: "reason": "the tile of operand 0, which each iteration of the loop over iterator 1 reuses, stays in level 2",
// PRODUCT-NEXT: "location": "{{.*}}product.mlir:2:3",
// PRODUCT-NEXT: "advisory": true
// PRODUCT-NOT:  "advisory"
// RUN: %exits 3 %{driver} %t/product.mlir --explain='MC=128,KC=128' | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN:      MC = 128, KC = 128: forbidden
// EXPLAIN-NEXT: {{.*}}MC * KC * 4 <= 16384{{.*}}stays in level 2{{.*}}product.mlir:2:3{{.*}}advisory
// RUN: %{driver} %t/product.mlir --ignore-advisory --explain='MC=128,KC=128' | FileCheck %s --check-prefix=IGNORE
// IGNORE: MC = 128, KC = 128: allowed

// An eighth of level 3 may be more; then nothing is said.
// RUN: baco-tune-driver --host=l1=4096,l2=16384,l3=1048576 %t/product.mlir --emit-space=- \
// RUN:   | FileCheck %s --check-prefix=LARGE
// LARGE-NOT: "advisory"

// All that a tile touches counts, of neighbors, too; 0 is the whole extent.
// RUN: %{driver} %t/rows.mlir --emit-space=- | FileCheck %s --check-prefix=ROWS
// ROWS:      "expression": "!(T != 0) || (T + 2) * 128 * 4 + T * 126 * 4 + 36 <= 16384",
// ROWS-NEXT: "reason": "what a tile reads and writes stays in level 2",

// What the default doesn't meet isn't said.
// RUN: %{driver} %t/default.mlir --emit-space=- | FileCheck %s --check-prefix=DEFAULT
// DEFAULT: "constraints": [],

//--- product.mlir
func.func @product(%A: memref<128x128xf32>, %B: memref<128x128xf32>, %C: memref<128x128xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"MC", #baco.ordinal<[32, 64, 128]>>, 0,
                          #baco.knob<"KC", #baco.ordinal<[32, 64, 128]>>]>,
      #baco.tile<sizes = [0, 16, 0]>,
      #baco.tile<sizes = [4, 0, 1]>]>}
    ins(%A, %B : memref<128x128xf32>, memref<128x128xf32>)
    outs(%C : memref<128x128xf32>)
  return
}

//--- rows.mlir
func.func @rows(%A: memref<128x128xf32>, %W: memref<3x3xf32>, %C: memref<126x126xf32>) {
  linalg.conv_2d {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[0, 2, 6, 63]>, default = 2>, 0, 0, 0]>]>}
    ins(%A, %W : memref<128x128xf32>, memref<3x3xf32>)
    outs(%C : memref<126x126xf32>)
  return
}

//--- default.mlir
func.func @default(%A: memref<128x128xf32>, %C: memref<128x128xf32>) {
  linalg.copy {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[8, 64]>, default = 64>, 0]>]>}
    ins(%A : memref<128x128xf32>) outs(%C : memref<128x128xf32>)
  return
}
