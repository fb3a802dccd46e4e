// A file that no schedule can make faster is no error, and says so in one line;
// it is written all the same, with the interface that is asked for.
// RUN: rm -rf %t && split-file %s %t
// RUN: baco-tune-driver %t/copy.mlir --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: baco-tune-driver %t/fill.mlir --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=FILL
// RUN: baco-tune-driver %t/short.mlir --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: baco-opt %t/copy.mlir -o %t/copy.expected
// RUN: baco-opt %t/out/copy.tuned.mlir | diff %t/copy.expected -
// RUN: baco-opt %t/fill.mlir -o %t/fill.expected
// RUN: baco-opt %t/out/fill.tuned.mlir | diff %t/fill.expected -
// RUN: baco-opt %t/short.mlir -o %t/short.expected
// RUN: baco-opt %t/out/short.tuned.mlir | diff %t/short.expected -
// RUN: not ls %t/out/copy.schedule.mlir
// RUN: baco-tune-driver %t/fill.mlir --interface=buffers --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=FILL
// RUN: FileCheck %s --check-prefix=BUFFERS --input-file=%t/out/fill.tuned.mlir
// BUFFERS: func.func @fill(%{{.*}}: f32, %{{.*}}: memref<64x100xf32>, %{{.*}}: memref<64x100xf32>) {
// There is no space to write.
// RUN: %exits 1 baco-tune-driver %t/copy.mlir --emit-space=- 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: baco-opt %t/fill.mlir --baco-autotune=interface=buffers -o %t/fill.buffers 2>/dev/null
// RUN: baco-opt %t/out/fill.tuned.mlir | diff %t/fill.buffers -
// RUN: baco-opt %t/fill.mlir --baco-autotune -o %t/autotuned.mlir 2>&1 | FileCheck %s --check-prefix=FILL
// RUN: baco-opt %t/fill.mlir | diff - %t/autotuned.mlir
// What takes no longer than its call, whatever its type.
// RUN: baco-tune-driver %t/products.mlir --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=PRODUCTS --implicit-check-not=evaluation
// RUN: baco-tune-driver %t/products.mlir --entry=floats --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=PRODUCTS --implicit-check-not=evaluation
// A product in a program, too.
// RUN: baco-tune-driver %t/program.mlir --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=PROGRAM
// A function is asked for.
// RUN: baco-tune-driver %t/mixed.mlir --entry=copy --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: baco-tune-driver %t/mixed.mlir --budget=2 --output-dir=%t/mixed %quick 2>&1 | FileCheck %s --check-prefix=MIXED

// COPY: 3:3: remark: nothing to gain: a copy at memory speed
// COPY-NOT: error
//--- copy.mlir
func.func @copy(%a: memref<64x100xf32>, %c: memref<64x100xf32>, %d: memref<4xf32>, %e: f32) {
  linalg.fill ins(%e : f32) outs(%d : memref<4xf32>)
  memref.copy %a, %c : memref<64x100xf32> to memref<64x100xf32>
  return
}

// FILL: 2:8: remark: nothing to gain: a fill at memory speed
//--- fill.mlir
func.func @fill(%x: f32, %c: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %r = linalg.fill ins(%x : f32) outs(%c : tensor<64x100xf32>) -> tensor<64x100xf32>
  return %r : tensor<64x100xf32>
}

// SHORT: 2:3: remark: nothing to gain: it has fewer than 1024 iterations, which take about a microsecond
//--- short.mlir
func.func @short(%a: memref<16xf32>, %c: memref<16xf32>) {
  linalg.exp ins(%a : memref<16xf32>) outs(%c : memref<16xf32>)
  return
}

// PRODUCTS: 2:3: remark: nothing to gain: it has fewer than 1024 iterations, which take about a microsecond
//--- products.mlir
func.func @floats(%A: memref<2x4xf32>, %B: memref<4x3xf32>, %C: memref<2x3xf32>) {
  linalg.matmul ins(%A, %B : memref<2x4xf32>, memref<4x3xf32>) outs(%C : memref<2x3xf32>)
  return
}
func.func @bytes(%A: memref<2x4xi8>, %B: memref<4x3xi8>, %C: memref<2x3xi8>) {
  linalg.matmul ins(%A, %B : memref<2x4xi8>, memref<4x3xi8>) outs(%C : memref<2x3xi8>)
  return
}

// MIXED-NOT: nothing to gain
// MIXED: exp: 2 evaluations
//--- mixed.mlir
func.func @copy(%a: memref<64x100xf32>, %c: memref<64x100xf32>) {
  // One line down, as above.
  linalg.copy ins(%a : memref<64x100xf32>) outs(%c : memref<64x100xf32>)
  return
}
func.func @exp(%a: memref<64x100xf32>, %c: memref<64x100xf32>) {
  linalg.exp ins(%a : memref<64x100xf32>) outs(%c : memref<64x100xf32>)
  return
}

// PROGRAM: 4:3: remark: nothing to gain: it has fewer than 1024 iterations, which take about a microsecond
// PROGRAM-NOT: error
//--- program.mlir
func.func private @print(memref<4x4xf32>)
// Two lines down.
func.func @main(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %x = memref.load %b[%i, %j] : memref<4x4xf32>
      %y = arith.negf %x : f32
      memref.store %y, %b[%i, %j] : memref<4x4xf32>
    }
  }
  call @print(%b) : (memref<4x4xf32>) -> ()
  return
}
