// Convolutions of 1 x 1 with steps of 1 are products of matrices, and what is done
// to their results has the same form, so that it is a part of their kernels.
// RUN: baco-opt %s --baco-decompose-for-gpu -o %t.ops.mlir
// RUN: FileCheck %s --input-file=%t.ops.mlir
// RUN: baco-opt %t.ops.mlir --baco-annotate=target=nvvm -o %t.mlir
// RUN: grep -c 'baco.recipe =' %t.mlir | FileCheck %s --check-prefix=KERNELS
// KERNELS: {{^}}9{{$}}
// RUN: baco-opt %t.mlir --baco-expand-recipes --baco-concretize --transform-interpreter \
// RUN:   --baco-lower-to-nvvm=format=llvm --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RIGHT
// RIGHT-COUNT-8: is right in 3 orders

#all = affine_map<(n, f, h, w) -> (n, f, h, w)>
#filter = affine_map<(n, f, h, w) -> (f)>
#last = affine_map<(n, f, h, w) -> (w)>

// CHECK-LABEL: func.func @image(
// CHECK:       linalg.generic {{.*}} outs(%{{.*}} : memref<48x49xf32>)
// CHECK:       linalg.generic {{.*}}["parallel", "parallel", "reduction"]{{.*}} ins(%{{.*}} : memref<64x49xf32>, memref<48x64xf32>) outs(%{{.*}} : memref<48x49xf32>)
// CHECK:       linalg.generic {{.*}} ins(%{{.*}} : memref<48x49xf32>, memref<48xf32>, memref<48x49xf32>) outs(%{{.*}} : memref<48x49xf32>)
func.func @image(%x: memref<1x64x7x7xf32>, %w: memref<48x64x1x1xf32>, %b: memref<48xf32>, %r: memref<1x48x7x7xf32>, %o: memref<1x48x7x7xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<1x48x7x7xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<1x48x7x7xf32>)
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<1x64x7x7xf32>, memref<48x64x1x1xf32>) outs(%t : memref<1x48x7x7xf32>)
  linalg.generic {indexing_maps = [#all, #filter, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%t, %b, %r : memref<1x48x7x7xf32>, memref<48xf32>, memref<1x48x7x7xf32>) outs(%o : memref<1x48x7x7xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32, %old: f32):
    %0 = arith.addf %p, %q : f32
    %1 = arith.addf %0, %s : f32
    %2 = arith.maximumf %1, %zero : f32
    linalg.yield %2 : f32
  }
  return
}

// Channels last, of several images.
// CHECK-LABEL: func.func @images(
// CHECK:       ["parallel", "parallel", "reduction"]{{.*}} ins(%{{.*}} : memref<48x64xf32>, memref<64x40xf32>) outs(%{{.*}} : memref<48x40xf32>)
// CHECK:       ins(%{{.*}} : memref<40xf32>) outs(%{{.*}} : memref<48x40xf32>)
func.func @images(%x: memref<3x4x4x64xf32>, %w: memref<1x1x64x40xf32>, %b: memref<40xf32>, %o: memref<3x4x4x40xf32>) {
  linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<3x4x4x64xf32>, memref<1x1x64x40xf32>) outs(%o : memref<3x4x4x40xf32>)
  linalg.generic {indexing_maps = [#last, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%b : memref<40xf32>) outs(%o : memref<3x4x4x40xf32>) {
  ^bb0(%q: f32, %p: f32):
    %0 = arith.addf %p, %q : f32
    linalg.yield %0 : f32
  }
  return
}

// On tensor cores, where kernels aren't simplified before their epilogues: the
// fill is a part of them.
// CHECK-LABEL: func.func @halves(
// CHECK:       outs(%{{.*}} : memref<16x32xf32>)
// CHECK:       ["parallel", "parallel", "reduction"]{{.*}} ins(%{{.*}} : memref<16x64xf16>, memref<64x32xf16>) outs(%{{.*}} : memref<16x32xf32>)
func.func @halves(%x: memref<1x4x4x64xf16>, %w: memref<1x1x64x32xf16>, %o: memref<1x4x4x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%o : memref<1x4x4x32xf32>)
  linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<1x4x4x64xf16>, memref<1x1x64x32xf16>) outs(%o : memref<1x4x4x32xf32>)
  return
}

// Zero points of zero are none, but others are.
// CHECK-LABEL: func.func @bytes(
// CHECK:       ["parallel", "parallel", "reduction"]{{.*}} ins(%{{.*}} : memref<16x120xi8>, memref<120x20xi8>) outs(%{{.*}} : memref<16x20xi32>)
func.func @bytes(%x: memref<1x4x4x120xi8>, %w: memref<1x1x120x20xi8>, %o: memref<1x4x4x20xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%o : memref<1x4x4x20xi32>)
  linalg.conv_2d_nhwc_hwcf_q ins(%x, %w, %zero, %zero : memref<1x4x4x120xi8>, memref<1x1x120x20xi8>, i32, i32)
    outs(%o : memref<1x4x4x20xi32>)
  return
}
// CHECK-LABEL: func.func @zero_points(
// CHECK:       linalg.depthwise_conv_2d_nhwc_hwc ins(%{{.*}}, %{{.*}} : memref<1x6x6x32xi8>, memref<3x3x32xi8>)
// CHECK:       linalg.quantized_matmul
func.func @zero_points(%x: memref<1x6x6x32xi8>, %w: memref<3x3x32xi8>, %o: memref<1x4x4x32xi32>,
                       %a: memref<8x16xi8>, %b: memref<16x8xi8>, %c: memref<8x8xi32>) {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  linalg.depthwise_conv_2d_nhwc_hwc_q ins(%x, %w, %zero, %zero : memref<1x6x6x32xi8>, memref<3x3x32xi8>, i32, i32)
    outs(%o : memref<1x4x4x32xi32>)
  linalg.quantized_matmul ins(%a, %b, %zero, %three : memref<8x16xi8>, memref<16x8xi8>, i32, i32)
    outs(%c : memref<8x8xi32>)
  return
}

// Steps of 2, several images with their channels first, and windows of 3 stay.
// CHECK-LABEL: func.func @steps(
// CHECK:       linalg.conv_2d_nchw_fchw
func.func @steps(%x: memref<1x32x8x8xf32>, %w: memref<32x32x1x1xf32>, %o: memref<1x32x4x4xf32>) {
  linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>}
    ins(%x, %w : memref<1x32x8x8xf32>, memref<32x32x1x1xf32>) outs(%o : memref<1x32x4x4xf32>)
  return
}
// CHECK-LABEL: func.func @first(
// CHECK:       linalg.conv_2d_nchw_fchw
func.func @first(%x: memref<2x32x4x4xf32>, %w: memref<32x32x1x1xf32>, %o: memref<2x32x4x4xf32>) {
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<2x32x4x4xf32>, memref<32x32x1x1xf32>) outs(%o : memref<2x32x4x4xf32>)
  return
}
// CHECK-LABEL: func.func @windows(
// CHECK:       linalg.conv_2d_nchw_fchw
func.func @windows(%x: memref<1x32x6x6xf32>, %w: memref<32x32x3x3xf32>, %o: memref<1x32x4x4xf32>) {
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<1x32x6x6xf32>, memref<32x32x3x3xf32>) outs(%o : memref<1x32x4x4xf32>)
  return
}
