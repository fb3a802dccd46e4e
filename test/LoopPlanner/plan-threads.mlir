// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152,threads=2 | %one-line-recipes | FileCheck %s
// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152 | %one-line-recipes | FileCheck %s --check-prefix=SINGLE

// With several threads, matrix products become loops, too, whose chunks run in
// parallel. Without, nothing is parallel.
// SINGLE-NOT: loop_parallelize

// CHECK-LABEL: func.func @matmul
// CHECK:      #baco.loop_tile<statement = 0, loop = 1, size = #baco.knob<"PI", #baco.ordinal<[128, 256, 512, 1024], log>, default = 1024, extent = 1024>, outer = 1>
// CHECK-SAME: #baco.loop_parallelize<statement = 0, loop = 1>
// CHECK-SAME: #baco.loop_tile<statement = 0, loop = 3, size = #baco.knob<"PJ", #baco.ordinal<[128, 256, 512, 1024], log>, default = 512, extent = 1024>, outer = 2>
// CHECK-SAME: #baco.loop_parallelize<statement = 0, loop = 2>
// CHECK-SAME: advisory "PI == 1024 || PJ == 1024" : "one loop is distributed over the threads"
func.func @matmul(%A: memref<1024x1024xf32>, %B: memref<1024x1024xf32>,
                  %C: memref<1024x1024xf32>) {
  linalg.matmul ins(%A, %B : memref<1024x1024xf32>, memref<1024x1024xf32>)
                outs(%C : memref<1024x1024xf32>)
  return
}

// Rows of a map.
// CHECK-LABEL: func.func @scale
// CHECK:      #baco.loop_tile<statement = 0, loop = 1, size = #baco.knob<"PI", #baco.ordinal<[125, 250, 500, 1000], log>, default = 500, extent = 1000>, outer = 1>
// CHECK-SAME: #baco.loop_parallelize<statement = 0, loop = 1>
func.func @scale(%A: memref<1000x1000xf32>) {
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 1000 {
      %a = affine.load %A[%i, %j] : memref<1000x1000xf32>
      %p = arith.mulf %a, %a : f32
      affine.store %p, %A[%i, %j] : memref<1000x1000xf32>
    }
  }
  return
}

// Each row waits for the one before: columns only.
// CHECK-LABEL: func.func @prefix
// CHECK:      #baco.loop_tile<statement = 0, loop = 2, size = #baco.knob<"PI", #baco.ordinal<[128, 256, 512, 1000], log>, default = 512, extent = 1000>, outer = 1>
// CHECK-SAME: #baco.loop_parallelize<statement = 0, loop = 1>
// CHECK-NOT:  loop_parallelize
func.func @prefix(%A: memref<1000x1000xf32>) {
  affine.for %i = 1 to 1000 {
    affine.for %j = 0 to 1000 {
      %a = affine.load %A[%i - 1, %j] : memref<1000x1000xf32>
      %b = affine.load %A[%i, %j] : memref<1000x1000xf32>
      %p = arith.addf %a, %b : f32
      affine.store %p, %A[%i, %j] : memref<1000x1000xf32>
    }
  }
  return
}

// Two rows each belong together, which chunks of most sizes would respect.
// CHECK-LABEL: func.func @pairs
// CHECK:      #baco.loop_tile<statement = 0, loop = 1, size = #baco.knob<"PI"
// CHECK-SAME: #baco.loop_tile<statement = 0, loop = 4, size = #baco.knob<"PJ"
// CHECK-SAME: loop_parallelize
// CHECK-NOT:  loop_parallelize
func.func @pairs(%A: memref<64x1000xi32>, %B: memref<128x1000xi32>) {
  affine.for %i = 0 to 64 {
    affine.for %k = affine_map<(d0) -> (2 * d0)>(%i) to affine_map<(d0) -> (2 * d0 + 2)>(%i) {
      affine.for %j = 0 to 1000 {
        %a = affine.load %A[%i, %j] : memref<64x1000xi32>
        %b = affine.load %B[%k, %j] : memref<128x1000xi32>
        %p = arith.muli %a, %b : i32
        %q = arith.addi %p, %b : i32
        affine.store %q, %A[%i, %j] : memref<64x1000xi32>
      }
    }
  }
  return
}

// A chain shares its rows within chunks of them.
// CHECK-LABEL: func.func @softmax
// CHECK: linalg.softmax
// CHECK-SAME: #baco.loop_tile<statement = 0, loop = 1, size = #baco.knob<"PI", #baco.ordinal<[64, 128, 256, 512], log>, default = 256, extent = 512>, outer = 1>
// CHECK-SAME: #baco.loop_fuse<{{.*}}, loop = #baco.knob<"rows", #baco.ordinal<[0, 2]>, default = 2>>
// CHECK-SAME: #baco.loop_parallelize<statement = 0, loop = 1>
func.func @softmax(%x: memref<512x256xf32>, %y: memref<512x256xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<512x256xf32>) outs(%y : memref<512x256xf32>)
  return
}

