// Tiles of hand-written loop commands that don't fit the caches of the host are
// advised against, with their reason and place.
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{driver} = baco-tune-driver --host=l1=4096,l2=16384,l3=0

// What the innermost loops over points touch; where one of them isn't tiled,
// what the loop around it uses again.
// RUN: %{driver} %t/product.mlir --emit-space=- | FileCheck %s --check-prefix=PRODUCT
// PRODUCT:      "expression": "TJ != 0 || TK * 512 * 4 <= 16384",
// PRODUCT-NEXT: "reason": "what each iteration of the original loop 1 of S0 uses again of A1 stays in level 2 (S0 is at {{.*}}product.mlir:11:9, A1 is at {{.*}}product.mlir:2:20)",
// PRODUCT-NEXT: "location": "{{.*}}product.mlir:3:3",
// PRODUCT-NEXT: "advisory": true
// PRODUCT:      "expression": "TJ == 0 || TJ * 4 + TK * 4 + TK * TJ * 4 <= 16384",
// PRODUCT-NEXT: "reason": "what a tile of S0 reads and writes stays in level 2 (S0 is at {{.*}}product.mlir:11:9)",
// PRODUCT-NEXT: "location": "{{.*}}product.mlir:3:3",
// PRODUCT-NEXT: "advisory": true
// PRODUCT-NOT:  "expression"
// RUN: %exits 3 %{driver} %t/product.mlir --explain=TJ=256,TK=64 | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN:      TJ = 256, TK = 64: forbidden
// EXPLAIN-NEXT: {{.*}}TK * TJ * 4 <= 16384{{.*}}what a tile of S0 reads{{.*}}stays in level 2{{.*}}product.mlir:3:3{{.*}}advisory
// RUN: %{driver} %t/product.mlir --ignore-advisory --explain=TJ=256,TK=64 | FileCheck %s --check-prefix=IGNORE
// IGNORE: TJ = 256, TK = 64: allowed

// What fits always is not said, nor what the default doesn't meet.
// RUN: baco-tune-driver --host=l1=4096,l2=16384,l3=16777216 %t/product.mlir --emit-space=- \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: sed 's/default = 8/default = 256/; s/64, 256\]>>>/64, 256]>, default = 64>>/' %t/product.mlir > %t/default.mlir
// RUN: %{driver} %t/default.mlir --emit-space=- | FileCheck %s --check-prefix=DEFAULT
// DEFAULT:     "default": 256
// DEFAULT:     "default": 64
// DEFAULT:     "expression": "TJ != 0
// DEFAULT-NOT: "expression"
// NONE: "constraints": [],

// Nor is anything known of loops over several iterators, or where the tile
// doesn't change what is used when.
// RUN: %{driver} %t/skewed.mlir --emit-space=- | FileCheck %s --check-prefix=NONE
// RUN: %{driver} %t/outermost.mlir --emit-space=- | FileCheck %s --check-prefix=NONE

// Each order of a knob has rules of its own; neighbors count once, and a tile is
// not more than the loop.
// RUN: baco-tune-driver --host=l1=64,l2=128,l3=0 %t/rows.mlir --emit-space=- \
// RUN:   | FileCheck %s --check-prefix=ROWS
// ROWS:     "expression": "order == (1, 0) || min(T, 254) * 4 <= 128",
// ROWS:     "expression": "order == (1, 0) || (min(T, 254) + 2) * 4 <= 128",
// ROWS-NOT: "expression"

// Blocks that outer loops have tiled are used again in the tiles of others.
// RUN: %{driver} %t/blocks.mlir --emit-space=- | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: "expression": "MC * KC * 4 <= 16384",
// BLOCKS-NEXT: "reason": "what each tile of the original loop 2 of S0 uses again of A0 stays in level 2

// What is farther apart than 64 bits tell isn't one piece.
// RUN: baco-tune-driver --host=l1=64,l2=128,l3=0 %t/far.mlir --emit-space=- \
// RUN:   | FileCheck %s --check-prefix=FAR
// FAR: "expression": "order == (1, 0) || min(T, 254) * 4 <= 128",

