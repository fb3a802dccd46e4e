// RUN: baco-opt %s --baco-plan-workspace --split-input-file | FileCheck %s
// RUN: baco-opt %s --baco-plan-workspace=workspace=argument --split-input-file \
// RUN: | FileCheck %s --check-prefix=ARGUMENT
// RUN: baco-opt %s --baco-plan-workspace=workspace=global --split-input-file \
// RUN: | FileCheck %s --check-prefix=GLOBAL
// RUN: baco-opt %s --baco-plan-workspace --split-input-file --remarks-filter=workspace 2>&1 >/dev/null \
// RUN: | FileCheck %s --check-prefix=REMARK
// RUN: not baco-opt %s --baco-lower-to-cpu=workspace=heap --split-input-file 2>&1 \
// RUN: | FileCheck %s --check-prefix=VALUE
// VALUE: for the --workspace option: Cannot find option named 'heap'!

// REMARK: plan-workspace.mlir:{{.*}}: remark: [Analysis] Workspace | Category:workspace | Function=several | stackBytes=0, temporaryBytes=12192, workspaceBytes=8192
// REMARK: Function=small | stackBytes=2048, temporaryBytes=0, workspaceBytes=0

// The first and the third buffer are never in use at the same time. The second
// one is freed in a loop's body, and so the same memory serves all iterations.
// CHECK-LABEL: func.func @several(
// CHECK-NEXT:    %[[MEMORY:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8192xi8>
// CHECK-NEXT:    %[[AT_A:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[A:.*]] = memref.view %[[MEMORY]][%[[AT_A]]][] : memref<8192xi8> to memref<1024xf32>
// CHECK-NEXT:    %[[AT_B:.*]] = arith.constant 4096 : index
// CHECK-NEXT:    %[[B:.*]] = memref.view %[[MEMORY]][%[[AT_B]]][] : memref<8192xi8> to memref<32x16xf64>
// CHECK-NEXT:    %[[AT_C:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[C:.*]] = memref.view %[[MEMORY]][%[[AT_C]]][] : memref<8192xi8> to memref<1000xi32>
// CHECK:         scf.for
// CHECK-NEXT:      call @use(%[[A]], %[[B]])
// CHECK-NEXT:    }
// CHECK-NEXT:    call @read(%[[C]])
// CHECK-NEXT:    memref.dealloc %[[MEMORY]] : memref<8192xi8>
// CHECK-NEXT:    return

// ARGUMENT-LABEL: llvm.mlir.global external constant @several_workspace_bytes(8192 : i64)
// ARGUMENT-SAME:    : i64
// ARGUMENT-NEXT: func.func @several(%{{.*}}: index, %[[MEMORY:.*]]: memref<8192xi8>) {
// ARGUMENT-NOT:    alloc
// ARGUMENT:        memref.view %[[MEMORY]]
// ARGUMENT-NOT:    alloc
// ARGUMENT:        return

// GLOBAL-LABEL: memref.global "private" @several_workspace : memref<8192xi8> = uninitialized {alignment = 64 : i64}
// GLOBAL-NEXT:  func.func @several(%{{.*}}: index) {
// GLOBAL-NEXT:    memref.get_global @several_workspace
// GLOBAL-NOT:     alloc
// GLOBAL:         return
func.func private @use(memref<1024xf32>, memref<32x16xf64>)
func.func private @read(memref<1000xi32>)
func.func @several(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1024xf32>
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() {alignment = 64 : i64} : memref<32x16xf64>
    func.call @use(%a, %b) : (memref<1024xf32>, memref<32x16xf64>) -> ()
    memref.dealloc %b : memref<32x16xf64>
  }
  memref.dealloc %a : memref<1024xf32>
  %c = memref.alloc() : memref<1000xi32>
  func.call @read(%c) : (memref<1000xi32>) -> ()
  memref.dealloc %c : memref<1000xi32>
  return
}

// -----

// The workspace of a function that is called is a part of its caller's, behind
// what is in use at the call. A public one keeps its interface for others.
// CHECK-LABEL: func.func private @public_in_workspace(
// CHECK-SAME:    %[[PART:.*]]: memref<4096xi8>)
// CHECK-NOT:     alloc
// CHECK:         return
// CHECK-LABEL: func.func @public() {
// CHECK-NEXT:    %[[OWN:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4096xi8>
// CHECK-NEXT:    call @public_in_workspace(%[[OWN]])
// CHECK-NEXT:    memref.dealloc %[[OWN]]
// CHECK-NEXT:    return
// CHECK-LABEL: func.func private @inner(%{{.*}}: memref<2048xi8>)
// CHECK-LABEL: func.func @caller(
// CHECK:         %[[ALL:.*]] = memref.alloc() {alignment = 64 : i64} : memref<6144xi8>
// CHECK:         %[[AT:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[FIRST:.*]] = memref.view %[[ALL]][%[[AT]]][] : memref<6144xi8> to memref<4096xi8>
// CHECK:         %[[BEHIND:.*]] = arith.constant 4096 : index
// CHECK-NEXT:    %[[SECOND:.*]] = memref.view %[[ALL]][%[[BEHIND]]][] : memref<6144xi8> to memref<2048xi8>
// CHECK:         call @public_in_workspace(%[[FIRST]])
// CHECK:         call @inner(%[[SECOND]])

