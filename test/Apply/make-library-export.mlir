// Libraries are written from databases, of a study or of all that is known.
// RUN: rm -rf %t && split-file %s %t && mkdir %t/out
// RUN: %tune %t/both.mlir --db=%t/a.db --output-dir=%t/out
// RUN: baco study export %t/a.db --format=library --output=%t/all.library.mlir
// RUN: grep -v ^// %t/out/both.library.mlir > %t/written
// RUN: grep -v ^// %t/all.library.mlir | cmp - %t/written
// RUN: baco-opt %t/both.mlir --baco-apply=library=%t/all.library.mlir -o %t/applied
// RUN: %stock-mlir-opt %t/out/both.tuned.mlir | cmp - %t/applied
// RUN: baco study export %t/a.db --format=stock > %t/stock.mlir
// RUN: grep -v ^// %t/out/both.stock.mlir > %t/written
// RUN: grep -v ^// %t/stock.mlir | cmp - %t/written
// RUN: sed '/{baco.recipe/,/]>}$/d' %t/both.mlir > %t/plain.mlir
// RUN: %stock-mlir-opt %t/plain.mlir --transform-preload-library=transform-library-paths=%t/stock.mlir \
// RUN:   --transform-interpreter | FileCheck %s --check-prefix=STOCK
// STOCK-LABEL: @stock
// STOCK: vector<
// STOCK-LABEL: @mine
// STOCK-NEXT: linalg.matmul

// RUN: baco study export %t/a.db --format=library --study=mine | FileCheck %s --check-prefix=MINE
// MINE:     // Made by baco study export.
// MINE-NOT: function = "stock"
// MINE:     baco.entry = {{.*}}function = "mine"
// MINE-NOT: baco.entry
// RUN: %exits 1 baco study export %t/a.db --format=stock --study=mine 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: database '{{.*}}a.db' has no entry of a tuned library that a stock mlir-opt can apply: all schedules have ops of baco

// What was tuned again is written again; merging keeps what is there.
// RUN: cp %t/a.db %t/b.db
// RUN: sed 's/@mine/@another/; s/32x32/16x16/g; /@stock/,/^}/d' %t/both.mlir > %t/another.mlir
// RUN: %tune %t/another.mlir --db=%t/b.db --output-dir=%t/out
// RUN: baco study export %t/b.db --format=library --output=%t/all.library.mlir
// RUN: grep -c 'baco.entry = ' %t/all.library.mlir | FileCheck %s --check-prefix=THREE
// THREE: {{^3$}}
// RUN: baco study merge %t/a.db %t/b.db | FileCheck %s --check-prefix=MERGED
// MERGED: tuned library: 1 new, 2 known already
// RUN: baco study export %t/a.db --format=library | cmp - %t/all.library.mlir
// RUN: baco-opt %t/another.mlir --baco-apply=db=%t/a.db | FileCheck %s --check-prefix=ANOTHER
// ANOTHER: vector<
// RUN: baco study prune %t/a.db --study=another
// RUN: not baco-opt %t/another.mlir --baco-apply=db=%t/a.db 2>&1 | FileCheck %s --check-prefix=PRUNED
// PRUNED: error: no entry for 'another'
// RUN: baco study prune %t/a.db --older-than=0d
// RUN: %exits 1 baco study export %t/a.db --format=library 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: database '{{.*}}a.db' has no entry of a tuned library; tune with --db, which adds them

//--- both.mlir
func.func @stock(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul
    {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"MC", #baco.ordinal<[16, 32], log>>, 16, 0]>,
      #baco.tile<sizes = [4, 0, 1]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
func.func @mine(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  return
}
