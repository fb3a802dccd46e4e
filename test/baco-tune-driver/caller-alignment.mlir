// A private function may assume what all of its callers align: it is verified
// at such addresses. One that others can call may not, and neither may one of
// which a caller aligns less.
// RUN: rm -rf %t && split-file %s %t
// RUN: baco-tune-driver %t/private.mlir --entry=kernel --budget=4 \
// RUN:   --output-dir=%t %quick | FileCheck %s
// RUN: not baco-tune-driver %t/public.mlir --entry=kernel --budget=4 \
// RUN:   --output-dir=%t %quick 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not baco-tune-driver %t/one-less.mlir --entry=kernel --budget=4 \
// RUN:   --output-dir=%t %quick 2>&1 | FileCheck %s --check-prefix=ERROR

// CHECK: kernel: {{[1-9][0-9]*}} evaluation{{s?$}}
// CHECK: best
// ERROR: error: {{.*}}crashed: died of SIGSEGV while running

//--- private.mlir
memref.global "private" @table : memref<64x64xf32> = uninitialized {alignment = 128 : i64}
func.func private @kernel(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>)
                outs(%c : memref<64x64xf32>)
  affine.for %i = 0 to 64 {
    %0 = arith.constant 0 : index
    %y = vector.load %c[%i, %0] {alignment = 64 : i64} : memref<64x64xf32>, vector<16xf32>
    %z = arith.addf %y, %y : vector<16xf32>
    vector.store %z, %c[%i, %0] {alignment = 64 : i64} : memref<64x64xf32>, vector<16xf32>
  }
  return
}
func.func @first(%a: memref<64x64xf32>) {
  %c = memref.alloca() {alignment = 256 : i64} : memref<64x64xf32>
  call @kernel(%a, %c) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  return
}
func.func @second(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %aligned = memref.assume_alignment %c, 64 : memref<64x64xf32>
  call @kernel(%a, %aligned) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  %new = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
  call @kernel(%a, %new) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  memref.dealloc %new : memref<64x64xf32>
  %old = memref.get_global @table : memref<64x64xf32>
  call @kernel(%a, %old) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  return
}

//--- public.mlir
memref.global "private" @table : memref<64x64xf32> = uninitialized {alignment = 128 : i64}
func.func @kernel(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>)
                outs(%c : memref<64x64xf32>)
  affine.for %i = 0 to 64 {
    %0 = arith.constant 0 : index
    %y = vector.load %c[%i, %0] {alignment = 64 : i64} : memref<64x64xf32>, vector<16xf32>
    %z = arith.addf %y, %y : vector<16xf32>
    vector.store %z, %c[%i, %0] {alignment = 64 : i64} : memref<64x64xf32>, vector<16xf32>
  }
  return
}
func.func @first(%a: memref<64x64xf32>) {
  %c = memref.alloca() {alignment = 256 : i64} : memref<64x64xf32>
  call @kernel(%a, %c) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  return
}
func.func @second(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %aligned = memref.assume_alignment %c, 64 : memref<64x64xf32>
  call @kernel(%a, %aligned) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  %new = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
  call @kernel(%a, %new) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  memref.dealloc %new : memref<64x64xf32>
  %old = memref.get_global @table : memref<64x64xf32>
  call @kernel(%a, %old) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  return
}

//--- one-less.mlir
memref.global "private" @table : memref<64x64xf32> = uninitialized {alignment = 128 : i64}
func.func private @kernel(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>)
                outs(%c : memref<64x64xf32>)
  affine.for %i = 0 to 64 {
    %0 = arith.constant 0 : index
    %y = vector.load %c[%i, %0] {alignment = 64 : i64} : memref<64x64xf32>, vector<16xf32>
    %z = arith.addf %y, %y : vector<16xf32>
    vector.store %z, %c[%i, %0] {alignment = 64 : i64} : memref<64x64xf32>, vector<16xf32>
  }
  return
}
func.func @first(%a: memref<64x64xf32>) {
  %c = memref.alloca() {alignment = 256 : i64} : memref<64x64xf32>
  call @kernel(%a, %c) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  return
}
func.func @second(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %aligned = memref.assume_alignment %c, 64 : memref<64x64xf32>
  call @kernel(%a, %aligned) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  %new = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
  call @kernel(%a, %new) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  memref.dealloc %new : memref<64x64xf32>
  %old = memref.get_global @table : memref<64x64xf32>
  call @kernel(%a, %old) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  return
}
func.func @third(%a: memref<64x64xf32>) {
  %c = memref.alloc() {alignment = 16 : i64} : memref<64x64xf32>
  call @kernel(%a, %c) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  memref.dealloc %c : memref<64x64xf32>
  return
}