// ARGUMENT-DAG: llvm.mlir.global external constant @public_workspace_bytes(4096 : i64)
// ARGUMENT-DAG: func.func @public(%{{.*}}: memref<4096xi8>)
// ARGUMENT-DAG: llvm.mlir.global external constant @caller_workspace_bytes(6144 : i64)
// ARGUMENT-DAG: func.func @caller(%{{.*}}: memref<6144xi8>)
// ARGUMENT-DAG: llvm.mlir.global external constant @none_workspace_bytes(0 : i64)
// ARGUMENT-DAG: func.func @none(%{{.*}}: memref<0xi8>)

// A caller's buffers and its callees' are never one memory.
// GLOBAL-DAG: memref.global "private" @public_workspace : memref<4096xi8>
// GLOBAL-DAG: memref.global "private" @caller_workspace : memref<6144xi8>
func.func private @use(memref<1024xf32>)
func.func private @use_less(memref<512xf32>)
func.func @public() {
  %a = memref.alloc() : memref<1024xf32>
  call @use(%a) : (memref<1024xf32>) -> ()
  memref.dealloc %a : memref<1024xf32>
  return
}
func.func private @inner() {
  %a = memref.alloc() : memref<512xf32>
  call @use_less(%a) : (memref<512xf32>) -> ()
  memref.dealloc %a : memref<512xf32>
  return
}
func.func @caller() {
  call @public() : () -> ()
  %a = memref.alloc() : memref<1024xf32>
  call @inner() : () -> ()
  call @use(%a) : (memref<1024xf32>) -> ()
  memref.dealloc %a : memref<1024xf32>
  return
}
func.func @none() {
  return
}

// -----

// Small buffers go on the stack, outside of loops.
// CHECK-LABEL: func.func @small(
// CHECK-NEXT:    %[[SMALL:.*]] = memref.alloca() {alignment = 64 : i64} : memref<256xf32>
// CHECK-NEXT:    %[[OTHER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<256xf32>
// CHECK-NEXT:    call @use(%[[OTHER]])
// CHECK:         scf.for
// CHECK-NEXT:      call @use(%[[SMALL]])
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func private @use(memref<256xf32>)
func.func @small(%n: index) {
  %a = memref.alloc() : memref<256xf32>
  call @use(%a) : (memref<256xf32>) -> ()
  memref.dealloc %a : memref<256xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<256xf32>
    func.call @use(%b) : (memref<256xf32>) -> ()
    memref.dealloc %b : memref<256xf32>
  }
  return
}

// -----

// Each thread needs its own, also of a function that it calls; the result is
// the caller's; nobody knows how large the last one is.
// CHECK-LABEL: func.func private @inner(%{{.*}}: memref<4096xi8>)
// CHECK-LABEL: func.func @others(
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    scf.parallel
// CHECK-NEXT:      memref.alloc() : memref<1024xf32>
// CHECK-NEXT:      call @use
// CHECK-NEXT:      %[[OWN:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4096xi8>
// CHECK-NEXT:      call @inner(%[[OWN]])
// CHECK-NEXT:      memref.dealloc %[[OWN]]
// CHECK:         memref.alloc() : memref<2048xf32>
// CHECK-NEXT:    memref.alloc(%{{.*}}) : memref<?xf32>
func.func private @use(memref<1024xf32>)
func.func private @inner() {
  %a = memref.alloc() : memref<1024xf32>
  call @use(%a) : (memref<1024xf32>) -> ()
  memref.dealloc %a : memref<1024xf32>
  return
}
func.func @others(%n: index) -> memref<2048xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %b = memref.alloc() : memref<1024xf32>
    func.call @use(%b) : (memref<1024xf32>) -> ()
    func.call @inner() : () -> ()
    memref.dealloc %b : memref<1024xf32>
  }
  %c = memref.alloc() : memref<2048xf32>
  %d = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %d : memref<?xf32>
  return %c : memref<2048xf32>
}

// -----

// A function that may be active several times.
// CHECK-LABEL: func.func @recursive(
// CHECK:         memref.alloc() : memref<1024xf32>
// CHECK:         call @recursive
// CHECK:         memref.dealloc
// CHECK-LABEL: func.func @taken() {
// CHECK-NEXT:    memref.alloc() {alignment = 64 : i64} : memref<4096xi8>

// ARGUMENT-LABEL: func.func @recursive(%{{.*}}: i1) {
// ARGUMENT-LABEL: func.func @taken() {
// ARGUMENT-NEXT:    memref.alloc() {alignment = 64 : i64} : memref<4096xi8>
func.func private @use(memref<1024xf32>)
func.func @recursive(%more: i1) {
  %a = memref.alloc() : memref<1024xf32>
  scf.if %more {
    %none = arith.constant false
    func.call @recursive(%none) : (i1) -> ()
  }
  call @use(%a) : (memref<1024xf32>) -> ()
  memref.dealloc %a : memref<1024xf32>
  return
}
func.func @taken() {
  %a = memref.alloc() : memref<1024xf32>
  call @use(%a) : (memref<1024xf32>) -> ()
  memref.dealloc %a : memref<1024xf32>
  return
}
func.func @takes() -> (() -> ()) {
  %f = func.constant @taken : () -> ()
  return %f : () -> ()
}
