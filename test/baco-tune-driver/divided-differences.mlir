// Divisors that are differences of elements of one argument, as in
// interpolations on a grid, aren't 0: the argument gets increasing elements.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=9 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'
// TRIALS: "status":"ok"

// CHECK: slopes: {{[1-9]}}
func.func @slopes(%x: memref<2048xf32>, %y: memref<2048xf32>,
                  %s: memref<2047xf32>) {
  affine.for %i = 0 to 2047 {
    %x0 = affine.load %x[%i] : memref<2048xf32>
    %x1 = affine.load %x[%i + 1] : memref<2048xf32>
    %y0 = affine.load %y[%i] : memref<2048xf32>
    %y1 = affine.load %y[%i + 1] : memref<2048xf32>
    %dx = arith.subf %x1, %x0 : f32
    %dy = arith.subf %y1, %y0 : f32
    %q = arith.divf %dy, %dx : f32
    affine.store %q, %s[%i] : memref<2047xf32>
  }
  return
}

// Through memory, and of rows of a matrix.
// CHECK: widths: {{[1-9]}}
func.func @widths(%x: memref<33x64xf64>, %a: memref<32x64xf64>,
                  %h: memref<32x64xf64>, %s: memref<32x64xf64>) {
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 64 {
      %x0 = affine.load %x[%i, %j] : memref<33x64xf64>
      %x1 = affine.load %x[%i + 1, %j] : memref<33x64xf64>
      %d = arith.subf %x1, %x0 : f64
      affine.store %d, %h[%i, %j] : memref<32x64xf64>
    }
  }
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 64 {
      %d = affine.load %h[%i, %j] : memref<32x64xf64>
      %v = affine.load %a[%i, %j] : memref<32x64xf64>
      %r = math.sqrt %d : f64
      %q = arith.divf %v, %r : f64
      affine.store %q, %s[%i, %j] : memref<32x64xf64>
    }
  }
  return
}

// CHECK: counts: {{[1-9]}}
func.func @counts(%start: memref<1025xi32>, %sum: memref<1024xi32>,
                  %mean: memref<1024xi32>) {
  affine.for %i = 0 to 1024 {
    %0 = affine.load %start[%i] : memref<1025xi32>
    %1 = affine.load %start[%i + 1] : memref<1025xi32>
    %2 = affine.load %sum[%i] : memref<1024xi32>
    %n = arith.subi %1, %0 : i32
    %q = arith.divsi %2, %n : i32
    affine.store %q, %mean[%i] : memref<1024xi32>
  }
  return
}

// CHECK: short: {{[1-9]}}
func.func @short(%x: memref<4096xi8>, %y: memref<4095xi8>, %s: memref<4095xi8>) {
  affine.for %i = 0 to 4095 {
    %0 = affine.load %x[%i] : memref<4096xi8>
    %1 = affine.load %x[%i + 1] : memref<4096xi8>
    %2 = affine.load %y[%i] : memref<4095xi8>
    %d = arith.subi %1, %0 : i8
    %q = arith.divsi %2, %d : i8
    affine.store %q, %s[%i] : memref<4095xi8>
  }
  return
}
