// Memory spaces of accelerators are no memory of a CPU; kernels for GPUs keep
// theirs.
// RUN: baco-opt %s --baco-lower-front-ends --split-input-file 2>&1 | FileCheck %s

// CHECK: remark: dropped the memory spaces of types: a CPU has one memory
// CHECK-LABEL: func.func @tile(
// CHECK-SAME:    memref<64x64xf32>)
// CHECK:         %[[LOCAL:.*]] = memref.alloc() : memref<32x32xf32>
// CHECK-NOT:     memory_space_cast
// CHECK:         memref.copy %{{.*}}, %[[LOCAL]] : {{.*}} to memref<32x32xf32>
// CHECK:         linalg.exp ins(%[[LOCAL]] : memref<32x32xf32>)
func.func @tile(%a: memref<64x64xf32, 1>) {
  %view = memref.subview %a[0, 0] [32, 32] [1, 1]
    : memref<64x64xf32, 1> to memref<32x32xf32, strided<[64, 1]>, 1>
  %local = memref.alloc() : memref<32x32xf32, 2>
  memref.copy %view, %local
    : memref<32x32xf32, strided<[64, 1]>, 1> to memref<32x32xf32, 2>
  %generic = memref.memory_space_cast %local
    : memref<32x32xf32, 2> to memref<32x32xf32>
  linalg.exp ins(%generic : memref<32x32xf32>)
             outs(%view : memref<32x32xf32, strided<[64, 1]>, 1>)
  return
}

// -----

// CHECK-LABEL: func.func @kernel(
// CHECK-SAME:    memref<64xf32, 1>
func.func @kernel(%a: memref<64xf32, 1>) {
  %id = gpu.thread_id x
  %x = memref.load %a[%id] : memref<64xf32, 1>
  memref.store %x, %a[%id] : memref<64xf32, 1>
  return
}
