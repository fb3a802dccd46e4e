// Code of a function that has the name of one that it may call calls itself.
// Its parts have other names.
// RUN: baco-opt %s --baco-outline-kernels --mlir-print-op-on-diagnostic=false \
// RUN:   2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err

// CHECK-LABEL: func.func @expf(
// CHECK:         call @expf_
// CHECK-LABEL: func.func private @expf_
// CHECK:         math.exp
// REMARK: remark: 'expf' can't be run alone, because 'math.exp' becomes a call of the C library's function of this name, which it would replace, so that it should be renamed; these parts of it can be tuned: '@expf_
// REMARK-NOT: remark: 'exp'
func.func @expf(%a: memref<64x64xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %a[%i, %j] : memref<64x64xf32>
      %y = math.exp %x : f32
      affine.store %y, %a[%i, %j] : memref<64x64xf32>
    }
  }
  return
}

// The function of f32 is another one.
// CHECK-LABEL: func.func @exp(
// CHECK-NOT:     call
func.func @exp(%a: memref<64x64xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %a[%i, %j] : memref<64x64xf32>
      %y = math.exp %x : f32
      affine.store %y, %a[%i, %j] : memref<64x64xf32>
    }
  }
  return
}
