// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=262144 -o %t
// RUN: %one-line-recipes %t | FileCheck %s
// RUN: baco-opt %s --baco-annotate="host=vector-bytes=64,vector-registers=32,l1=49152,l2=262144 groups=false" | %one-line-recipes | FileCheck %s --check-prefix=APART

// A product, what is computed of its rows, and a product with that take turns
// on blocks of rows; temporaries get the size of a block, and sums begin in
// registers. The same on tensors.

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @memrefs
// CHECK: linalg.fill {baco.recipe = #baco.recipe<[
// CHECK-SAME: #baco.loop_tile<statement = 4, loop = 1, size = #baco.knob<"TB", #baco.ordinal<[16, 32, 64, 128, 256], log>, default = 32, extent = 256>, outer = 1>
// CHECK-SAME: #baco.loop_fuse<statements = [0, 1, 2, 3, 4], loop = #baco.knob<"group", #baco.ordinal<[0, 1]>, default = 1>>
// CHECK-SAME: #baco.loop_fuse<statements = [0, 1], loop = 3>
// CHECK-SAME: #baco.loop_fuse<statements = [3, 4], loop = 3>
// CHECK-SAME: #baco.loop_contract<statement = 0, loop = #baco.knob<"group", #baco.ordinal<[0, 1]>, default = 1>, reference = 0>
// CHECK-SAME: nests = 5
// CHECK-SAME: "group > 0 || TB == 256" : "blocks of rows keep together what statements hand over"
// CHECK-SAME: "16 % MR1 == 0" : "the rows of a tile consist of whole register tiles"
// CHECK-NOT: baco.recipe
// CHECK-LABEL: func.func @tensors
// CHECK: linalg.fill {baco.recipe = #baco.recipe<[#baco.bufferize<>,
// CHECK-SAME: #baco.loop_contract
// CHECK-SAME: nests = 5
// CHECK-NOT: baco.recipe
// CHECK-LABEL: func.func @handed_out
// CHECK: linalg.fill {baco.recipe =
// CHECK-SAME: "group"
// CHECK-NOT: loop_contract
// CHECK-LABEL: func.func @last

// APART-LABEL: func.func @memrefs
// APART-COUNT-3: baco.recipe
// APART-LABEL: func.func @tensors
// APART-COUNT-3: baco.recipe
// APART-LABEL: func.func @handed_out
func.func @memrefs(%A: memref<256x16xf32>, %B: memref<16x256xf32>,
                   %C: memref<256x16xf32>, %O: memref<256x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %S = memref.alloc() : memref<256x256xf32>
  linalg.fill ins(%zero : f32) outs(%S : memref<256x256xf32>)
  linalg.matmul ins(%A, %B : memref<256x16xf32>, memref<16x256xf32>)
    outs(%S : memref<256x256xf32>)
  linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]}
    outs(%S : memref<256x256xf32>) {
  ^bb0(%s: f32):
    %r = math.exp %s : f32
    linalg.yield %r : f32
  }
  linalg.fill ins(%zero : f32) outs(%O : memref<256x16xf32>)
  linalg.matmul ins(%S, %C : memref<256x256xf32>, memref<256x16xf32>)
    outs(%O : memref<256x16xf32>)
  memref.dealloc %S : memref<256x256xf32>
  return
}

func.func @tensors(%A: tensor<256x16xf32>, %B: tensor<16x256xf32>,
                   %C: tensor<256x16xf32>) -> tensor<256x16xf32> {
  %zero = arith.constant 0.0 : f32
  %square = tensor.empty() : tensor<256x256xf32>
  %result = tensor.empty() : tensor<256x16xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%square : tensor<256x256xf32>) -> tensor<256x256xf32>
  %1 = linalg.matmul ins(%A, %B : tensor<256x16xf32>, tensor<16x256xf32>)
    outs(%0 : tensor<256x256xf32>) -> tensor<256x256xf32>
  %2 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
    ins(%1 : tensor<256x256xf32>) outs(%square : tensor<256x256xf32>) {
  ^bb0(%s: f32, %out: f32):
    %r = math.exp %s : f32
    linalg.yield %r : f32
  } -> tensor<256x256xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%result : tensor<256x16xf32>) -> tensor<256x16xf32>
  %4 = linalg.matmul ins(%2, %C : tensor<256x256xf32>, tensor<256x16xf32>)
    outs(%3 : tensor<256x16xf32>) -> tensor<256x16xf32>
  return %4 : tensor<256x16xf32>
}

// The caller sees the exponential function.
func.func @handed_out(%A: memref<256x16xf32>, %B: memref<16x256xf32>,
                      %S: memref<256x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%S : memref<256x256xf32>)
  linalg.matmul ins(%A, %B : memref<256x16xf32>, memref<16x256xf32>)
    outs(%S : memref<256x256xf32>)
  linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]}
    outs(%S : memref<256x256xf32>) {
  ^bb0(%s: f32):
    %r = math.exp %s : f32
    linalg.yield %r : f32
  }
  return
}

func.func @last() {
  return
}
