// RUN: baco-opt %s --baco-align-stack | FileCheck %s
// RUN: baco-opt %s --baco-lower-to-cpu | FileCheck %s --check-prefix=CPU

// CHECK: llvm.func @wide(%{{.*}}) attributes {passthrough = ["stackrealign"]}
llvm.func @wide(%p: !llvm.ptr) {
  %v = llvm.load %p : !llvm.ptr -> vector<16xf32>
  llvm.store %v, %p : vector<16xf32>, !llvm.ptr
  llvm.return
}

// Attributes of the file stay.
// CHECK: llvm.func @marked(%{{.*}}) attributes {passthrough = ["cold", "stackrealign"]}
llvm.func @marked(%p: !llvm.ptr) attributes {passthrough = ["cold"]} {
  %v = llvm.load %p : !llvm.ptr -> vector<8xf32>
  llvm.store %v, %p : vector<8xf32>, !llvm.ptr
  llvm.return
}

// The stack has these alignments anyway.
// CHECK: llvm.func @narrow(%{{[a-z0-9]*}}: !llvm.ptr) {
llvm.func @narrow(%p: !llvm.ptr) {
  %v = llvm.load %p : !llvm.ptr -> vector<4xf32>
  llvm.store %v, %p : vector<4xf32>, !llvm.ptr
  llvm.return
}

// CPU: llvm.func @copy({{.*}} attributes {{.*}}passthrough = ["stackrealign"]
func.func @copy(%a: memref<16xf32>, %b: memref<16xf32>) {
  %zero = arith.constant 0 : index
  %v = vector.load %a[%zero] : memref<16xf32>, vector<16xf32>
  vector.store %v, %b[%zero] : memref<16xf32>, vector<16xf32>
  return
}
