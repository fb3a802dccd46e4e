// A plugin of passes can't add ops to the transform dialect before a file is
// parsed; passes whose schedules have loop commands add them.
// RUN: %stock-mlir-opt --load-pass-plugin=%baco-plugin %s \
// RUN:   --pass-pipeline='builtin.module(baco-autotune{budget=1 seed=1})' \
// RUN:   -o %t.tuned 2>%t.remark
// RUN: FileCheck %s --input-file=%t.tuned
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remark
// RUN: %stock-mlir-opt --load-pass-plugin=%baco-plugin %s \
// RUN:   --pass-pipeline='builtin.module(baco-annotate,baco-expand-recipes,baco-concretize)' \
// RUN:   | FileCheck %s --check-prefix=SCHEDULE

// CHECK-LABEL: func.func @sums(
// CHECK:       affine.vector_load
// REMARK:      remark: tuned 'sums' in 1 evaluation
// SCHEDULE:    transform.baco.restructure
func.func @sums(%A: memref<64x64xf32>, %s: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %a = affine.load %A[%i, %j] : memref<64x64xf32>
      %x = affine.load %s[%j] : memref<64xf32>
      %y = arith.addf %x, %a : f32
      affine.store %y, %s[%j] : memref<64xf32>
    }
  }
  return
}
