// Integers that all callers pass as constants are those that a kernel is timed
// with: the largest one if they differ. Other callers say nothing.
// RUN: rm -rf %t && mkdir %t
// RUN: baco-tune-driver %s --budget=1 --output-dir=%t %quick --verbose 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/caller-values.tuned.mlir
// RUN: baco-tune-driver %s --entry=update --budget=1 --output-dir=%t %quick --verbose \
// RUN:   --arg=update:n=40 2>&1 | FileCheck %s --check-prefix=OPTION
// TUNED-NOT: baco.input

// CHECK: update: 1 evaluation
// CHECK: timed with 120 for argument 0, {{.*}}; with 5 for argument 1, {{.*}}
// OPTION: timed with 40 for argument 0, {{.*}}; with 5 for argument 1, {{.*}}
func.func @update(%n: i32, %steps: index, %x: memref<200x20xf64>) {
  %end = arith.index_cast %n : i32 to index
  affine.for %t = 0 to %steps {
    affine.for %i = 0 to %end {
      affine.for %j = 0 to 20 {
        %0 = affine.load %x[%i, %j] : memref<200x20xf64>
        %1 = arith.addf %0, %0 : f64
        affine.store %1, %x[%i, %j] : memref<200x20xf64>
      }
    }
  }
  return
}

// One call in each version, which is for its shape.
// CHECK: rows_96x64: 1 evaluation
// CHECK: timed with 90 for argument 0
// CHECK: rows_33x64: 1 evaluation
// CHECK: timed with 30 for argument 0
func.func @rows(%n: index, %x: memref<?x64xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 64 {
      %0 = affine.load %x[%i, %j] : memref<?x64xf32>
      %1 = arith.mulf %0, %0 : f32
      affine.store %1, %x[%i, %j] : memref<?x64xf32>
    }
  }
  return
}

// Nobody knows what else it is called with.
// CHECK: partly: 1 evaluation
// CHECK: timed with 16 for argument 0
func.func @partly(%steps: index, %x: memref<200x20xf64>) {
  affine.for %t = 0 to %steps {
    affine.for %i = 0 to 200 {
      affine.for %j = 0 to 20 {
        %0 = affine.load %x[%i, %j] : memref<200x20xf64>
        %1 = arith.addf %0, %0 : f64
        affine.store %1, %x[%i, %j] : memref<200x20xf64>
      }
    }
  }
  return
}

func.func @some(%n: i32, %x: memref<200x20xf64>) {
  %steps = arith.constant 5 : index
  call @update(%n, %steps, %x) : (i32, index, memref<200x20xf64>) -> ()
  return
}

func.func @main(%any: index) {
  %n = arith.constant 120 : i32
  %one = arith.constant 1 : i32
  %few = arith.subi %n, %one : i32
  %c90 = arith.constant 90 : index
  %c30 = arith.constant 30 : index
  %c2 = arith.constant 2 : index
  %x = memref.alloc() : memref<200x20xf64>
  call @some(%n, %x) : (i32, memref<200x20xf64>) -> ()
  call @some(%few, %x) : (i32, memref<200x20xf64>) -> ()
  call @partly(%c2, %x) : (index, memref<200x20xf64>) -> ()
  call @partly(%any, %x) : (index, memref<200x20xf64>) -> ()
  %y = memref.alloc() : memref<96x64xf32>
  %z = memref.alloc() : memref<33x64xf32>
  %y0 = memref.cast %y : memref<96x64xf32> to memref<?x64xf32>
  %z0 = memref.cast %z : memref<33x64xf32> to memref<?x64xf32>
  call @rows(%c90, %y0) : (index, memref<?x64xf32>) -> ()
  call @rows(%c30, %z0) : (index, memref<?x64xf32>) -> ()
  memref.dealloc %x : memref<200x20xf64>
  memref.dealloc %y : memref<96x64xf32>
  memref.dealloc %z : memref<33x64xf32>
  return
}
