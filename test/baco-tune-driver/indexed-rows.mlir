// Rows that an index chooses are read, and updated, as vectors; and rows that
// the same index may choose again stay in their order.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=6 --output-dir=%t %quick | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/indexed-rows.tuned.mlir

// CHECK: kernel
// CHECK-DAG: read
// CHECK-DAG: update
// TRIALS-COUNT-6: "status":"ok"
// TUNED-LABEL: @read
// TUNED: vector.load
// TUNED-LABEL: @update
// TUNED: vector.store
func.func @read(%t: memref<100x64xf32>, %i: memref<300xi32>, %o: memref<300x64xf32>) {
  affine.for %a = 0 to 300 {
    affine.for %b = 0 to 64 {
      %x = affine.load %i[%a] : memref<300xi32>
      %y = arith.index_cast %x : i32 to index
      %v = memref.load %t[%y, %b] : memref<100x64xf32>
      affine.store %v, %o[%a, %b] : memref<300x64xf32>
    }
  }
  return
}

func.func @update(%t: memref<100x64xf32>, %i: memref<300xi32>, %o: memref<300x64xf32>) {
  affine.for %a = 0 to 300 {
    %x = affine.load %i[%a] : memref<300xi32>
    %y = arith.index_cast %x : i32 to index
    affine.for %b = 0 to 64 {
      %v = affine.load %o[%a, %b] : memref<300x64xf32>
      %w = memref.load %t[%y, %b] : memref<100x64xf32>
      %m = arith.mulf %w, %v : f32
      %s = arith.addf %v, %m : f32
      memref.store %s, %t[%y, %b] : memref<100x64xf32>
    }
  }
  return
}
