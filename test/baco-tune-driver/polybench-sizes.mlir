// Kernels in the style of PolyBench as C front ends write them, with i32 sizes
// as arguments, are tuned at the sizes that their memrefs have; a number of time
// steps has no bound.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=6 --output-dir=%t %quick --verbose 2>&1 | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'
// TRIALS: "status":"ok"

// CHECK: gemm: {{[1-9]}} evaluation
// CHECK: timed with 60 for argument 0, {{.*}}; with 70 for argument 1, {{.*}}; with 80 for argument 2, {{.*}}
func.func @gemm(%ni: i32, %nj: i32, %nk: i32, %alpha: f64, %beta: f64,
                %C: memref<60x70xf64>, %A: memref<60x80xf64>,
                %B: memref<80x70xf64>) {
  %rows = arith.index_cast %ni : i32 to index
  %columns = arith.index_cast %nj : i32 to index
  %depth = arith.index_cast %nk : i32 to index
  affine.for %i = 0 to %rows {
    affine.for %j = 0 to %columns {
      %0 = affine.load %C[%i, %j] : memref<60x70xf64>
      %1 = arith.mulf %0, %beta : f64
      affine.store %1, %C[%i, %j] : memref<60x70xf64>
    }
    affine.for %k = 0 to %depth {
      affine.for %j = 0 to %columns {
        %0 = affine.load %A[%i, %k] : memref<60x80xf64>
        %1 = arith.mulf %alpha, %0 : f64
        %2 = affine.load %B[%k, %j] : memref<80x70xf64>
        %3 = arith.mulf %1, %2 : f64
        %4 = affine.load %C[%i, %j] : memref<60x70xf64>
        %5 = arith.addf %4, %3 : f64
        affine.store %5, %C[%i, %j] : memref<60x70xf64>
      }
    }
  }
  return
}

// CHECK: jacobi_2d: {{[1-9]}} evaluation
// CHECK: timed with 16 for argument 0, {{.*}}; with 90 for argument 1, {{.*}}
func.func @jacobi_2d(%tsteps: i32, %n: i32, %A: memref<90x90xf64>,
                     %B: memref<90x90xf64>) {
  %fifth = arith.constant 0.2 : f64
  %steps = arith.index_cast %tsteps : i32 to index
  %size = arith.index_cast %n : i32 to index
  affine.for %t = 0 to %steps {
    affine.for %i = 1 to affine_map<()[s] -> (s - 1)>()[%size] {
      affine.for %j = 1 to affine_map<()[s] -> (s - 1)>()[%size] {
        %0 = affine.load %A[%i, %j] : memref<90x90xf64>
        %1 = affine.load %A[%i, %j - 1] : memref<90x90xf64>
        %2 = arith.addf %0, %1 : f64
        %3 = affine.load %A[%i, %j + 1] : memref<90x90xf64>
        %4 = arith.addf %2, %3 : f64
        %5 = affine.load %A[%i + 1, %j] : memref<90x90xf64>
        %6 = arith.addf %4, %5 : f64
        %7 = affine.load %A[%i - 1, %j] : memref<90x90xf64>
        %8 = arith.addf %6, %7 : f64
        %9 = arith.mulf %8, %fifth : f64
        affine.store %9, %B[%i, %j] : memref<90x90xf64>
      }
    }
    affine.for %i = 1 to affine_map<()[s] -> (s - 1)>()[%size] {
      affine.for %j = 1 to affine_map<()[s] -> (s - 1)>()[%size] {
        %0 = affine.load %B[%i, %j] : memref<90x90xf64>
        affine.store %0, %A[%i, %j] : memref<90x90xf64>
      }
    }
  }
  return
}

// CHECK: atax: {{[1-9]}} evaluation
// CHECK: timed with 110 for argument 0, {{.*}}; with 120 for argument 1, {{.*}}
func.func @atax(%m: i32, %n: i32, %A: memref<110x120xf64>, %x: memref<120xf64>,
                %y: memref<120xf64>, %tmp: memref<110xf64>) {
  %zero = arith.constant 0.0 : f64
  %rows = arith.index_cast %m : i32 to index
  %columns = arith.index_cast %n : i32 to index
  affine.for %i = 0 to %columns {
    affine.store %zero, %y[%i] : memref<120xf64>
  }
  affine.for %i = 0 to %rows {
    affine.store %zero, %tmp[%i] : memref<110xf64>
    affine.for %j = 0 to %columns {
      %0 = affine.load %tmp[%i] : memref<110xf64>
      %1 = affine.load %A[%i, %j] : memref<110x120xf64>
      %2 = affine.load %x[%j] : memref<120xf64>
      %3 = arith.mulf %1, %2 : f64
      %4 = arith.addf %0, %3 : f64
      affine.store %4, %tmp[%i] : memref<110xf64>
    }
    affine.for %j = 0 to %columns {
      %0 = affine.load %y[%j] : memref<120xf64>
      %1 = affine.load %A[%i, %j] : memref<110x120xf64>
      %2 = affine.load %tmp[%i] : memref<110xf64>
      %3 = arith.mulf %1, %2 : f64
      %4 = arith.addf %0, %3 : f64
      affine.store %4, %y[%j] : memref<120xf64>
    }
  }
  return
}
