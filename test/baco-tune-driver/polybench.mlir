// Kernels in the forms of PolyBench that solve, decompose or search, in which
// one result is the next one's operand: what their candidates compute is right.
// (durbin, gramschmidt, deriche, adi and correlation: conditioning-kernels.mlir; lu
// and cholesky: factorizations.mlir.)
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=16 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// TRIALS: "status":"ok"

// CHECK: trisolv: {{[1-9][0-9]*}} evaluation{{s?$}}
func.func @trisolv(%L: memref<60x60xf64>, %x: memref<60xf64>,
                   %b: memref<60xf64>) {
  affine.for %i = 0 to 60 {
    %b0 = affine.load %b[%i] : memref<60xf64>
    affine.store %b0, %x[%i] : memref<60xf64>
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      %l = affine.load %L[%i, %j] : memref<60x60xf64>
      %y = affine.load %x[%j] : memref<60xf64>
      %s = affine.load %x[%i] : memref<60xf64>
      %p = arith.mulf %l, %y : f64
      %d = arith.subf %s, %p : f64
      affine.store %d, %x[%i] : memref<60xf64>
    }
    %s = affine.load %x[%i] : memref<60xf64>
    %l = affine.load %L[%i, %i] : memref<60x60xf64>
    %q = arith.divf %s, %l : f64
    affine.store %q, %x[%i] : memref<60xf64>
  }
  return
}

// Rows with a carried sum, a factorization without pivots, and two solves.
// CHECK: ludcmp: {{[1-9][0-9]*}} evaluation{{s?$}}
func.func @ludcmp(%A: memref<40x40xf64>, %b: memref<40xf64>,
                  %x: memref<40xf64>, %y: memref<40xf64>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      %a = affine.load %A[%i, %j] : memref<40x40xf64>
      %w = affine.for %k = 0 to affine_map<(j) -> (j)>(%j)
          iter_args(%s = %a) -> f64 {
        %l = affine.load %A[%i, %k] : memref<40x40xf64>
        %u = affine.load %A[%k, %j] : memref<40x40xf64>
        %p = arith.mulf %l, %u : f64
        %d = arith.subf %s, %p : f64
        affine.yield %d : f64
      }
      %pivot = affine.load %A[%j, %j] : memref<40x40xf64>
      %q = arith.divf %w, %pivot : f64
      affine.store %q, %A[%i, %j] : memref<40x40xf64>
    }
    affine.for %j = affine_map<(i) -> (i)>(%i) to 40 {
      %a = affine.load %A[%i, %j] : memref<40x40xf64>
      %w = affine.for %k = 0 to affine_map<(i) -> (i)>(%i)
          iter_args(%s = %a) -> f64 {
        %l = affine.load %A[%i, %k] : memref<40x40xf64>
        %u = affine.load %A[%k, %j] : memref<40x40xf64>
        %p = arith.mulf %l, %u : f64
        %d = arith.subf %s, %p : f64
        affine.yield %d : f64
      }
      affine.store %w, %A[%i, %j] : memref<40x40xf64>
    }
  }
  affine.for %i = 0 to 40 {
    %b0 = affine.load %b[%i] : memref<40xf64>
    %w = affine.for %j = 0 to affine_map<(i) -> (i)>(%i)
        iter_args(%s = %b0) -> f64 {
      %l = affine.load %A[%i, %j] : memref<40x40xf64>
      %z = affine.load %y[%j] : memref<40xf64>
      %p = arith.mulf %l, %z : f64
      %d = arith.subf %s, %p : f64
      affine.yield %d : f64
    }
    affine.store %w, %y[%i] : memref<40xf64>
  }
  affine.for %i = 0 to 40 {
    %y0 = affine.load %y[39 - %i] : memref<40xf64>
    %w = affine.for %j = affine_map<(i) -> (40 - i)>(%i) to 40
        iter_args(%s = %y0) -> f64 {
      %u = affine.load %A[39 - %i, %j] : memref<40x40xf64>
      %z = affine.load %x[%j] : memref<40xf64>
      %p = arith.mulf %u, %z : f64
      %d = arith.subf %s, %p : f64
      affine.yield %d : f64
    }
    %pivot = affine.load %A[39 - %i, 39 - %i] : memref<40x40xf64>
    %q = arith.divf %w, %pivot : f64
    affine.store %q, %x[39 - %i] : memref<40xf64>
  }
  return
}

