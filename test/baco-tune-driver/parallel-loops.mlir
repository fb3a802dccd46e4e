// Chunks of a matrix product and of rows run in threads;
// every candidate computes what the plain lowering does.
// RUN: rm -rf %t && mkdir %t && cp %s %t/in.mlir
// RUN: baco-tune-driver %t/in.mlir --host=threads=2 --budget=10 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// TRIALS: "PJ":{{8|12|16|20|24}},
// TRIALS: "PI":{{7|13|25}},

// CHECK: matmul: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: rows: {{[1-9][0-9]*}} evaluations{{$}}
func.func @matmul(%A: memref<40x36xf64>, %B: memref<36x40xf64>,
                  %C: memref<40x40xf64>) {
  linalg.matmul ins(%A, %B : memref<40x36xf64>, memref<36x40xf64>)
                outs(%C : memref<40x40xf64>)
  return
}

func.func @rows(%A: memref<50x70xf64>, %x: memref<70xf64>) {
  affine.for %i = 0 to 50 {
    affine.for %j = 0 to 70 {
      %a = affine.load %A[%i, %j] : memref<50x70xf64>
      %b = affine.load %x[%j] : memref<70xf64>
      %p = arith.mulf %a, %b : f64
      affine.store %p, %A[%i, %j] : memref<50x70xf64>
    }
  }
  return
}