//--- product.mlir
func.func @product(%A: memref<512x512xf32>,
                   %B: memref<512x512xf32>, %C: memref<512x512xf32>) {
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 512 {
      affine.for %k = 0 to 512 {
        %a = affine.load %A[%i, %k] : memref<512x512xf32>
        %b = affine.load %B[%k, %j] : memref<512x512xf32>
        %c = affine.load %C[%i, %j] : memref<512x512xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%i, %j] : memref<512x512xf32>
      }
    }
  } {baco.recipe = #baco.recipe<[
      #baco.loop_permute<order = [1, 3, 2]>,
      #baco.loop_tile<statement = 0, loop = 3, size = #baco.knob<"TJ", #baco.ordinal<[0, 1, 8, 64, 256]>, default = 8>>,
      #baco.loop_tile<statement = 0, loop = 3, size = #baco.knob<"TK", #baco.ordinal<[8, 64, 256]>>>]>}
  return
}

//--- skewed.mlir
func.func @skewed(%A: memref<512x512xf32>) {
  affine.for %i = 1 to 512 {
    affine.for %j = 0 to 511 {
      %a = affine.load %A[%i - 1, %j + 1] : memref<512x512xf32>
      affine.store %a, %A[%i, %j] : memref<512x512xf32>
    }
  } {baco.recipe = #baco.recipe<[
      #baco.loop_skew<statement = 0, loop = 2, coefficients = [1, 1]>,
      #baco.loop_tile<statement = 0, loop = 2, size = #baco.knob<"T", #baco.ordinal<[8, 64, 512]>>>]>}
  return
}

//--- outermost.mlir
func.func @outermost(%A: memref<512x512xf32>, %B: memref<512x512xf32>) {
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 512 {
      %a = affine.load %A[%i, %j] : memref<512x512xf32>
      affine.store %a, %B[%i, %j] : memref<512x512xf32>
    }
  } {baco.recipe = #baco.recipe<[
      #baco.loop_tile<statement = 0, loop = 1, size = #baco.knob<"T", #baco.ordinal<[8, 64, 512]>>>]>}
  return
}

//--- rows.mlir
func.func @rows(%A: memref<256xf32>, %B: memref<254xf32>) {
  affine.for %t = 0 to 100 {
    affine.for %i = 0 to 254 {
      %a = affine.load %A[%i] : memref<256xf32>
      %b = affine.load %A[%i + 1] : memref<256xf32>
      %c = affine.load %A[%i + 2] : memref<256xf32>
      %p = arith.mulf %a, %b : f32
      %q = arith.mulf %c, %p : f32
      affine.store %q, %B[%i] : memref<254xf32>
    }
  } {baco.recipe = #baco.recipe<[
      #baco.loop_tile<statement = 0, loop = 2, size = #baco.knob<"T", #baco.ordinal<[8, 64, 512]>>>,
      #baco.loop_permute<order = #baco.knob<"order", #baco.permutation<2>>>]>}
  return
}

//--- far.mlir
func.func @far(%A: memref<?xf32>, %B: memref<100xf32>) {
  affine.for %t = 0 to 100 {
    affine.for %i = 0 to 254 {
      %a = affine.load %A[%i] : memref<?xf32>
      %b = affine.load %A[%i + 5000000000000000000] : memref<?xf32>
      %c = affine.load %A[%i - 5000000000000000000] : memref<?xf32>
      %p = arith.mulf %a, %b : f32
      %q = arith.mulf %c, %p : f32
      affine.store %q, %B[%t] : memref<100xf32>
    }
  } {baco.recipe = #baco.recipe<[
      #baco.loop_tile<statement = 0, loop = 2, size = #baco.knob<"T", #baco.ordinal<[8, 64, 512]>>>,
      #baco.loop_permute<order = #baco.knob<"order", #baco.permutation<2>>>]>}
  return
}

//--- blocks.mlir
func.func @blocks(%A: memref<512x512xf32>,
                  %B: memref<512x512xf32>, %C: memref<512x512xf32>) {
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 512 {
      affine.for %k = 0 to 512 {
        %a = affine.load %A[%i, %k] : memref<512x512xf32>
        %b = affine.load %B[%k, %j] : memref<512x512xf32>
        %c = affine.load %C[%i, %j] : memref<512x512xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%i, %j] : memref<512x512xf32>
      }
    }
  } {baco.recipe = #baco.recipe<[
      #baco.loop_tile<statement = 0, loop = 1, size = #baco.knob<"MR", #baco.ordinal<[2, 4]>>>,
      #baco.loop_tile<statement = 0, loop = 3, size = #baco.knob<"NR", #baco.ordinal<[8, 16]>>>,
      #baco.loop_tile<statement = 0, loop = 2, size = #baco.knob<"MC", #baco.ordinal<[16, 32, 64]>>>,
      #baco.loop_tile<statement = 0, loop = 6, size = #baco.knob<"KC", #baco.ordinal<[64, 128, 256]>>>]>}
  return
}
