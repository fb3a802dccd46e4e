// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152 --verify-diagnostics -o %t
// RUN: %one-line-recipes %t | FileCheck %s
// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152,threads=2 \
// RUN:   | %one-line-recipes | FileCheck %s --check-prefix=THREADS

// Parallel loops are planned as the affine.for loops that they could be: tiles,
// vectors and threads are chosen anew.

// CHECK-LABEL: func.func @affine_parallel
// CHECK: affine.parallel
// CHECK: baco.recipe = {{.*}}loop_permute<order = [2, 1, 3], statement = 0>
// CHECK-SAME: #baco.loop_unroll<statement = 0, loop = 3, factor = #baco.knob<"MR"
// THREADS-LABEL: func.func @affine_parallel
// THREADS: baco.recipe = {{.*}}#baco.loop_parallelize<statement = 0, loop = 1>
func.func @affine_parallel(%A: memref<96x80xf32>, %B: memref<80x64xf32>,
                           %C: memref<96x64xf32>) {
  // expected-remark@+1 {{its iterations run on one thread; the option 'threads' distributes them}}
  affine.parallel (%i, %j) = (0, 0) to (96, 64) {
    affine.for %k = 0 to 80 {
      %a = affine.load %A[%i, %k] : memref<96x80xf32>
      %b = affine.load %B[%k, %j] : memref<80x64xf32>
      %c = affine.load %C[%i, %j] : memref<96x64xf32>
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      affine.store %s, %C[%i, %j] : memref<96x64xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @scf_parallel
// CHECK: scf.parallel
// CHECK: baco.recipe = {{.*}}loop_permute<order = [2, 1, 3], statement = 0>
// CHECK-SAME: #baco.loop_unroll<statement = 0, loop = 3, factor = #baco.knob<"MR"
// THREADS-LABEL: func.func @scf_parallel
// THREADS: baco.recipe = {{.*}}#baco.loop_parallelize<statement = 0, loop = 1>
func.func @scf_parallel(%A: memref<96x80xf32>, %B: memref<80x64xf32>,
                        %C: memref<96x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c80 = arith.constant 80 : index
  %c96 = arith.constant 96 : index
  // expected-remark@+1 {{its iterations run on one thread}}
  scf.parallel (%i, %j) = (%c0, %c0) to (%c96, %c64) step (%c1, %c1) {
    scf.for %k = %c0 to %c80 step %c1 {
      %a = memref.load %A[%i, %k] : memref<96x80xf32>
      %b = memref.load %B[%k, %j] : memref<80x64xf32>
      %c = memref.load %C[%i, %j] : memref<96x64xf32>
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      memref.store %s, %C[%i, %j] : memref<96x64xf32>
    }
    scf.reduce
  }
  return
}

// CHECK-LABEL: func.func @scf_forall
// CHECK: scf.forall
// CHECK: baco.recipe = {{.*}}loop_vectorize<statement = 0, loop = 2
// THREADS-LABEL: func.func @scf_forall
// THREADS: baco.recipe = {{.*}}#baco.loop_parallelize<statement = 0, loop = 1>
func.func @scf_forall(%A: memref<960x64xf32>) {
  // expected-remark@+1 {{its iterations run on one thread}}
  scf.forall (%i, %j) in (960, 64) {
    %a = memref.load %A[%i, %j] : memref<960x64xf32>
    %s = arith.addf %a, %a : f32
    memref.store %s, %A[%i, %j] : memref<960x64xf32>
  }
  return
}

// Sums of parallel loops go to memory, as those that loops carry.
// CHECK-LABEL: func.func @sums
// CHECK: affine.parallel
// CHECK: baco.recipe = {{.*}}loop_distribute<statements = [0, 1], loop = 1>
// CHECK-SAME: #baco.loop_vectorize<statement = 1, loop = 2
func.func @sums(%A: memref<96x80xf32>, %x: memref<80xf32>, %y: memref<96xf32>) {
  // expected-remark@+1 {{its iterations run on one thread}}
  affine.parallel (%i) = (0) to (96) {
    %s = affine.parallel (%k) = (0) to (80) reduce ("addf") -> (f32) {
      %a = affine.load %A[%i, %k] : memref<96x80xf32>
      %b = affine.load %x[%k] : memref<80xf32>
      %p = arith.mulf %a, %b : f32
      affine.yield %p : f32
    }
    affine.store %s, %y[%i] : memref<96xf32>
  }
  return
}

// What isn't affine stays as it is, and so do the parallel loops around it.
// CHECK-LABEL: func.func @step
// CHECK-NOT: baco.recipe
func.func @step(%A: memref<96xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c96 = arith.constant 96 : index
  // expected-remark@+2 {{not vectorized: 'scf.parallel' is not a loop with affine bounds and constant positive steps}}
  // expected-remark@+1 {{no automatic recipe: nothing in it can be chosen}}
  scf.parallel (%i) = (%c0) to (%c96) step (%n) {
    %a = memref.load %A[%i] : memref<96xf32>
    %s = arith.addf %a, %a : f32
    memref.store %s, %A[%i] : memref<96xf32>
  }
  return
}

// Upstream takes such loops for valid.
// CHECK-LABEL: func.func @standstill
// CHECK-NOT: baco.recipe
func.func @standstill(%A: memref<96xf32>) {
  %zero = arith.constant 0.0 : f32
  // expected-remark@+2 {{not vectorized: 'affine.parallel' is not a loop with affine bounds and constant positive steps}}
  // expected-remark@+1 {{no automatic recipe: nothing in it can be chosen}}
  affine.parallel (%i) = (0) to (96) step (0) {
    affine.store %zero, %A[%i] : memref<96xf32>
  }
  return
}

// Nothing is neutral to an assignment.
// CHECK-LABEL: func.func @assign
// CHECK-NOT: baco.recipe
func.func @assign(%A: memref<96x96xf32>, %y: memref<96xf32>) {
  // expected-remark@+1 {{no automatic recipe: nothing in it can be chosen}}
  affine.for %i = 0 to 96 {
    // expected-remark@+1 {{not vectorized: 'affine.parallel' reduces by "assign", which has no neutral element}}
    %s = affine.parallel (%j) = (0) to (96) reduce ("assign") -> (f32) {
      %a = affine.load %A[%i, %j] : memref<96x96xf32>
      affine.yield %a : f32
    }
    affine.store %s, %y[%i] : memref<96xf32>
  }
  return
}

// Subscripts are indices.
// CHECK-LABEL: func.func @counter
// CHECK-NOT: baco.recipe
func.func @counter(%A: memref<96xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c96 = arith.constant 96 : i32
  // expected-remark@+2 {{not vectorized: 'scf.for' counts in integers that are not 'index'}}
  // expected-remark@+1 {{no automatic recipe: nothing in it can be chosen}}
  scf.for %i = %c0 to %c96 step %c1 : i32 {
    %j = arith.index_cast %i : i32 to index
    %a = memref.load %A[%j] : memref<96xf32>
    %s = arith.addf %a, %a : f32
    memref.store %s, %A[%j] : memref<96xf32>
  }
  return
}
