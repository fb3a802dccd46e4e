// The zero point of what a quantised op multiplies by its weights leaves the product, which tensor
// cores then compute: it is subtracted from the results, times the sums of the weights. Right in the
// emulator.
// RUN: baco-opt %s --baco-annotate=target=nvvm -o %t.mlir
// RUN: %one-line-recipes %t.mlir | FileCheck %s
// RUN: baco-opt %t.mlir --baco-expand-recipes --baco-concretize --transform-interpreter \
// RUN:   --baco-lower-to-nvvm=format=llvm --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=RIGHT

// RIGHT: 'layer' is right in 3 orders
// RIGHT: 'batch' is right in 3 orders
// RIGHT: 'convolution' is right in 3 orders
// RIGHT: 'filters_first' is right in 3 orders
// RIGHT: 'changed_weights' is right in 3 orders
// RIGHT: 'row' is right in 3 orders
// RIGHT: 'both' is right in 3 orders
// RIGHT: 'scalars' is right in 3 orders

// The sums come before the bias, so that this stays a part of the product's kernel, as what
// subtracts is.
// CHECK-LABEL: func.func @layer(
// CHECK:       %[[SUMS:.*]] = memref.alloc() : memref<100xi32>
// CHECK:       linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]{{.*}} ins(%{{.*}} : memref<96x100xi8>) outs(%[[SUMS]]
// CHECK:       linalg.generic {{.*}} ins(%{{.*}} : memref<100xi32>) outs(%[[T:.*]] : memref<70x100xi32>)
// CHECK:       linalg.matmul {{.*}}#baco.gpu_epilogue<>
// CHECK-SAME:  #baco.gpu_mma<
// CHECK-NOT:   baco.recipe =
// CHECK:       return
func.func @layer(%a: memref<70x96xi8>, %b: memref<96x100xi8>, %bias: memref<100xi32>, %c: memref<70x100xi8>) {
  %za = arith.constant -128 : i32
  %zb = arith.constant 0 : i32
  %scale = arith.constant 0.004 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %t = memref.alloc() : memref<70x100xi32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%bias : memref<100xi32>) outs(%t : memref<70x100xi32>) {
  ^bb0(%x: i32, %o: i32):
    linalg.yield %x : i32
  }
  linalg.quantized_matmul ins(%a, %b, %za, %zb : memref<70x96xi8>, memref<96x100xi8>, i32, i32) outs(%t : memref<70x100xi32>)
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
// CHECK:       linalg.batch_matmul {{.*}}#baco.gpu_mma<
func.func @batch(%a: memref<3x64x64xi8>, %b: memref<3x64x64xi8>, %c: memref<3x64x64xi32>) {
  %za = arith.constant 3 : i32
  %zb = arith.constant 0 : i32
  linalg.quantized_batch_matmul ins(%a, %b, %za, %zb : memref<3x64x64xi8>, memref<3x64x64xi8>, i32, i32) outs(%c : memref<3x64x64xi32>)
  return
}

// CHECK-LABEL: func.func @convolution(
// CHECK:       linalg.conv_2d_nhwc_hwcf {{.*}}#baco.gpu_mma<
func.func @convolution(%x: memref<1x10x10x32xi8>, %w: memref<3x3x32x32xi8>, %y: memref<1x8x8x32xi32>) {
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  linalg.conv_2d_nhwc_hwcf_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w, %zx, %zw : memref<1x10x10x32xi8>, memref<3x3x32x32xi8>, i32, i32) outs(%y : memref<1x8x8x32xi32>)
  return
}

// CHECK-LABEL: func.func @filters_first(
// CHECK-NOT:   _q
// CHECK:       return
func.func @filters_first(%x: memref<1x32x10x10xi8>, %w: memref<16x32x3x3xi8>, %y: memref<1x16x8x8xi32>) {
  %zx = arith.constant 127 : i32
  %zw = arith.constant 0 : i32
  linalg.conv_2d_nchw_fchw_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w, %zx, %zw : memref<1x32x10x10xi8>, memref<16x32x3x3xi8>, i32, i32) outs(%y : memref<1x16x8x8xi32>)
  return
}

// The weights are only known after the first product.
// CHECK-LABEL: func.func @changed_weights(
// CHECK-NOT:   quantized
// CHECK:       return
func.func @changed_weights(%a: memref<64x64xi8>, %b: memref<64x64xi8>, %d: memref<64x64xi32>, %c: memref<64x64xi32>) {
  %za = arith.constant -128 : i32
  %zb = arith.constant 0 : i32
  linalg.quantized_matmul ins(%a, %b, %za, %zb : memref<64x64xi8>, memref<64x64xi8>, i32, i32) outs(%d : memref<64x64xi32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%d : memref<64x64xi32>) outs(%b : memref<64x64xi8>) {
  ^bb0(%x: i32, %o: i8):
    %r = arith.trunci %x : i32 to i8
    linalg.yield %r : i8
  }
  linalg.quantized_matmul ins(%a, %b, %za, %zb : memref<64x64xi8>, memref<64x64xi8>, i32, i32) outs(%c : memref<64x64xi32>)
  return
}

// The sums would take as long as the product.
// CHECK-LABEL: func.func @row(
// CHECK:       linalg.quantized_matmul
func.func @row(%a: memref<1x64xi8>, %b: memref<64x64xi8>, %c: memref<1x64xi32>) {
  %za = arith.constant -128 : i32
  %zb = arith.constant 0 : i32
  linalg.quantized_matmul ins(%a, %b, %za, %zb : memref<1x64xi8>, memref<64x64xi8>, i32, i32) outs(%c : memref<1x64xi32>)
  return
}

// CHECK-LABEL: func.func @both(
// CHECK:       linalg.quantized_matmul
func.func @both(%a: memref<64x64xi8>, %b: memref<64x64xi8>, %c: memref<64x64xi32>) {
  %za = arith.constant -128 : i32
  %zb = arith.constant 1 : i32
  linalg.quantized_matmul ins(%a, %b, %za, %zb : memref<64x64xi8>, memref<64x64xi8>, i32, i32) outs(%c : memref<64x64xi32>)
  return
}

// A scalar, another scalar and two constants are no quantised op.
// CHECK-LABEL: func.func @scalars(
// CHECK-NOT:   memref.alloc
// CHECK:       return
func.func @scalars(%a: memref<64xi8>, %b: i8, %c: memref<64xi32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
    ins(%a, %b, %one, %zero : memref<64xi8>, i8, i32, i32) outs(%c : memref<64xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32, %w: i32, %o: i32):
    %v = arith.extsi %x : i8 to i32
    %s = arith.addi %v, %z : i32
    linalg.yield %s : i32
  }
  return
}
