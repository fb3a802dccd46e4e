// Which convolutions are computed by Winograd's algorithm is chosen by the cost
// of each shape. Errors are those of samples; a precision of f64 shows that the
// algorithm computes the convolution. The passes of the tuned module, and a
// library, have the choice as text.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --winograd=measure --evaluator=static --budget=1 --output-dir=%t %quick 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t/measure-winograd.schedule.mlir --check-prefix=SCHEDULE
// RUN: baco study list %t/measure-winograd.baco.winograd.db | FileCheck %s --check-prefix=STUDIES
// RUN: baco study list %t/measure-winograd.baco.db | FileCheck %s --check-prefix=KERNELS
// RUN: baco-opt %s -o %t/applied.mlir \
// RUN:   --baco-apply="library=%t/measure-winograd.library.mlir winograd=1x28x28x64x64xf32:4"
// RUN: baco-opt %t/measure-winograd.tuned.mlir -o %t/tuned.mlir
// RUN: diff %t/tuned.mlir %t/applied.mlir

// RUN: not baco-opt %s --baco-apply="library=%t/measure-winograd.library.mlir winograd=measure" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=APPLY
// RUN: not baco-opt %s --baco-winograd=tile=measure 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not baco-tune-driver %s --winograd=1x28x28x64xf32:4 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not baco-tune-driver %s --winograd=1x28x28x64x64xf32:3 2>&1 | FileCheck %s --check-prefix=TILE

// CHECK:      measuring convolutions of 1x28x28x64x64xf32 (1 of 2)
// CHECK-NEXT: measuring convolutions of 1x8x8x32x16xf64 (2 of 2)
// CHECK-NEXT: measure-winograd.mlir:[[# @LINE + 26]]:8: remark: 3x3 convolution 1x28x28x64x64xf32: directly {{[0-9]+}} cycles, error 7.9e-07; by Winograd's tiles of 2x2 {{[0-9]+}} cycles, error 6.5e-07; by Winograd's tiles of 4x4 {{[0-9]+}} cycles, error 6.4e-06 of the largest result
// CHECK:      remark: 3x3 convolution 1x8x8x32x16xf64: directly {{[0-9]+}} cycles, error {{.*}}e-16; by Winograd's tiles of 2x2 {{[0-9]+}} cycles, error {{.*}}e-16 of the largest result
// CHECK-NOT:  3x3 convolution
// CHECK:      'large' computes 1 convolution by Winograd's algorithm
// CHECK-NOT:  'twice' computes

// SCHEDULE: --'baco-winograd=tile=1x28x28x64x64xf32:4' \

// STUDIES:     convolution_1x28x28x64x64xf32 1
// STUDIES:     convolution_1x28x28x64x64xf32_tile2 1
// STUDIES:     convolution_1x28x28x64x64xf32_tile4 1
// STUDIES-NOT: _tile4

// KERNELS:     {{^[0-9a-f]+}} large
// KERNELS:     {{^[0-9a-f]+}} twice
// KERNELS-NOT: convolution

// APPLY: error: winograd: only a search measures; give off, 2, 4 or the list that the search has named
// PASS:  error: tile: only a search measures; give off, 2, 4 or a list for shapes
// SHAPE: Winograd's tile must be off, 2, 4, measure or a list for shapes, such as 1x56x56x64x64xf32:4, but is '1x28x28x64xf32:4'
// TILE:  Winograd's tile must be {{.*}}, but is '1x28x28x64x64xf32:3'
func.func @large(%x: tensor<1x30x30x64xf32>) -> tensor<1x28x28x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.3> : tensor<3x3x64x64xf32>
  %e = tensor.empty() : tensor<1x28x28x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x30x30x64xf32>, tensor<3x3x64x64xf32>)
    outs(%f : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
  return %c : tensor<1x28x28x64xf32>
}

// One shape is measured once.
func.func @twice(%x: tensor<1x10x10x32xf64>) -> tensor<1x8x8x16xf64> {
  %zero = arith.constant 0.0 : f64
  %w = arith.constant dense<0.3> : tensor<3x3x32x16xf64>
  %v = arith.constant dense<0.2> : tensor<3x3x32x16xf64>
  %e = tensor.empty() : tensor<1x8x8x16xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<1x8x8x16xf64>) -> tensor<1x8x8x16xf64>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x10x10x32xf64>, tensor<3x3x32x16xf64>)
    outs(%f : tensor<1x8x8x16xf64>) -> tensor<1x8x8x16xf64>
  %d = linalg.conv_2d_nhwc_hwcf ins(%x, %v : tensor<1x10x10x32xf64>, tensor<3x3x32x16xf64>)
    outs(%c : tensor<1x8x8x16xf64>) -> tensor<1x8x8x16xf64>
  return %d : tensor<1x8x8x16xf64>
}