// Shortest paths: sums and minima of integers, and of floats.
// CHECK: floyd_warshall: {{[1-9][0-9]*}} evaluation{{s?$}}
func.func @floyd_warshall(%path: memref<40x40xi32>) {
  affine.for %k = 0 to 40 {
    affine.for %i = 0 to 40 {
      affine.for %j = 0 to 40 {
        %ik = affine.load %path[%i, %k] : memref<40x40xi32>
        %kj = affine.load %path[%k, %j] : memref<40x40xi32>
        %ij = affine.load %path[%i, %j] : memref<40x40xi32>
        %sum = arith.addi %ik, %kj : i32
        %least = arith.minsi %ij, %sum : i32
        affine.store %least, %path[%i, %j] : memref<40x40xi32>
      }
    }
  }
  return
}
// CHECK: real_paths: {{[1-9][0-9]*}} evaluation{{s?$}}
func.func @real_paths(%path: memref<32x32xf32>) {
  affine.for %k = 0 to 32 {
    affine.for %i = 0 to 32 {
      affine.for %j = 0 to 32 {
        %ik = affine.load %path[%i, %k] : memref<32x32xf32>
        %kj = affine.load %path[%k, %j] : memref<32x32xf32>
        %ij = affine.load %path[%i, %j] : memref<32x32xf32>
        %sum = arith.addf %ik, %kj : f32
        %least = arith.minimumf %ij, %sum : f32
        affine.store %least, %path[%i, %j] : memref<32x32xf32>
      }
    }
  }
  return
}

// Pairs of bases that match, from the last row to the first.
// CHECK: nussinov: {{[1-9][0-9]*}} evaluation{{s?$}}
func.func @nussinov(%seq: memref<36xi32>, %table: memref<36x36xi32>) {
  %three = arith.constant 3 : i32
  affine.for %r = 0 to 36 {
    affine.for %j = affine_map<(r) -> (36 - r)>(%r) to 36 {
      %t0 = affine.load %table[35 - %r, %j] : memref<36x36xi32>
      %left = affine.load %table[35 - %r, %j - 1] : memref<36x36xi32>
      %t1 = arith.maxsi %t0, %left : i32
      %below = affine.load %table[36 - %r, %j] : memref<36x36xi32>
      %t2 = arith.maxsi %t1, %below : i32
      affine.store %t2, %table[35 - %r, %j] : memref<36x36xi32>
      affine.if affine_set<(r, j) : (j + r - 37 >= 0)>(%r, %j) {
        %a = affine.load %seq[35 - %r] : memref<36xi32>
        %b = affine.load %seq[%j] : memref<36xi32>
        %s = arith.addi %a, %b : i32
        %isMatch = arith.cmpi eq, %s, %three : i32
        %one = arith.extui %isMatch : i1 to i32
        %inner = affine.load %table[36 - %r, %j - 1] : memref<36x36xi32>
        %paired = arith.addi %inner, %one : i32
        %t3 = affine.load %table[35 - %r, %j] : memref<36x36xi32>
        %t4 = arith.maxsi %t3, %paired : i32
        affine.store %t4, %table[35 - %r, %j] : memref<36x36xi32>
      } else {
        %inner = affine.load %table[36 - %r, %j - 1] : memref<36x36xi32>
        %t3 = affine.load %table[35 - %r, %j] : memref<36x36xi32>
        %t4 = arith.maxsi %t3, %inner : i32
        affine.store %t4, %table[35 - %r, %j] : memref<36x36xi32>
      }
      affine.for %k = affine_map<(r) -> (36 - r)>(%r)
          to affine_map<(j) -> (j)>(%j) {
        %first = affine.load %table[35 - %r, %k] : memref<36x36xi32>
        %second = affine.load %table[%k + 1, %j] : memref<36x36xi32>
        %s = arith.addi %first, %second : i32
        %t5 = affine.load %table[35 - %r, %j] : memref<36x36xi32>
        %t6 = arith.maxsi %t5, %s : i32
        affine.store %t6, %table[35 - %r, %j] : memref<36x36xi32>
      }
    }
  }
  return
}
