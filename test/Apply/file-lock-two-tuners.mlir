// Tuners may add to one library at a time: none loses what another has added.
// RUN: rm -rf %t && split-file %s %t
// RUN: %tune %t/first.mlir --output-dir=%t
// RUN: cp %t/first.library.mlir %t/both.mlir
// RUN: %tune %t/second.mlir --output-dir=%t
// RUN: %python %S/Inputs/tune-while-locked.py %t/both.mlir %t/second.library.mlir \
// RUN:   %tune %t/third.mlir --apply=%t/both.mlir --apply-mode=tune --output-dir=%t | FileCheck %s
// CHECK: added 1 entry to {{.*}}third.baco.db, {{.*}}both.mlir
// RUN: FileCheck %s --input-file=%t/both.mlir --check-prefix=BOTH
// BOTH: function = "second"
// BOTH: function = "third"

// A library that is a database gets entries, too.
// RUN: %tune %t/third.mlir --apply=%t/first.baco.db --apply-mode=tune --output-dir=%t/new | FileCheck %s --check-prefix=DATABASE
// DATABASE: added 1 entry to {{.*}}third.baco.db, {{.*}}first.baco.db
// RUN: cat %t/first.mlir %t/third.mlir > %t/two.mlir
// RUN: baco-opt %t/two.mlir --baco-apply=library=%t/first.baco.db -o %t/applied

//--- first.mlir
func.func @first(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
//--- second.mlir
func.func @second(%A: memref<64x48xf32>, %B: memref<48x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul ins(%A, %B : memref<64x48xf32>, memref<48x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
//--- third.mlir
func.func @third(%A: memref<64x32xf32>, %B: memref<32x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul ins(%A, %B : memref<64x32xf32>, memref<32x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
