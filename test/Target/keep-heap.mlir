// RUN: baco-opt %s --baco-lower-to-cpu --split-input-file | FileCheck %s

// glibc keeps twice the size of the largest block that was freed: it gets one of
// half of the 2.5 MiB, and half a MiB more. LLVM leaves what is volatile.
// CHECK-LABEL: llvm.func @several(
// CHECK:         %[[SIZE:.*]] = llvm.mlir.constant(1835008 : index)
// CHECK:         llvm.getelementptr %{{.*}}[%[[SIZE]]] : {{.*}}, i8
// CHECK:         llvm.call @malloc
// CHECK:         llvm.store volatile
// CHECK:         llvm.call @free
// CHECK-COUNT-3: llvm.call @malloc
func.func private @use(memref<131072xf32>, memref<512x512xf32>, memref<256x1024xf32>)
func.func @several(%x: memref<1024xf32>) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<131072xf32>
  %b = memref.alloc() {alignment = 64 : i64} : memref<512x512xf32>
  %c = memref.alloc() {alignment = 64 : i64} : memref<256x1024xf32>
  %i = arith.constant 0 : index
  %0 = memref.load %x[%i] : memref<1024xf32>
  memref.store %0, %a[%i] : memref<131072xf32>
  memref.store %0, %b[%i, %i] : memref<512x512xf32>
  memref.store %0, %c[%i, %i] : memref<256x1024xf32>
  call @use(%a, %b, %c) : (memref<131072xf32>, memref<512x512xf32>, memref<256x1024xf32>) -> ()
  memref.dealloc %a : memref<131072xf32>
  memref.dealloc %b : memref<512x512xf32>
  memref.dealloc %c : memref<256x1024xf32>
  return
}

// -----

// One buffer is less than glibc keeps.
// CHECK-LABEL: llvm.func @one(
// CHECK-NOT:     volatile
// CHECK:         llvm.return
func.func private @use(memref<1024x1024xf32>)
func.func @one(%x: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024x1024xf32>
  %i = arith.constant 0 : index
  %0 = memref.load %x[%i] : memref<1024xf32>
  memref.store %0, %a[%i, %i] : memref<1024x1024xf32>
  call @use(%a) : (memref<1024x1024xf32>) -> ()
  memref.dealloc %a : memref<1024x1024xf32>
  return
}

// -----

// Callers free these.
// CHECK-LABEL: llvm.func @returned(
// CHECK:         llvm.mlir.constant(1048576 : index)
// CHECK:         llvm.store volatile
// CHECK-COUNT-2: llvm.call @malloc
func.func @returned() -> (memref<131072xf32>, memref<131072xf32>) {
  %a = memref.alloc() : memref<131072xf32>
  %b = memref.alloc() : memref<131072xf32>
  return %a, %b : memref<131072xf32>, memref<131072xf32>
}
