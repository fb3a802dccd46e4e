// RUN: baco-opt %s --baco-annotate --verify-diagnostics

// Planning creates operations of dialects that this file doesn't use: a value
// that a loop carries is kept in memory, for which the memref dialect is
// needed.
func.func @carried(%A: memref<4xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  // expected-remark@+1 {{no automatic recipe: }}
  %sum = affine.for %j = 0 to 4 iter_args(%s = %zero) -> (f32) {
    %a = affine.load %A[%j] : memref<4xf32>
    %e = arith.addf %s, %a : f32
    affine.yield %e : f32
  }
  return %sum : f32
}
