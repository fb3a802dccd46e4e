// Products of integers get recipes as those of floats do: bytes with sums in i32 on tensor cores,
// with what quantized layers do around them; others on threads. Few short sums are done element
// by element. Right in the emulator.
// RUN: baco-opt %s --baco-annotate=target=nvvm -o %t.mlir
// RUN: %one-line-recipes %t.mlir | FileCheck %s
// RUN: baco-opt %t.mlir --baco-expand-recipes --baco-concretize --transform-interpreter \
// RUN:   --baco-lower-to-nvvm=format=llvm --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=RIGHT

// RIGHT: 'quantized' is right in 3 orders
// RIGHT: 'batch' is right in 3 orders
// RIGHT: 'columns' is right in 3 orders
// RIGHT: 'short_products' is right in 3 orders
// RIGHT: 'words' is right in 3 orders
// RIGHT: 'long_words' is right in 3 orders
// RIGHT: 'offsets' is right in 3 orders
// RIGHT: 'scales' is right in 3 orders
// RIGHT: 'short_sums' is right in 3 orders
// RIGHT: 'short_sums_relu' is right in 3 orders

// CHECK-LABEL: func.func @quantized(
// CHECK:       linalg.matmul {{.*}}#baco.recipe<[#baco.gpu_pad<extents = [96, 128, 96]>, #baco.gpu_epilogue<>
// CHECK-SAME:  #baco.gpu_mma<
// CHECK-NOT:   baco.recipe =
// CHECK:       return
func.func @quantized(%a: memref<70x96xi8>, %b: memref<96x100xi8>, %bias: memref<100xi32>, %c: memref<70x100xi8>) {
  %scale = arith.constant 0.004 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %t = memref.alloc() : memref<70x100xi32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%bias : memref<100xi32>) outs(%t : memref<70x100xi32>) {
  ^bb0(%x: i32, %o: i32):
    linalg.yield %x : i32
  }
  linalg.matmul ins(%a, %b : memref<70x96xi8>, memref<96x100xi8>) outs(%t : memref<70x100xi32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%t : memref<70x100xi32>) outs(%c : memref<70x100xi8>) {
  ^bb0(%x: i32, %o: i8):
    %f = arith.sitofp %x : i32 to f32
    %m = arith.mulf %f, %scale : f32
    %l = arith.maximumf %m, %low : f32
    %h = arith.minimumf %l, %high : f32
    %r = arith.fptosi %h : f32 to i8
    linalg.yield %r : i8
  }
  memref.dealloc %t : memref<70x100xi32>
  return
}

// CHECK-LABEL: func.func @batch(
// CHECK:       #baco.tile<sizes = [0, 0, 0, 64]>
// CHECK-SAME:  #baco.gpu_mma<sizes = [1,
func.func @batch(%a: memref<3x64x64xi8>, %b: memref<3x64x64xi8>, %c: memref<3x64x64xi32>) {
  linalg.batch_matmul ins(%a, %b : memref<3x64x64xi8>, memref<3x64x64xi8>) outs(%c : memref<3x64x64xi32>)
  return
}

// Both sums are along columns.
// CHECK-LABEL: func.func @columns(
// CHECK:       #baco.gpu_mma<
func.func @columns(%a: memref<96x64xi8>, %b: memref<96x72xi8>, %c: memref<64x72xi32>) {
  linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
    ins(%a, %b : memref<96x64xi8>, memref<96x72xi8>) outs(%c : memref<64x72xi32>)
  return
}

// Products of 16 bits overflow, which tensor cores don't.
// CHECK-LABEL: func.func @short_products(
// CHECK:       #baco.gpu_threads<
func.func @short_products(%a: memref<32x64xi8>, %b: memref<64x32xi8>, %c: memref<32x32xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<32x64xi8>, memref<64x32xi8>) outs(%c : memref<32x32xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %u = arith.extui %x : i8 to i16
    %v = arith.extui %y : i8 to i16
    %p = arith.muli %u, %v : i16
    %w = arith.extsi %p : i16 to i32
    %s = arith.addi %o, %w : i32
    linalg.yield %s : i32
  }
  return
}

// CHECK-LABEL: func.func @words(
// CHECK:       #baco.gpu_shared<operands = [0, 1]
// CHECK-SAME:  #baco.gpu_threads<
func.func @words(%a: memref<61x93xi32>, %b: memref<93x59xi32>, %c: memref<61x59xi32>) {
  linalg.matmul ins(%a, %b : memref<61x93xi32>, memref<93x59xi32>) outs(%c : memref<61x59xi32>)
  return
}

// CHECK-LABEL: func.func @long_words(
// CHECK:       #baco.gpu_shared<operands = [0, 1]
func.func @long_words(%a: memref<61x93xi16>, %b: memref<93x59xi16>, %c: memref<61x59xi64>) {
  linalg.matmul ins(%a, %b : memref<61x93xi16>, memref<93x59xi16>) outs(%c : memref<61x59xi64>)
  return
}

// CHECK-LABEL: func.func @offsets(
// CHECK:       #baco.gpu_pad<
// CHECK-SAME:  #baco.gpu_shared<operands = [0, 1]
func.func @offsets(%a: memref<61x96xi8>, %b: memref<96x47xi8>, %za: i32, %zb: i32, %c: memref<61x47xi32>) {
  linalg.quantized_matmul ins(%a, %b, %za, %zb : memref<61x96xi8>, memref<96x47xi8>, i32, i32) outs(%c : memref<61x47xi32>)
  return
}

// Weights of a byte with a scale for each column.
// CHECK-LABEL: func.func @scales(
// CHECK:       #baco.gpu_pad<
// CHECK-SAME:  #baco.gpu_shared<operands = [0, 1]
func.func @scales(%a: memref<61x64xf16>, %b: memref<64x59xi8>, %scale: memref<59xf16>, %c: memref<61x59xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b, %scale : memref<61x64xf16>, memref<64x59xi8>, memref<59xf16>) outs(%c : memref<61x59xf32>) {
  ^bb0(%x: f16, %y: i8, %z: f16, %o: f32):
    %f = arith.sitofp %y : i8 to f16
    %g = arith.mulf %f, %z : f16
    %w = arith.extf %x : f16 to f32
    %v = arith.extf %g : f16 to f32
    %p = arith.mulf %w, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: func.func @short_sums(
// CHECK-NOT:   gpu_shared
// CHECK:       baco.gpu_threads
// CHECK-NOT:   gpu_shared
// CHECK:       return
func.func @short_sums(%a: memref<3x7xf16>, %b: memref<7x100xf16>, %c: memref<3x100xf32>) {
  linalg.matmul ins(%a, %b : memref<3x7xf16>, memref<7x100xf16>) outs(%c : memref<3x100xf32>)
  return
}

// A second kernel would cost more.
// CHECK-LABEL: func.func @short_sums_relu(
// CHECK:       #baco.gpu_epilogue<>
func.func @short_sums_relu(%a: memref<3x7xf32>, %b: memref<7x100xf32>, %c: memref<3x100xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<3x100xf32>)
  linalg.matmul ins(%a, %b : memref<3x7xf32>, memref<7x100xf32>) outs(%c : memref<3x100xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%c : memref<3x100xf32>) {
  ^bb0(%o: f32):
    %r = arith.maximumf %o, %zero : f32
    linalg.yield %r : f32
  }
  return
}
