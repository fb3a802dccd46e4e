// A convolution with what is around it is one kernel, whose threads have their sums in registers and
// go through the window: the image is read once for all places of it. Right in the emulator.
// RUN: baco-opt %s --baco-annotate=target=nvvm -o %t.recipes.mlir
// RUN: baco-opt %t.recipes.mlir --baco-expand-recipes --baco-concretize --transform-interpreter -o %t.mlir
// RUN: FileCheck %s --check-prefix=KERNEL < %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// Other tiles.
// RUN: baco-opt %t.recipes.mlir --baco-expand-recipes --baco-concretize='configuration={"schedule_layer.TP": 1, "schedule_layer.TF": 1, "schedule_layer.BO": 2, "schedule_halves.TF": 1, "schedule_halves.TP": 3}' \
// RUN:   --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// The emulator tells if an op isn't done.
// RUN: sed 's/maximumf/minimumf/' %t.mlir > %t.wrong.mlir
// RUN: not baco-opt %t.wrong.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: 'layer' is right in 3 orders
// CHECK: 'halves' is right in 3 orders
// CHECK: 'line' is right in 3 orders
// WRONG: error: baco-emulate-kernels: order 'forward': argument 4 differs at

#four = affine_map<(n, y, x, f) -> (n, y, x, f)>
#last = affine_map<(n, y, x, f) -> (f)>
#second = affine_map<(n, f, y, x) -> (f)>

// Channels are last. Blocks of two images are along z with those of rows; the buffer is gone.
// KERNEL-LABEL: func.func @layer(
// KERNEL-SAME:    %{{.*}}: memref<2x10x10x8xf32>, %{{.*}}: memref<3x3x8x32xf32>, %[[BIAS:.*]]: memref<32xf32>, %[[R:.*]]: memref<2x8x8x32xf32>, %[[OUT:.*]]: memref<2x8x8x32xf32>)
// KERNEL-NOT:     memref.alloc
// KERNEL:         gpu.launch
// KERNEL-NOT:       gpu.launch
// KERNEL:           arith.divui
// KERNEL:           %{{.*}} = scf.for {{.*}} -> (vector<
// KERNEL:           vector.load %[[BIAS]]
// KERNEL:           vector.load %[[R]]
// KERNEL:           arith.addf
// KERNEL:           arith.maximumf
// KERNEL:           vector.store %{{.*}}, %[[OUT]]
// KERNEL-NOT:     gpu.launch
// KERNEL:         return
func.func @layer(%x: memref<2x10x10x8xf32>, %k: memref<3x3x8x32xf32>, %bias: memref<32xf32>, %r: memref<2x8x8x32xf32>, %out: memref<2x8x8x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<2x8x8x32xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<2x8x8x32xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : memref<2x10x10x8xf32>, memref<3x3x8x32xf32>) outs(%c : memref<2x8x8x32xf32>)
  linalg.generic {indexing_maps = [#four, #last, #four, #four], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%c, %bias, %r : memref<2x8x8x32xf32>, memref<32xf32>, memref<2x8x8x32xf32>) outs(%out : memref<2x8x8x32xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    %m = arith.maximumf %t, %zero : f32
    %u = arith.addf %m, %s : f32
    linalg.yield %u : f32
  }
  return
}

// Rows are last, at a distance of windows and in windows, and no tile divides the extents. The bias is
// set before, and the result is narrowed.
// KERNEL-LABEL: func.func @halves(
// KERNEL-NOT:     memref.alloc
// KERNEL:         gpu.launch
// KERNEL:           arith.extf
// KERNEL:           arith.maximumf
// KERNEL:           arith.truncf
// KERNEL-NOT:     gpu.launch
// KERNEL:         return
func.func @halves(%x: memref<1x5x17x21xf16>, %k: memref<12x5x3x2xf16>, %bias: memref<12xf32>, %out: memref<1x12x7x9xf16>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<1x12x7x9xf32>
  linalg.generic {indexing_maps = [#second, #four], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%bias : memref<12xf32>) outs(%c : memref<1x12x7x9xf32>) {
  ^bb0(%b: f32, %o: f32):
    linalg.yield %b : f32
  }
  linalg.conv_2d_nchw_fchw {dilations = dense<[2, 3]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %k : memref<1x5x17x21xf16>, memref<12x5x3x2xf16>) outs(%c : memref<1x12x7x9xf32>)
  linalg.generic {indexing_maps = [#four, #four], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%c : memref<1x12x7x9xf32>) outs(%out : memref<1x12x7x9xf16>) {
  ^bb0(%a: f32, %o: f16):
    %m = arith.maximumf %a, %zero : f32
    %h = arith.truncf %m : f32 to f16
    linalg.yield %h : f16
  }
  return
}

// One iterator of the image; the result is added to.
// KERNEL-LABEL: func.func @line(
// KERNEL:         gpu.launch
// KERNEL-NOT:     gpu.launch
// KERNEL:         return
func.func @line(%x: memref<3x12x4xf32>, %k: memref<5x4x16xf32>, %y: memref<3x8x16xf32>) {
  linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
    ins(%x, %k : memref<3x12x4xf32>, memref<5x4x16xf32>) outs(%y : memref<3x8x16xf32>)
  return
}
