// An execution that changes its own inputs is repeated as often as in a trial,
// also when it is sampled where it executes: the count must stay an index.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=1 --output-dir=%t %quick 2>&1 | FileCheck %s
// CHECK-NOT: failed
// CHECK:     best
func.func @step(%a: memref<192x192xf32>, %b: memref<192x192xf32>, %c: memref<192x192xf32>,
                %count: memref<1xf32>, %log: memref<14xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  linalg.matmul ins(%a, %b : memref<192x192xf32>, memref<192x192xf32>) outs(%c : memref<192x192xf32>)
  %n = memref.load %count[%zero] : memref<1xf32>
  %i32 = arith.fptosi %n : f32 to i32
  %i = arith.index_cast %i32 : i32 to index
  memref.store %one, %log[%i] : memref<14xf32>
  %next = arith.addf %n, %one : f32
  memref.store %next, %count[%zero] : memref<1xf32>
  return
}
