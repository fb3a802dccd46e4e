// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152 --baco-expand-recipes --baco-concretize -o %t
// RUN: FileCheck %s --check-prefix=CONCRETE < %t
// RUN: baco-opt %t --transform-interpreter | FileCheck %s

// A recipe becomes a schedule, which gets defaults, which runs.

// CONCRETE: transform.baco.restructure
// CONCRETE-SAME: #baco.loop_unroll<statement = 0, loop = 1, factor = 4>
// CONCRETE-SAME: #baco.loop_vectorize<statement = 0, loop = 2, width = 32>

// CHECK-LABEL: func.func @kernel
// CHECK: affine.for %{{.*}} = 0 to 1000 step 4
// CHECK: iter_args
// CHECK: affine.vector_load {{.*}} vector<32xf64>
func.func @kernel(%A: memref<1000x1008xf64>, %x: memref<1008xf64>,
                  %y: memref<1000xf64>) {
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 1008 {
      %a = affine.load %A[%i, %j] : memref<1000x1008xf64>
      %b = affine.load %x[%j] : memref<1008xf64>
      %c = affine.load %y[%i] : memref<1000xf64>
      %p = arith.mulf %a, %b : f64
      %s = arith.addf %c, %p : f64
      affine.store %s, %y[%i] : memref<1000xf64>
    }
  }
  return
}
