// Values of integer arguments: from --arg, by number or by name, and from
// baco.input in the file. The kernel is verified with others, too.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --entry=update --budget=1 --output-dir=%t/1 %quick \
// RUN:   --arg=update:n=150 --arg=update:steps=5 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/1/arguments.tuned.mlir
// CHECK-NOT: warning: the schedule changes
// A slow machine verifies with the first of these only.
// CHECK: timed with 5 for argument 0, verified with 3, 1, 0, {{.*}}too; with 150 for argument 1, verified with 75, 1, 0, {{.*}}too; with 7 for argument 2
// TUNED-NOT: baco.input

// Without the option: what the file says, and else the largest in bounds.
// RUN: baco-tune-driver %s --entry=update --budget=1 --output-dir=%t/2 %quick \
// RUN:   2>&1 | FileCheck %s --check-prefix=FILE
// FILE: timed with 16 for argument 0, {{.*}} with 200 for argument 1, {{.*}} with 7 for argument 2

// They belong to the study: the same value is the same one, another is not.
// RUN: baco-tune-driver %s --entry=update --budget=1 --output-dir=%t/1 %quick \
// RUN:   --arg="update:0=5,1=150"
// RUN: baco study list %t/1/arguments.baco.db | count 2
// RUN: baco-tune-driver %s --entry=update --budget=1 --output-dir=%t/1 %quick \
// RUN:   --arg="update:0=5;1=151"
// RUN: baco study list %t/1/arguments.baco.db | count 3
func.func @update(%steps: i32, %n: i32, %scale: i64 {baco.input = 7 : i64},
                  %x: memref<200xf64>,
                  %order: memref<200xi32> {baco.input = #baco.integer<0 to 199>}) {
  %end = arith.index_cast %n : i32 to index
  %times = arith.index_cast %steps : i32 to index
  %factor = arith.sitofp %scale : i64 to f64
  affine.for %t = 0 to %times {
    affine.for %i = 0 to %end {
      %0 = affine.load %x[%i] : memref<200xf64>
      %1 = arith.mulf %0, %factor : f64
      affine.store %1, %x[%i] : memref<200xf64>
    }
  }
  affine.for %i = 0 to %end {
    %0 = affine.load %order[%i] : memref<200xi32>
    %from = arith.index_cast %0 : i32 to index
    %1 = memref.load %x[%from] : memref<200xf64>
    affine.store %1, %x[%i] : memref<200xf64>
  }
  return
}

// Values apply to functions on tensors, too.
// RUN: baco-tune-driver %s --entry=repeat --budget=1 --output-dir=%t/3 %quick \
// RUN:   --arg=repeat:0=3 2>&1 | FileCheck %s --check-prefix=TENSORS
// TENSORS: timed with 3 for argument 0, verified with 1, 0, 2, too
func.func @repeat(%n: index, %a: tensor<32x32xf32>, %b: tensor<32x32xf32>)
    -> tensor<32x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %b)
      -> tensor<32x32xf32> {
    %1 = linalg.matmul ins(%a, %a : tensor<32x32xf32>, tensor<32x32xf32>)
      outs(%c : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.yield %1 : tensor<32x32xf32>
  }
  return %0 : tensor<32x32xf32>
}
