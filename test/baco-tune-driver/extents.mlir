// The space says of which loop a knob's values are tiles: those of plans, and of
// commands by hand, whose nests are looked at.
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{driver} = baco-tune-driver --host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152
// RUN: %{driver} %t/planned.mlir --emit-space=- | tr -d ' \n' | FileCheck %s --check-prefix=PLANNED
// RUN: %{driver} %t/hand.mlir --emit-space=- | tr -d ' \n' | FileCheck %s --check-prefix=HAND
// RUN: %{driver} %t/hand.mlir --ignore-advisory --emit-space=- | tr -d ' \n' | FileCheck %s --check-prefix=HAND

// Of the product's reduction and rows; registers hold no shares.
// PLANNED: "name":"KC",{{[^}]*}}"extent":2048
// PLANNED: "name":"MC",{{[^}]*}}"extent":1024
// PLANNED-NOT: "extent"

//--- planned.mlir
func.func @planned(%A: memref<1024x2048xf32>, %B: memref<2048x512xf32>,
                   %C: memref<1024x512xf32>) {
  linalg.matmul ins(%A, %B : memref<1024x2048xf32>, memref<2048x512xf32>)
      outs(%C : memref<1024x512xf32>)
  return
}

// After the loops were permuted, TJ tiles the second one of the source, and B
// tiles TJ's tiles.
// HAND: "name":"TJ",{{[^}]*}}"extent":96
// HAND-NOT: "extent"

//--- hand.mlir
func.func @hand(%A: memref<64x96xf32>, %B: memref<64x96xf32>)
    attributes {llvm.emit_c_interface} {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 96 {
      %a = affine.load %A[%i, %j] : memref<64x96xf32>
      %b = arith.addf %a, %a : f32
      affine.store %b, %B[%i, %j] : memref<64x96xf32>
    }
  } {baco.recipe = #baco.recipe<[
      #baco.loop_permute<statement = 0, order = [2, 1]>,
      #baco.loop_tile<statement = 0, loop = 1, size = #baco.knob<"TJ", #baco.ordinal<[16, 32]>>, outer = 1>,
      #baco.loop_tile<statement = 0, loop = 2, size = #baco.knob<"B", #baco.ordinal<[2, 4]>>, outer = 2>]>}
  return
}
