// Without a final comparison the trials decide, of a function that calls kernels, too.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=3 --seed=1 --trial-time=2 --final-time=0 --output-dir=%t \
// RUN:   | FileCheck %s --implicit-check-not="as a whole"
// RUN: baco study list %t/kernel-finals-none.baco.db | FileCheck %s --check-prefix=LIST
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t/kernel-finals-none.summary.json
// RUN: FileCheck %s --check-prefix=LIBRARY --input-file=%t/kernel-finals-none.library.mlir
// CHECK:      scale: 3 evaluations
// CHECK:        speed-up
// CHECK:      unconfirmed: from single trials
// CHECK:        wall time {{.*}}, finals 0.0 s
// LIST: scale
// JSON:     "confirmed": false
// JSON-NOT: "confirmed": true
// LIBRARY: transform.named_sequence

func.func @scale(%x: memref<64x96xf32>, %y: memref<64x96xf32>) {
  %c = arith.constant 3.0 : f32
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 96 {
      %v = affine.load %x[%i, %j] : memref<64x96xf32>
      %p = arith.mulf %v, %c : f32
      affine.store %p, %y[%i, %j] : memref<64x96xf32>
    }
  }
  return
}

func.func @main(%x: memref<64x96xf32>, %y: memref<64x96xf32>) {
  func.call @scale(%x, %y) : (memref<64x96xf32>, memref<64x96xf32>) -> ()
  func.call @scale(%y, %x) : (memref<64x96xf32>, memref<64x96xf32>) -> ()
  return
}
