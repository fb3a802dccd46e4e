// Kernels that aren't defined for most inputs: other ones are tried where they
// compute no number at all, or divide an integer by zero.
// RUN: rm -rf %t
// RUN: not baco-tune-driver %s --budget=1 --output-dir=%t %quick --verbose >%t.out 2>%t.err
// RUN: FileCheck %s --input-file=%t.out
// RUN: FileCheck %s --check-prefix=ERROR --input-file=%t.err
// What the error says to type helps, with other numbers.
// RUN: baco-tune-driver %s --budget=1 --output-dir=%t %quick --verbose --entry=nowhere \
// RUN:   --arg="nowhere:0=uniform(200,300)" | FileCheck %s --check-prefix=GIVEN
// RUN: baco-tune-driver %s --budget=1 --output-dir=%t %quick --verbose --entry=always \
// RUN:   --arg=always:0=1000..5000 | FileCheck %s --check-prefix=GIVEN
// GIVEN: 1 evaluation{{$}}

// The square root is that of -1 or -0, the other one that of 0 or more.
// CHECK: roots: {{[1-9]}}
func.func @roots(%x: memref<2048xf32>, %y: memref<2048xf32>) {
  %zero = arith.constant 0.0 : f32
  %minus_one = arith.constant -1.0 : f32
  affine.for %i = 0 to 2048 {
    %0 = affine.load %x[%i] : memref<2048xf32>
    %1 = math.absf %0 : f32
    %2 = math.ceil %1 : f32
    %3 = arith.divf %minus_one, %2 : f32
    %4 = math.round %3 : f32
    %5 = math.sqrt %4 : f32
    %6 = math.rsqrt %5 : f32
    %7 = math.tanh %6 : f32
    affine.store %7, %y[%i] : memref<2048xf32>
  }
  return
}

// CHECK: logarithms: {{[1-9]}}
func.func @logarithms(%x: memref<2048xf64>, %y: memref<2048xf64>) {
  affine.for %i = 0 to 2048 {
    %0 = affine.load %x[%i] : memref<2048xf64>
    %1 = math.log %0 : f64
    %2 = math.log %1 : f64
    %3 = math.log %2 : f64
    affine.store %3, %y[%i] : memref<2048xf64>
  }
  return
}

// ERROR: worker-inputs-undefined.mlir:[[#@LINE+1]]:1: error: argument 1 cannot be verified: the kernel computes NaN or infinities for all its elements; say for which inputs it is defined, such as --arg=nowhere:0=uniform(1,2)
func.func @nowhere(%x: memref<2048xf64>, %y: memref<2048xf64>) {
  %minus = arith.constant -100.0 : f64
  affine.for %i = 0 to 2048 {
    %0 = affine.load %x[%i] : memref<2048xf64>
    %1 = arith.addf %0, %minus : f64
    %2 = math.log %1 : f64
    affine.store %2, %y[%i] : memref<2048xf64>
  }
  return
}

// ERROR: worker-inputs-undefined.mlir:[[#@LINE+1]]:1: error: the plain kernel divides an integer by zero on all inputs that were tried; say for which integers it is defined, such as --arg=always:0=1..9
func.func @always(%x: memref<2048xi32>, %y: memref<2048xi32>) {
  %large = arith.constant 1000 : i32
  affine.for %i = 0 to 2048 {
    %0 = affine.load %x[%i] : memref<2048xi32>
    %1 = arith.divsi %0, %large : i32
    %2 = arith.divsi %0, %1 : i32
    affine.store %2, %y[%i] : memref<2048xi32>
  }
  return
}

// The integers may be what is wrong, so that it says which they were.
// ERROR: worker-inputs-undefined.mlir:[[#@LINE+1]]:1: error: argument 1 cannot be verified: the kernel computes NaN or infinities for all its elements, with {{[0-9]+}} for argument 2; say for which
func.func @below(%x: memref<2048xf64>, %y: memref<2048xf64>, %n: index) {
  %minus = arith.constant -100.0 : f64
  affine.for %i = 0 to %n {
    %0 = affine.load %x[%i] : memref<2048xf64>
    %1 = arith.addf %0, %minus : f64
    %2 = math.log %1 : f64
    affine.store %2, %y[%i] : memref<2048xf64>
  }
  return
}
