// A temporary is in use up to the last use of it or of a view, and up to where it
// is freed if something else may be an alias of it, or may keep it.
// RUN: baco-opt %s --baco-plan-workspace --remarks-filter=workspace 2>&1 >/dev/null \
// RUN: | FileCheck %s
// CHECK: Function=view | stackBytes=0, temporaryBytes=8192, workspaceBytes=4096
// CHECK: Function=late | stackBytes=0, temporaryBytes=8192, workspaceBytes=8192
// CHECK: Function=select | stackBytes=0, temporaryBytes=8192, workspaceBytes=8192
// CHECK: Function=pointer | stackBytes=0, temporaryBytes=8192, workspaceBytes=8192
// CHECK: Function=kept | stackBytes=0, temporaryBytes=8192, workspaceBytes=8192

func.func private @keep(memref<1024xf32>)

func.func @view(%x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1024xf32>
  %v = memref.expand_shape %a [[0, 1]] output_shape [32, 32] : memref<1024xf32> into memref<32x32xf32>
  memref.store %x, %v[%c0, %c0] : memref<32x32xf32>
  %b = memref.alloc() : memref<1024xf32>
  memref.store %x, %b[%c0] : memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  memref.dealloc %b : memref<1024xf32>
  return
}

func.func @late(%x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1024xf32>
  %v = memref.expand_shape %a [[0, 1]] output_shape [32, 32] : memref<1024xf32> into memref<32x32xf32>
  %b = memref.alloc() : memref<1024xf32>
  memref.store %x, %b[%c0] : memref<1024xf32>
  memref.store %x, %v[%c0, %c0] : memref<32x32xf32>
  memref.dealloc %a : memref<1024xf32>
  memref.dealloc %b : memref<1024xf32>
  return
}

func.func @select(%x: f32, %y: memref<1024xf32>, %first: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1024xf32>
  %either = arith.select %first, %a, %y : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  memref.store %x, %b[%c0] : memref<1024xf32>
  memref.store %x, %either[%c0] : memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  memref.dealloc %b : memref<1024xf32>
  return
}

func.func @pointer(%x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1024xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<1024xf32> -> index
  %b = memref.alloc() : memref<1024xf32>
  memref.store %x, %b[%c0] : memref<1024xf32>
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  llvm.store %x, %q : f32, !llvm.ptr
  memref.dealloc %a : memref<1024xf32>
  memref.dealloc %b : memref<1024xf32>
  return
}

func.func @kept(%x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1024xf32>
  call @keep(%a) : (memref<1024xf32>) -> ()
  %b = memref.alloc() : memref<1024xf32>
  memref.store %x, %b[%c0] : memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  memref.dealloc %b : memref<1024xf32>
  return
}
