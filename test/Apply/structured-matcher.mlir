// A schedule of upstream's ops is applied by a stock mlir-opt, which finds an op
// by its structure and other functions by their fingerprints: the result is the
// same.
// RUN: rm -rf %t && split-file %s %t
// RUN: %tune %t/recipes.mlir --output-dir=%t
// RUN: FileCheck %s --input-file=%t/recipes.library.mlir
// RUN: sed '/baco.recipe/,/bufferize/d; s/@product/@renamed/' %t/recipes.mlir > %t/plain.mlir
// RUN: baco-opt %t/plain.mlir --baco-apply=library=%t/recipes.library.mlir -o %t/ours
// RUN: baco-opt %t/plain.mlir --baco-fingerprint -o %t/marked.mlir
// RUN: %stock-mlir-opt %t/marked.mlir \
// RUN:   --transform-preload-library=transform-library-paths=%t/recipes.library.mlir \
// RUN:   --transform-interpreter \
// RUN:   | sed 's/ attributes {baco.fingerprint[^}]*}//' | cmp - %t/ours
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/ours

// CHECK: // or, without baco,
// CHECK: transform.named_sequence @tuned.product.[[P:[0-9a-f]+]](
// CHECK-SAME: stock = "structure"
// CHECK: transform.named_sequence @match.tuned.product.[[P]](
// CHECK: filter_operand_types = [memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>]
// CHECK: transform.named_sequence @tuned.two.{{[0-9a-f]+}}(
// CHECK-SAME: stock = "fingerprint"
// CHECK: transform.named_sequence @tuned.chain.{{[0-9a-f]+}}(
// CHECK-SAME: stock = "fingerprint"
// CHECK: transform.named_sequence @__transform_main(
// CHECK: transform.foreach_match in {{.*}} @match.tuned.product.[[P]] -> @take_function
// TUNED-LABEL: @renamed
// TUNED-NOT: linalg.matmul
// TUNED-LABEL: @two
// TUNED: scf.for
// TUNED-LABEL: @chain
// TUNED-NOT: linalg.matmul

// Other extents, types and attributes aren't matched.
// RUN: %stock-mlir-opt %t/others.mlir \
// RUN:   --transform-preload-library=transform-library-paths=%t/recipes.library.mlir \
// RUN:   --transform-interpreter -o %t/others
// RUN: %stock-mlir-opt %t/others.mlir | cmp - %t/others

// If a schedule of baco is in the library, the others are in a file of their
// own, without it.
// RUN: cat %t/recipes.mlir %t/mixed.mlir > %t/both.mlir
// RUN: %tune %t/both.mlir --output-dir=%t | FileCheck %s --check-prefix=WROTE
// WROTE: wrote {{.*}}both.stock.mlir
// RUN: not %stock-mlir-opt %t/both.library.mlir
// RUN: sed '/baco.recipe/,/bufferize/d; s/@product/@renamed/' %t/both.mlir > %t/plain.mlir
// RUN: baco-opt %t/plain.mlir --baco-fingerprint -o %t/marked.mlir
// RUN: %stock-mlir-opt %t/marked.mlir --mlir-print-local-scope \
// RUN:   --transform-preload-library=transform-library-paths=%t/both.stock.mlir \
// RUN:   --transform-interpreter \
// RUN:   | sed 's/ attributes {baco.fingerprint[^}]*}//; /@mine/,/^  }/d' > %t/stock
// RUN: baco-opt %t/plain.mlir --mlir-print-local-scope --baco-apply=library=%t/both.library.mlir \
// RUN:   | sed '/@mine/,/^  }/d' | diff %t/stock -
// It is a library, too.
// RUN: baco-opt %t/plain.mlir --mlir-print-local-scope --baco-apply="library=%t/both.stock.mlir mode=warn" 2>/dev/null \
// RUN:   | sed '/@mine/,/^  }/d' | diff %t/stock -
// And goes when it isn't needed any longer.
// RUN: sed '/^func.func @mine/,/^}/d' %t/both.mlir > %t/one.mlir && mv %t/one.mlir %t/both.mlir
// RUN: %tune %t/both.mlir --output-dir=%t && not ls %t/both.stock.mlir

//--- recipes.mlir
func.func @product(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul
    {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"MC", #baco.ordinal<[16, 32], log>>, 16, 0]>,
      #baco.tile<sizes = [4, 0, 1]>, #baco.vectorize<>, #baco.hoist<>]>} // bufferize
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
func.func @two(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  %two = arith.constant 2.0 : f32
  linalg.fill ins(%two : f32) outs(%C : memref<64x64xf32>)
  linalg.matmul
    {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"MC", #baco.ordinal<[16, 32], log>>, 16, 0]>,
      #baco.tile<sizes = [4, 0, 1]>, #baco.vectorize<>, #baco.hoist<>]>} // bufferize
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
// A schedule for each op.
func.func @chain(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul
    {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"MC", #baco.ordinal<[16, 32], log>>, 16, 0]>,
      #baco.tile<sizes = [4, 0, 1]>, #baco.vectorize<>, #baco.hoist<>]>} // bufferize
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  linalg.generic {
    baco.recipe = #baco.recipe<[#baco.tile<sizes = [4, 16]>,
      #baco.vectorize<>]>, // bufferize
    indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    outs(%C : memref<64x64xf32>) {
  ^bb0(%c: f32):
    %twice = arith.addf %c, %c : f32
    linalg.yield %twice : f32
  }
  linalg.matmul
    {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"MC", #baco.ordinal<[16, 32], log>>, 16, 0]>,
      #baco.tile<sizes = [4, 0, 1]>, #baco.vectorize<>, #baco.hoist<>]>} // bufferize
    ins(%A, %C : memref<64x64xf32>, memref<64x64xf32>) outs(%B : memref<64x64xf32>)
  return
}
//--- mixed.mlir
func.func @mine(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  return
}
//--- others.mlir
func.func @extents(%A: memref<64x32xf32>, %B: memref<32x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul ins(%A, %B : memref<64x32xf32>, memref<32x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
func.func @type(%A: memref<64x64xi32>, %B: memref<64x64xi32>, %C: memref<64x64xi32>) {
  linalg.matmul ins(%A, %B : memref<64x64xi32>, memref<64x64xi32>) outs(%C : memref<64x64xi32>)
  return
}
func.func @tensor(%A: tensor<64x64xf32>, %B: tensor<64x64xf32>, %C: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.matmul ins(%A, %B : tensor<64x64xf32>, tensor<64x64xf32>) outs(%C : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
func.func @transposed(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
