// Functions with ops of dialects that MLIR doesn't have stay as they are;
// others are tuned.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --allow-unregistered-dialect --budget=2 --output-dir=%t
// RUN: FileCheck %s --input-file=%t/unregistered-dialects.tuned.mlir
// RUN: %exits 1 baco-tune-driver %s --output-dir=%t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REFUSED

// REFUSED: error: operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect
// CHECK-LABEL: func.func @other(
// CHECK-NEXT: "other.op"(%{{.*}}) : (memref<64xf32>) -> ()
// CHECK-NEXT: return
func.func @other(%a: memref<64xf32>) {
  "other.op"(%a) : (memref<64xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @transpose(
// CHECK: vector
func.func @transpose(%A: memref<64x64xf32>, %B: memref<64x64xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %0 = affine.load %A[%j, %i] : memref<64x64xf32>
      affine.store %0, %B[%i, %j] : memref<64x64xf32>
    }
  }
  return
}
