// Sums and other reductions get as many threads as there are elements for: lanes of warps have
// rows, blocks have parts of columns. What reads and combines two matrices as a product does is
// done in tiles as a product is; iterators that run over neighbors in memory become one before.
// Right in the emulator.
// RUN: baco-opt %s --baco-annotate=target=nvvm:sm_90 -o %t.mlir
// RUN: %one-line-recipes %t.mlir | FileCheck %s
// RUN: baco-opt %t.mlir --baco-expand-recipes --baco-concretize --transform-interpreter \
// RUN:   --baco-lower-to-nvvm=format=llvm --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=RIGHT

// RIGHT-COUNT-15: is right in 3 orders

#two = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func.func @rows(
// CHECK:       #baco.gpu_rows<rows = {{.*}}, default = 128>, width = #baco.knob<"V", #baco.ordinal<[1, 2, 4], log>, default = 4>
func.func @rows(%x: memref<5x2500xf32>, %y: memref<5xf32>) {
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<5x2500xf32>) outs(%y : memref<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  return
}

// Longer than the registers of a block: in a loop, whose last iteration is not full.
// CHECK-LABEL: func.func @long_rows(
// CHECK:       #baco.gpu_rows<
func.func @long_rows(%x: memref<2x70001xf32>, %y: memref<2xf32>) {
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<2x70001xf32>) outs(%y : memref<2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.maximumf %a, %o : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: func.func @vector(
// CHECK:       #baco.gpu_rows<
func.func @vector(%a: memref<40x96xi8>, %x: memref<96xi8>, %y: memref<40xi32>) {
  linalg.matvec ins(%a, %x : memref<40x96xi8>, memref<96xi8>) outs(%y : memref<40xi32>)
  return
}

// CHECK-LABEL: func.func @columns(
// CHECK:       #baco.gpu_split<sizes = [0, #baco.knob<"KS"
func.func @columns(%x: memref<640x96xf32>, %y: memref<96xf32>) {
  linalg.generic {indexing_maps = [#two, #column], iterator_types = ["reduction", "parallel"]}
    ins(%x : memref<640x96xf32>) outs(%y : memref<96xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  return
}

// No number of rows divides a prime.
// CHECK-LABEL: func.func @prime_columns(
// CHECK:       #baco.gpu_pad<extents = [64, 640]>
// CHECK-SAME:  #baco.gpu_split<
func.func @prime_columns(%a: memref<601x64xf32>, %x: memref<601xf32>, %y: memref<64xf32>) {
  linalg.vecmat ins(%x, %a : memref<601xf32>, memref<601x64xf32>) outs(%y : memref<64xf32>)
  return
}

// Maxima aren't split: lanes have columns.
// CHECK-LABEL: func.func @max_columns(
// CHECK:       #baco.gpu_rows<{{.*}}, width = #baco.knob<"V", {{.*}}, default = 1>
func.func @max_columns(%x: memref<300x48xf32>, %y: memref<48xf32>) {
  linalg.generic {indexing_maps = [#two, #column], iterator_types = ["reduction", "parallel"]}
    ins(%x : memref<300x48xf32>) outs(%y : memref<48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.maximumf %a, %o : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: func.func @few_columns(
// CHECK:       #baco.gpu_rows<
func.func @few_columns(%x: memref<1000x5xf32>, %y: memref<5xf32>) {
  linalg.generic {indexing_maps = [#two, #column], iterator_types = ["reduction", "parallel"]}
    ins(%x : memref<1000x5xf32>) outs(%y : memref<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: func.func @two_sums(
// CHECK:       iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME:  #baco.gpu_shared<operands = [0, 1]
func.func @two_sums(%a: memref<32x8x8xf32>, %b: memref<8x8x48xf32>, %c: memref<32x48xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (i, k, l)>, affine_map<(i, j, k, l) -> (k, l, j)>, affine_map<(i, j, k, l) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%a, %b : memref<32x8x8xf32>, memref<8x8x48xf32>) outs(%c : memref<32x48xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: func.func @all(
// CHECK:       #baco.gpu_reduce<
func.func @all(%x: memref<30x41xi32>, %y: memref<i32>) {
  linalg.generic {indexing_maps = [#two, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
    ins(%x : memref<30x41xi32>) outs(%y : memref<i32>) {
  ^bb0(%a: i32, %o: i32):
    %s = arith.addi %a, %o : i32
    linalg.yield %s : i32
  }
  return
}

// CHECK-LABEL: func.func @min_plus(
// CHECK:       #baco.gpu_shared<operands = [0, 1]
func.func @min_plus(%a: memref<48x64xf32>, %b: memref<64x32xf32>, %c: memref<48x32xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<48x64xf32>, memref<64x32xf32>) outs(%c : memref<48x32xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.addf %x, %y : f32
    %s = arith.minimumf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}

// Tiles must be full: zeros at the end would change minima.
// CHECK-LABEL: func.func @min_plus_prime(
// CHECK-NOT:   gpu_shared
// CHECK:       return
func.func @min_plus_prime(%a: memref<48x61xf32>, %b: memref<61x32xf32>, %c: memref<48x32xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<48x61xf32>, memref<61x32xf32>) outs(%c : memref<48x32xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.addf %x, %y : f32
    %s = arith.minimumf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: func.func @mixed_distances(
// CHECK:       #baco.gpu_shared<operands = [0, 1], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4], log>
func.func @mixed_distances(%a: memref<48x64xf16>, %b: memref<40x64xf32>, %c: memref<48x40xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<48x64xf16>, memref<40x64xf32>) outs(%c : memref<48x40xf32>) {
  ^bb0(%x: f16, %y: f32, %o: f32):
    %w = arith.extf %x : f16 to f32
    %d = arith.subf %w, %y : f32
    %p = arith.mulf %d, %d : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: func.func @image(
// CHECK:       #baco.knob<"BF"
func.func @image(%x: memref<1x10x18x16xi8>, %w: memref<3x3x16x32xi8>, %y: memref<1x8x16x32xi32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x10x18x16xi8>, memref<3x3x16x32xi8>) outs(%y : memref<1x8x16x32xi32>)
  return
}

// Whole sectors of rows on both sides.
// CHECK-LABEL: func.func @transposed(
// CHECK:       #baco.gpu_blocks<sizes = [#baco.knob<"BY", {{.*}}, default = 32>, #baco.knob<"BX", {{.*}}, default = 16>]>
// CHECK-SAME:  #baco.gpu_threads<sizes = [#baco.knob<"TY", {{.*}}, default = 8>, #baco.knob<"TX", {{.*}}, default = 2>]>
func.func @transposed(%x: memref<64x96xf16>, %y: memref<96x64xf16>) {
  linalg.transpose ins(%x : memref<64x96xf16>) outs(%y : memref<96x64xf16>) permutation = [1, 0]
  return
}

// Neighboring threads have neighbors of the result, though channels are the op's last iterator.
// CHECK-LABEL: func.func @channels(
// CHECK:       linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]
// CHECK-SAME:  #baco.gpu_blocks<sizes = [0, #baco.knob<"BZ", {{.*}}>, #baco.knob<"BY", {{.*}}>, #baco.knob<"BX", {{.*}}, default = 32>, 0, 0]>
func.func @channels(%x: memref<2x8x30x30xf32>, %w: memref<8x3x3xf32>, %y: memref<2x8x28x28xf32>) {
  linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<2x8x30x30xf32>, memref<8x3x3xf32>) outs(%y : memref<2x8x28x28xf32>)
  return
}
