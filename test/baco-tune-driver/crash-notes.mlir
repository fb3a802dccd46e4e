// A plain kernel that dies: the error names the ops that may be the reason.
// RUN: rm -rf %t && split-file %s %t

// Its own quotients are the next divisors.
// RUN: %exits 1 baco-tune-driver %t/divisor.mlir --output-dir=%t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DIVISOR
// DIVISOR: error: the plain kernel, which computes the reference, failed (crashed): died of SIGFPE
// DIVISOR: divisor.mlir:7:12: note: this divisor may be 0, or the quotient too large; say what the arguments are with --arg
// DIVISOR-NOT: note
//--- divisor.mlir
func.func @f(%A: memref<64x64xi32>, %B: memref<64x64xi32>) {
  %c3 = arith.constant 3 : i32
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %0 = affine.load %A[%i, %j] : memref<64x64xi32>
      %1 = affine.load %B[%i, %j] : memref<64x64xi32>
      %2 = arith.divsi %0, %1 : i32
      %3 = arith.divsi %2, %c3 : i32
      affine.store %3, %B[%i, %j] : memref<64x64xi32>
    }
  }
  return
}
