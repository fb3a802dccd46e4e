// Parallel loops of the payload are tuned as others are: every candidate
// computes what the plain lowering does, in one thread and in two.
// RUN: rm -rf %t && mkdir %t && cp %s %t/in.mlir
// RUN: baco-tune-driver %t/in.mlir --budget=10 --output-dir=%t/one %quick --verbose 2>&1 | FileCheck %s
// RUN: cat %t/one/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'
// RUN: baco-tune-driver %t/in.mlir --threads=2 --budget=10 --output-dir=%t/two %quick --verbose | FileCheck %s --check-prefix=TWO
// RUN: cat %t/two/*.trials.jsonl | FileCheck %s --check-prefixes=TRIALS,CHUNKS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'
// RUN: baco-opt %t/in.mlir \
// RUN:   --transform-preload-library=transform-library-paths=%t/two/in.schedule.mlir \
// RUN:   --transform-interpreter -o %t/scheduled
// RUN: baco-opt %t/two/in.tuned.mlir | cmp - %t/scheduled

// TRIALS: "status":"ok"
// CHUNKS: "PI":

// CHECK: remark: its iterations run on one thread
// CHECK-DAG: triangle: {{[1-9][0-9]*}} evaluation
// CHECK-DAG: rows: {{[1-9][0-9]*}} evaluation
// CHECK-DAG: product: {{[1-9][0-9]*}} evaluation
// CHECK-DAG: sums: {{[1-9][0-9]*}} evaluation
// TWO-NOT: remark
// TWO-DAG: triangle: {{[1-9][0-9]*}} evaluation
// TWO-DAG: rows: {{[1-9][0-9]*}} evaluation
// TWO-DAG: product: {{[1-9][0-9]*}} evaluation
// TWO-DAG: sums: {{[1-9][0-9]*}} evaluation

func.func @triangle(%A: memref<64x64xf32>) {
  affine.parallel (%i) = (0) to (64) {
    affine.parallel (%j) = (%i) to (min(%i + 40, 64)) {
      %a = affine.load %A[%i, %j] : memref<64x64xf32>
      %s = arith.mulf %a, %a : f32
      affine.store %s, %A[%i, %j] : memref<64x64xf32>
    }
  }
  return
}

func.func @rows(%A: memref<50x70xf64>, %x: memref<70xf64>) {
  scf.forall (%i, %j) = (1, 0) to (50, 70) step (1, 2) {
    %a = memref.load %A[%i, %j] : memref<50x70xf64>
    %b = memref.load %x[%j] : memref<70xf64>
    %p = arith.mulf %a, %b : f64
    memref.store %p, %A[%i, %j] : memref<50x70xf64>
  }
  return
}

func.func @product(%A: memref<40x36xf64>, %B: memref<36x40xf64>,
                   %C: memref<40x40xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c36 = arith.constant 36 : index
  %c40 = arith.constant 40 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c40, %c40) step (%c1, %c1) {
    scf.for %k = %c0 to %c36 step %c1 {
      %a = memref.load %A[%i, %k] : memref<40x36xf64>
      %b = memref.load %B[%k, %j] : memref<36x40xf64>
      %c = memref.load %C[%i, %j] : memref<40x40xf64>
      %p = arith.mulf %a, %b : f64
      %s = arith.addf %c, %p : f64
      memref.store %s, %C[%i, %j] : memref<40x40xf64>
    }
    scf.reduce
  }
  return
}

func.func @sums(%A: memref<96x80xf32>, %x: memref<80xf32>, %y: memref<96xf32>,
                %z: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c80 = arith.constant 80 : index
  %c96 = arith.constant 96 : index
  %start = arith.constant 7.0 : f32
  affine.parallel (%i) = (0) to (96) {
    %s = affine.parallel (%k) = (0) to (80) reduce ("addf") -> (f32) {
      %a = affine.load %A[%i, %k] : memref<96x80xf32>
      %b = affine.load %x[%k] : memref<80xf32>
      %p = arith.mulf %a, %b : f32
      affine.yield %p : f32
    }
    affine.store %s, %y[%i] : memref<96xf32>
  }
  %r:2 = scf.parallel (%i, %j) = (%c0, %c0) to (%c96, %c80) step (%c1, %c1)
      init (%start, %start) -> (f32, f32) {
    %a = memref.load %A[%i, %j] : memref<96x80xf32>
    scf.reduce(%a, %a : f32, f32) {
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      scf.reduce.return %s : f32
    }, {
    ^bb0(%p: f32, %q: f32):
      %s = arith.maximumf %p, %q : f32
      scf.reduce.return %s : f32
    }
  }
  affine.store %r#0, %z[0] : memref<2xf32>
  affine.store %r#1, %z[1] : memref<2xf32>
  return
}
