// Kernels that return scalars and memrefs, or take strided memrefs, are tuned;
// the tuned functions keep their signatures.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=6 --seed=1 --output-dir=%t %quick --verbose 2>&1 | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'
// RUN: FileCheck %s --input-file=%t/callable-kernels-signatures.tuned.mlir --check-prefix=TUNED
// RUN: baco-opt %t/callable-kernels-signatures.tuned.mlir --baco-lower-to-cpu \
// RUN:   | %stock-mlir-translate --mlir-to-llvmir -o /dev/null

// CHECK-NOT: error
// CHECK: scalars: 1 evaluation
// CHECK: memrefs: 1 evaluation
// CHECK: branches: 1 evaluation
// CHECK: strided: 1 evaluation
// CHECK: open: 1 evaluation
// CHECK: weights: 1 evaluation
// TRIALS-COUNT-6: "status":"ok"

// TUNED: func.func @scalars(%{{.*}}: memref<4096xf32>, %{{.*}}: memref<4096xf32>) -> (f32, i32)
func.func @scalars(%a: memref<4096xf32>, %b: memref<4096xf32>) -> (f32, i32) {
  %zero = arith.constant 0.0 : f32
  %seven = arith.constant 7 : i32
  %s = memref.alloc() : memref<f32>
  memref.store %zero, %s[] : memref<f32>
  linalg.dot ins(%a, %b : memref<4096xf32>, memref<4096xf32>) outs(%s : memref<f32>)
  %r = memref.load %s[] : memref<f32>
  memref.dealloc %s : memref<f32>
  return %r, %seven : f32, i32
}

// TUNED: func.func @memrefs({{.*}}) -> (memref<48x40xf32>, memref<48x40xf32>)
func.func @memrefs(%a: memref<48x32xf32>, %b: memref<32x40xf32>, %c: memref<48x40xf32>) -> (memref<48x40xf32>, memref<48x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %r = memref.alloc() : memref<48x40xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<48x40xf32>)
  linalg.matmul ins(%a, %b : memref<48x32xf32>, memref<32x40xf32>) outs(%r : memref<48x40xf32>)
  return %r, %c : memref<48x40xf32>, memref<48x40xf32>
}

// Several returns, and one buffer as two results.
// TUNED: func.func @branches({{.*}}) -> (memref<48x40xf32>, memref<48x40xf32>)
func.func @branches(%which: i1, %a: memref<48x32xf32>, %b: memref<32x40xf32>, %c: memref<48x40xf32>) -> (memref<48x40xf32>, memref<48x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %r = memref.alloc() : memref<48x40xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<48x40xf32>)
  linalg.matmul ins(%a, %b : memref<48x32xf32>, memref<32x40xf32>) outs(%r : memref<48x40xf32>)
  cf.cond_br %which, ^both, ^one
^both:
  return %r, %r : memref<48x40xf32>, memref<48x40xf32>
^one:
  return %c, %r : memref<48x40xf32>, memref<48x40xf32>
}

#left = strided<[50, 1], offset: 7>
// TUNED: func.func @strided(%{{.*}}: memref<48x32xf32, strided<[50, 1], offset: 7>>, %{{.*}}: memref<32x40xf32, strided<[1, 32]>>,
func.func @strided(%a: memref<48x32xf32, #left>, %b: memref<32x40xf32, strided<[1, 32]>>, %c: memref<48x40xf32, strided<[80, 2]>>) {
  linalg.matmul ins(%a, %b : memref<48x32xf32, #left>, memref<32x40xf32, strided<[1, 32]>>)
                outs(%c : memref<48x40xf32, strided<[80, 2]>>)
  return
}

#open = strided<[?, ?], offset: ?>
// TUNED: func.func @open(%{{.*}}: memref<48x32xf32, strided<[?, ?], offset: ?>>,
func.func @open(%a: memref<48x32xf32, #open>, %b: memref<32x40xf32, strided<[?, 1], offset: ?>>, %c: memref<48x40xf32>) {
  linalg.matmul ins(%a, %b : memref<48x32xf32, #open>, memref<32x40xf32, strided<[?, 1], offset: ?>>)
                outs(%c : memref<48x40xf32>)
  return
}

// TUNED: func.func @weights(%{{.*}}: memref<16x128xf32>, %{{.*}}: memref<16x128xf32>)
// TUNED: memref.get_global @weights_of_it
memref.global "private" constant @weights_of_it : memref<128x128xf32> = dense_resource<__elided__>
func.func @weights(%a: memref<16x128xf32>, %c: memref<16x128xf32>) {
  %w = memref.get_global @weights_of_it : memref<128x128xf32>
  linalg.matmul ins(%a, %w : memref<16x128xf32>, memref<128x128xf32>) outs(%c : memref<16x128xf32>)
  return
}
