// The translation to LLVM IR outlines parallel regions, and drops the
// assumptions in them. When this test fails, lib/Target/CPU/KeepAssumptions.cpp
// may go.

// RUN: %stock-mlir-translate --mlir-to-llvmir %s | FileCheck %s

// CHECK-LABEL: define internal void @f..omp_par
// CHECK-NOT: separate_storage
// CHECK: store i32
llvm.func @f(%a: !llvm.ptr, %b: !llvm.ptr) {
  %true = llvm.mlir.constant(true) : i1
  omp.parallel {
    llvm.intr.assume %true ["separate_storage"(%a, %b : !llvm.ptr, !llvm.ptr)] : i1
    %x = llvm.load %a : !llvm.ptr -> i32
    llvm.store %x, %b : i32, !llvm.ptr
    omp.terminator
  }
  llvm.return
}
