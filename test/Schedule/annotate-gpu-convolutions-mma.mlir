// Convolutions are products on tensor cores, for each element of the window one, if channels are last
// and fill the instructions; what is around them is a part of the kernel. Right in the emulator.
// RUN: baco-opt %s --baco-annotate=target=nvvm:sm_90 -o %t.recipes.mlir
// RUN: FileCheck %s --check-prefix=RECIPE < %t.recipes.mlir
// RUN: baco-opt %t.recipes.mlir --baco-expand-recipes --baco-concretize --transform-interpreter -o %t.mlir
// RUN: FileCheck %s --check-prefix=KERNEL < %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// Other tiles: warps in one row of the image and in several, steps that are copied ahead.
// RUN: baco-opt %t.recipes.mlir --baco-expand-recipes --baco-concretize='configuration={"schedule_layer.BO": 4, "schedule_layer.C": 32, "WF": 32, "schedule_layer.P": 0, "schedule_layer.S": 1, "schedule_bytes.BO": 2, "schedule_bytes.V": 4}' \
// RUN:   --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// The emulator tells if an op isn't done.
// RUN: sed 's/maximumf/minimumf/' %t.mlir > %t.wrong.mlir
// RUN: not baco-opt %t.wrong.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: 'layer' is right in 3 orders
// CHECK: 'bytes' is right in 3 orders
// CHECK: 'line' is right in 3 orders
// WRONG: error: baco-emulate-kernels: order 'forward': argument 4 differs at

// RECIPE-LABEL: func.func @layer(
// RECIPE:         #baco.gpu_mma<
// RECIPE-LABEL: func.func @bytes(
// RECIPE:         #baco.gpu_mma<
// RECIPE-LABEL: func.func @line(
// RECIPE:         #baco.gpu_mma<
// Rows are last, channels don't fill an instruction, f32 must not be rounded.
// RECIPE-LABEL: func.func @others(
// RECIPE-NOT:     #baco.gpu_mma<
// RECIPE:         return

#four = affine_map<(n, y, x, f) -> (n, y, x, f)>
#last = affine_map<(n, y, x, f) -> (f)>

// The buffer is gone. A warp has eight of the sixteen places of a tile.
// KERNEL-LABEL: func.func @layer(
// KERNEL-SAME:    %{{.*}}: memref<2x10x10x32xf16>, %{{.*}}: memref<3x3x32x32xf16>, %[[BIAS:.*]]: memref<32xf32>, %[[R:.*]]: memref<2x8x8x32xf32>, %[[OUT:.*]]: memref<2x8x8x32xf32>)
// KERNEL-NOT:     memref.alloc()
// KERNEL:         gpu.launch
// KERNEL-NOT:     gpu.launch
// KERNEL:           %{{.*}}:8 = scf.for
// KERNEL-COUNT-18:    nvvm.mma.sync
// KERNEL-NOT:         nvvm.mma.sync
// KERNEL:             scf.yield
// KERNEL:           %[[BIAS]]
// KERNEL:           arith.maximumf
// KERNEL-NOT:     gpu.launch
// KERNEL:         return
func.func @layer(%x: memref<2x10x10x32xf16>, %k: memref<3x3x32x32xf16>, %bias: memref<32xf32>, %r: memref<2x8x8x32xf32>, %out: memref<2x8x8x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<2x8x8x32xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<2x8x8x32xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : memref<2x10x10x32xf16>, memref<3x3x32x32xf16>) outs(%c : memref<2x8x8x32xf32>)
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

// With windows two apart, filters whose channels are last, and rows that a view is a part of.
func.func @bytes(%x: memref<1x9x33x64xi8>, %k: memref<16x3x3x64xi8>, %whole: memref<1x4x16x18xi32>) {
  %out = memref.subview %whole[0, 0, 0, 1] [1, 4, 16, 16] [1, 1, 1, 1] : memref<1x4x16x18xi32> to memref<1x4x16x16xi32, strided<[1152, 288, 18, 1], offset: 1>>
  linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %k : memref<1x9x33x64xi8>, memref<16x3x3x64xi8>)
    outs(%out : memref<1x4x16x16xi32, strided<[1152, 288, 18, 1], offset: 1>>)
  return
}

// With distances in windows, and fewer places and filters than tiles have.
func.func @line(%x: memref<2x21x16xf32>, %k: memref<5x16x20xf32>, %out: memref<2x13x20xf32>) {
  linalg.conv_1d_nwc_wcf {baco.tf32, dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
    ins(%x, %k : memref<2x21x16xf32>, memref<5x16x20xf32>) outs(%out : memref<2x13x20xf32>)
  return
}

func.func @others(%x: memref<1x32x10x18xf16>, %k: memref<32x32x3x3xf16>, %out: memref<1x32x8x16xf32>,
                  %x20: memref<1x10x18x20xf16>, %k20: memref<3x3x20x32xf16>, %out20: memref<1x8x16x32xf32>,
                  %xf: memref<1x10x18x32xf32>, %kf: memref<3x3x32x32xf32>) {
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : memref<1x32x10x18xf16>, memref<32x32x3x3xf16>) outs(%out : memref<1x32x8x16xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x20, %k20 : memref<1x10x18x20xf16>, memref<3x3x20x32xf16>) outs(%out20 : memref<1x8x16x32xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%xf, %kf : memref<1x10x18x32xf32>, memref<3x3x32x32xf32>) outs(%out20 : memref<1x8x16x32xf32>)
  return
}
