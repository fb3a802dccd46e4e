// What a kernel keeps in globals is as it was at first whenever the kernel
// runs: for candidates, for the plain lowering, checked and timed. The seed
// below is an index, too, and would leave the table after some executions.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=4 --output-dir=%t %quick | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// TRIALS: "status":"ok"
// CHECK: noise: {{[1-9]}} evaluations{{$}}
memref.global "private" @seed : memref<1xi64> = dense<17>
memref.global "private" @place : memref<1xindex> = dense<0>
memref.global "private" constant @factor : memref<1xi64> = dense<6364136223846793005>

func.func @noise(%A: memref<48x48xf64>, %B: memref<48x48xf64>,
                 %C: memref<48x48xf64>, %steps: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %shift = arith.constant 40 : i64
  %seed = memref.get_global @seed : memref<1xi64>
  %place = memref.get_global @place : memref<1xindex>
  %factors = memref.get_global @factor : memref<1xi64>
  %s = memref.load %seed[%c0] : memref<1xi64>
  %f = memref.load %factors[%c0] : memref<1xi64>
  %t = arith.muli %s, %f : i64
  memref.store %t, %seed[%c0] : memref<1xi64>
  %u = arith.shrui %t, %shift : i64
  %x = arith.uitofp %u : i64 to f64
  %p = memref.load %place[%c0] : memref<1xindex>
  %q = arith.addi %p, %c1 : index
  memref.store %q, %place[%c0] : memref<1xindex>
  memref.store %x, %steps[%p] : memref<4xf64>
  linalg.matmul ins(%A, %B : memref<48x48xf64>, memref<48x48xf64>)
    outs(%C : memref<48x48xf64>)
  return
}
