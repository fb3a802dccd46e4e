// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=4 --verbose --final-time=1 --output-dir=%t \
// RUN:   | FileCheck %s --implicit-check-not=failed

// Values that loops carry go to the element that is stored behind the loop only
// if nobody touches that in between.

// CHECK: cholesky: 1 evaluation
// CHECK: reads_itself: 1 evaluation
// CHECK: two_results: 1 evaluation
// CHECK: read_between: 1 evaluation

func.func @cholesky(%a: memref<48x48xf64>) {
  affine.for %i = 0 to 48 {
    affine.for %j = 0 to min affine_map<(i) -> (i)>(%i) {
      %1 = affine.load %a[%i, %j] : memref<48x48xf64>
      %3:1 = affine.for %k = 0 to min affine_map<(i, j) -> (j)>(%i, %j) iter_args(%2 = %1) -> (f64) {
        %4 = affine.load %a[%i, %k] : memref<48x48xf64>
        %5 = affine.load %a[%j, %k] : memref<48x48xf64>
        %6 = arith.mulf %4, %5 : f64
        %7 = arith.subf %2, %6 : f64
        affine.yield %7 : f64
      }
      %8 = affine.load %a[%j, %j] : memref<48x48xf64>
      %9 = arith.divf %3#0, %8 : f64
      affine.store %9, %a[%i, %j] : memref<48x48xf64>
    }
    %10 = affine.load %a[%i, %i] : memref<48x48xf64>
    %12:1 = affine.for %k = 0 to min affine_map<(i) -> (i)>(%i) iter_args(%11 = %10) -> (f64) {
      %13 = affine.load %a[%i, %k] : memref<48x48xf64>
      %14 = affine.load %a[%i, %k] : memref<48x48xf64>
      %15 = arith.mulf %13, %14 : f64
      %16 = arith.subf %11, %15 : f64
      affine.yield %16 : f64
    }
    %17 = math.sqrt %12#0 : f64
    affine.store %17, %a[%i, %i] : memref<48x48xf64>
  }
  return
}

func.func @reads_itself(%a: memref<96xf64>, %b: memref<96xf64>) {
  affine.for %i = 0 to 96 {
    %1 = affine.load %a[%i] : memref<96xf64>
    %3:1 = affine.for %j = 0 to 96 iter_args(%2 = %1) -> (f64) {
      %4 = affine.load %a[%j] : memref<96xf64>
      %5 = affine.load %b[%j] : memref<96xf64>
      %6 = arith.mulf %4, %5 : f64
      %7 = arith.addf %2, %6 : f64
      affine.yield %7 : f64
    }
    affine.store %3#0, %a[%i] : memref<96xf64>
  }
  return
}

func.func @two_results(%a: memref<96xf64>, %c: memref<96x96xf64>) {
  affine.for %i = 0 to 96 {
    %1 = affine.load %a[%i] : memref<96xf64>
    %2 = arith.constant 0.000000e+00 : f64
    %5:2 = affine.for %j = 0 to 96 iter_args(%3 = %1, %4 = %2) -> (f64, f64) {
      %6 = affine.load %c[%i, %j] : memref<96x96xf64>
      %7 = arith.addf %3, %6 : f64
      %8 = affine.load %c[%i, %j] : memref<96x96xf64>
      %9 = arith.maximumf %4, %8 : f64
      affine.yield %7, %9 : f64, f64
    }
    %10 = arith.addf %5#0, %5#1 : f64
    affine.store %10, %a[%i] : memref<96xf64>
  }
  return
}

func.func @read_between(%a: memref<96xf64>, %c: memref<96x96xf64>, %d: memref<96xf64>) {
  affine.for %i = 1 to 96 {
    %1 = affine.load %a[%i] : memref<96xf64>
    %3:1 = affine.for %j = 0 to 96 iter_args(%2 = %1) -> (f64) {
      %4 = affine.load %c[%i, %j] : memref<96x96xf64>
      %5 = arith.addf %2, %4 : f64
      affine.yield %5 : f64
    }
    %6 = affine.load %a[%i] : memref<96xf64>
    affine.store %6, %d[%i] : memref<96xf64>
    affine.store %3#0, %a[%i] : memref<96xf64>
  }
  return
}