// A group's heads are distributed, and blocks of rows share the keys of a head;
// with few heads, rows are.
#q = affine_map<(h, i, j, k) -> (h, i, k)>
#kt = affine_map<(h, i, j, k) -> (h, j, k)>
#s = affine_map<(h, i, j, k) -> (h, i, j)>
#e = affine_map<(h, i, j) -> (h, i, j)>
// CHECK-LABEL: func.func @heads
// CHECK: linalg.batch_matmul
// CHECK-SAME: #baco.loop_tile<statement = 0, loop = 1, size = #baco.knob<"PI", #baco.ordinal<[1, 2, 4, 8], log>, default = 4, extent = 8>, outer = 1>
// CHECK-SAME: #baco.loop_tile<statement = 0, loop = 3, size = #baco.knob<"TB"
// CHECK-SAME: #baco.loop_fuse<statements = [0, 1], loop = #baco.knob<"group", #baco.ordinal<[0, 3]>, default = 3>>
// CHECK-SAME: #baco.loop_parallelize<statement = 0, loop = 1>
// CHECK-SAME: #baco.loop_parallelize<statement = 1, loop = 1>
func.func @heads(%Q: memref<8x1024x64xf32>, %K: memref<8x1024x64xf32>, %S: memref<8x1024x1024xf32>) {
  linalg.batch_matmul indexing_maps = [#q, #kt, #s]
    ins(%Q, %K : memref<8x1024x64xf32>, memref<8x1024x64xf32>) outs(%S : memref<8x1024x1024xf32>)
  linalg.generic {indexing_maps = [#e], iterator_types = ["parallel", "parallel", "parallel"]}
    outs(%S : memref<8x1024x1024xf32>) {
  ^bb0(%in: f32):
    %p = math.exp %in : f32
    linalg.yield %p : f32
  }
  return
}

// CHECK-LABEL: func.func @two_heads
// CHECK: linalg.batch_matmul
// CHECK-SAME: #baco.loop_tile<statement = 0, loop = 2, size = #baco.knob<"PI", #baco.ordinal<[128, 256, 512, 1024], log>, default = 512, extent = 1024>, outer = 1>
func.func @two_heads(%Q: memref<2x1024x64xf32>, %K: memref<2x1024x64xf32>, %S: memref<2x1024x1024xf32>) {
  linalg.batch_matmul indexing_maps = [#q, #kt, #s]
    ins(%Q, %K : memref<2x1024x64xf32>, memref<2x1024x64xf32>) outs(%S : memref<2x1024x1024xf32>)
  linalg.generic {indexing_maps = [#e], iterator_types = ["parallel", "parallel", "parallel"]}
    outs(%S : memref<2x1024x1024xf32>) {
  ^bb0(%in: f32):
    %p = math.exp %in : f32
    linalg.yield %p : f32
  }
  return
}

// Chunks of a sum to a scalar have sums of their own.
// CHECK-LABEL: func.func @dot
// CHECK: linalg.dot {baco.recipe = #baco.recipe<[#baco.loop_tile<statement = 0, loop = 1, size = #baco.knob<"PI", #baco.ordinal<[100000, 200000, 400000, 800000], log>, default = 400000, extent = 800000>, outer = 1>
// CHECK-SAME: #baco.loop_parallelize<statement = 0, loop = 1>
func.func @dot(%a: memref<800000xf32>, %b: memref<800000xf32>, %c: memref<f32>) {
  linalg.dot ins(%a, %b : memref<800000xf32>, memref<800000xf32>)
             outs(%c : memref<f32>)
  return
}

// A team takes longer than these do on one thread: nothing is distributed by
// default.
// CHECK-LABEL: func.func @small
// CHECK: linalg.matmul
// CHECK-SAME: #baco.knob<"PI", #baco.ordinal<[4, 8, 16, 32], log>, default = 32, extent = 32>
// CHECK-SAME: #baco.knob<"PJ", #baco.ordinal<[16, 32], log>, default = 32, extent = 32>
// CHECK: linalg.softmax
// CHECK-SAME: #baco.knob<"PI", #baco.ordinal<[2, 4, 8, 16], log>, default = 16, extent = 16>
func.func @small(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>,
                 %x: memref<16x64xf32>, %y: memref<16x64xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>)
                outs(%C : memref<32x32xf32>)
  linalg.softmax dimension(1) ins(%x : memref<16x64xf32>) outs(%y : memref<16x64xf32>)
  return
}

// Neither is one of many steps, each of which would start a team.
// CHECK-LABEL: func.func @steps
// CHECK: #baco.knob<"PI0", #baco.ordinal<[8, 16, 31, 62], log>, default = 62, extent = 62>
func.func @steps(%A: memref<64x64xf32>, %B: memref<64x64xf32>) {
  affine.for %t = 0 to 10000 {
    affine.for %i = 1 to 63 {
      affine.for %j = 1 to 63 {
        %a = affine.load %A[%i - 1, %j] : memref<64x64xf32>
        %b = affine.load %A[%i + 1, %j] : memref<64x64xf32>
        %p = arith.addf %a, %b : f32
        affine.store %p, %B[%i, %j] : memref<64x64xf32>
      }
    }
    affine.for %i = 0 to 64 {
      affine.for %j = 0 to 64 {
        %b = affine.load %B[%j, %i] : memref<64x64xf32>
        affine.store %b, %A[%i, %j] : memref<64x64xf32>
      }
    }
  }
  return
}
