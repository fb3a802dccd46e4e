// One kernel that can't be tuned doesn't keep the others from it: the exit code
// is that of the first error. A recipe without knobs is none.
// RUN: rm -rf %t
// RUN: %exits 1 baco-tune-driver %s --budget=1 --output-dir=%t %quick --verbose >%t.out 2>%t.err
// RUN: FileCheck %s --input-file=%t.out
// RUN: FileCheck %s --check-prefix=ERROR --input-file=%t.err
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/kernel-fails.tuned.mlir
// RUN: not baco-opt %s --baco-autotune=budget=1 2>&1 | FileCheck %s --check-prefix=PASS

// CHECK-NOT: {{^(constant|external):}}
// CHECK:     first: 1 evaluation
// CHECK-NOT: {{^(constant|external):}}
// CHECK:     last: 1 evaluation
// CHECK:     wrote {{.*}}kernel-fails.tuned.mlir

// ERROR:     kernel-fails.mlir:[[@LINE+21]]:3: warning: nothing to choose, so that the function stays as it is: the recipe has no #baco.knob; write one in place of a constant, or apply the recipe as it is with --baco-expand-recipes and --transform-interpreter
// ERROR:     kernel-fails.mlir:[[@LINE+26]]:1: error: the plain kernel{{.*}}external functions are not found: 'missing'; give the libraries that have them with --shared-libs
// ERROR-NOT: error:

// TUNED-LABEL: func.func @first
// TUNED:       affine.for
// TUNED-LABEL: func.func @last
// TUNED:       affine.for

// PASS: kernel-fails.mlir:[[@LINE+12]]:3: warning: nothing to choose
// PASS: kernel-fails.mlir:[[@LINE+17]]:1: error: the plain kernel
// PASS: kernel-fails.mlir:[[@LINE+2]]:1: remark: tuned 'first' in 1 evaluation:
// PASS: kernel-fails.mlir:[[@LINE+25]]:1: remark: tuned 'last' in 1 evaluation:
func.func @first(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
                 %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>)
                outs(%C : memref<32x32xf32>)
  return
}
func.func @constant(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
                    %C: memref<32x32xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[#baco.vectorize<>]>}
    ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>)
    outs(%C : memref<32x32xf32>)
  return
}
func.func private @missing(f32) -> f32
func.func @external(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
                    %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>)
                outs(%C : memref<32x32xf32>)
  %c0 = arith.constant 0 : index
  %x = memref.load %C[%c0, %c0] : memref<32x32xf32>
  %y = call @missing(%x) : (f32) -> f32
  memref.store %y, %C[%c0, %c0] : memref<32x32xf32>
  return
}
func.func @last(%A: memref<32x32xf64>, %B: memref<32x32xf64>,
                %C: memref<32x32xf64>) {
  linalg.matmul ins(%A, %B : memref<32x32xf64>, memref<32x32xf64>)
                outs(%C : memref<32x32xf64>)
  return
}
