// Factorizations and the like divide by what they compute: their roundings are bounded by
// those of divisors and roots, and every candidate passes.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=30 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// Without pivots arbitrary matrices have factors that grow until nothing can be
// compared.

// TRIALS: "status":"ok"

// CHECK: lu: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: cholesky: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: gramschmidt: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: normalize: {{[1-9][0-9]*}} evaluations{{$}}
func.func @lu(%A: memref<96x96xf32>) {
  affine.for %i = 0 to 96 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %l = affine.load %A[%i, %k] : memref<96x96xf32>
        %x = affine.load %A[%k, %j] : memref<96x96xf32>
        %b = affine.load %A[%i, %j] : memref<96x96xf32>
        %p = arith.mulf %l, %x : f32
        %d = arith.subf %b, %p : f32
        affine.store %d, %A[%i, %j] : memref<96x96xf32>
      }
      %l = affine.load %A[%j, %j] : memref<96x96xf32>
      %b = affine.load %A[%i, %j] : memref<96x96xf32>
      %q = arith.divf %b, %l : f32
      affine.store %q, %A[%i, %j] : memref<96x96xf32>
    }
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 96 {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        %l = affine.load %A[%i, %k] : memref<96x96xf32>
        %x = affine.load %A[%k, %j] : memref<96x96xf32>
        %b = affine.load %A[%i, %j] : memref<96x96xf32>
        %p = arith.mulf %l, %x : f32
        %d = arith.subf %b, %p : f32
        affine.store %d, %A[%i, %j] : memref<96x96xf32>
      }
    }
  }
  return
}
func.func @cholesky(%A: memref<96x96xf32>) {
  affine.for %i = 0 to 96 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %l = affine.load %A[%i, %k] : memref<96x96xf32>
        %x = affine.load %A[%j, %k] : memref<96x96xf32>
        %b = affine.load %A[%i, %j] : memref<96x96xf32>
        %p = arith.mulf %l, %x : f32
        %d = arith.subf %b, %p : f32
        affine.store %d, %A[%i, %j] : memref<96x96xf32>
      }
      %l = affine.load %A[%j, %j] : memref<96x96xf32>
      %b = affine.load %A[%i, %j] : memref<96x96xf32>
      %q = arith.divf %b, %l : f32
      affine.store %q, %A[%i, %j] : memref<96x96xf32>
    }
    affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
      %l = affine.load %A[%i, %k] : memref<96x96xf32>
      %b = affine.load %A[%i, %i] : memref<96x96xf32>
      %p = arith.mulf %l, %l : f32
      %d = arith.subf %b, %p : f32
      affine.store %d, %A[%i, %i] : memref<96x96xf32>
    }
    %b = affine.load %A[%i, %i] : memref<96x96xf32>
    %r = math.sqrt %b : f32
    affine.store %r, %A[%i, %i] : memref<96x96xf32>
  }
  return
}
func.func @gramschmidt(%A: memref<96x96xf32>, %R: memref<96x96xf32>, %Q: memref<96x96xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %k = 0 to 96 {
    %n = affine.for %i = 0 to 96 iter_args(%s = %zero) -> (f32) {
      %a = affine.load %A[%i, %k] : memref<96x96xf32>
      %p = arith.mulf %a, %a : f32
      %t = arith.addf %s, %p : f32
      affine.yield %t : f32
    }
    %r = math.sqrt %n : f32
    affine.store %r, %R[%k, %k] : memref<96x96xf32>
    affine.for %i = 0 to 96 {
      %a = affine.load %A[%i, %k] : memref<96x96xf32>
      %d = affine.load %R[%k, %k] : memref<96x96xf32>
      %q = arith.divf %a, %d : f32
      affine.store %q, %Q[%i, %k] : memref<96x96xf32>
    }
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 96 {
      affine.store %zero, %R[%k, %j] : memref<96x96xf32>
      affine.for %i = 0 to 96 {
        %q = affine.load %Q[%i, %k] : memref<96x96xf32>
        %a = affine.load %A[%i, %j] : memref<96x96xf32>
        %s = affine.load %R[%k, %j] : memref<96x96xf32>
        %p = arith.mulf %q, %a : f32
        %t = arith.addf %s, %p : f32
        affine.store %t, %R[%k, %j] : memref<96x96xf32>
      }
      affine.for %i = 0 to 96 {
        %q = affine.load %Q[%i, %k] : memref<96x96xf32>
        %a = affine.load %A[%i, %j] : memref<96x96xf32>
        %s = affine.load %R[%k, %j] : memref<96x96xf32>
        %p = arith.mulf %q, %s : f32
        %t = arith.subf %a, %p : f32
        affine.store %t, %A[%i, %j] : memref<96x96xf32>
      }
    }
  }
  return
}
// Of sums of numbers of either sign some are near 0, and the quotients
// arbitrary: rows are compared that have positive numbers only.
func.func @normalize(%A: memref<256x300xf32>, %s: memref<256xf32>,
                     %B: memref<256x300xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 256 {
    affine.store %zero, %s[%i] : memref<256xf32>
    affine.for %j = 0 to 300 {
      %a = affine.load %A[%i, %j] : memref<256x300xf32>
      %t = affine.load %s[%i] : memref<256xf32>
      %u = arith.addf %t, %a : f32
      affine.store %u, %s[%i] : memref<256xf32>
    }
    affine.for %j = 0 to 300 {
      %a = affine.load %A[%i, %j] : memref<256x300xf32>
      %t = affine.load %s[%i] : memref<256xf32>
      %q = arith.divf %a, %t : f32
      affine.store %q, %B[%i, %j] : memref<256x300xf32>
    }
  }
  return
}
