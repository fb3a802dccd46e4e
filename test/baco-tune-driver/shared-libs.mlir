// A kernel may call functions of shared libraries. They are a part of what
// tells studies apart, and a function that none of them has is named.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=2 --output-dir=%t --db=%t.db %quick \
// RUN:   --shared-libs=%runner-libs/libmlir_c_runner_utils.so 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/shared-libs.tuned.mlir
// RUN: not baco-tune-driver %s --budget=2 --output-dir=%t %quick \
// RUN:   --shared-libs=libm.so.6 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not baco-tune-driver %s --output-dir=%t --shared-libs=%t/none.so 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: baco-opt %s --baco-autotune="budget=1 trial-time=2 final-time=10 \
// RUN:   shared-libs=%runner-libs/libmlir_runner_utils.so,%runner-libs/libmlir_c_runner_utils.so" \
// RUN:   2>&1 | FileCheck %s --check-prefix=PASS

// CHECK: {{^}}sorted_rows: 2 evaluations
// TUNED-LABEL: func.func @sorted_rows
// TUNED-NOT:     linalg.matvec
// TUNED:         call @stdSortF32
// MISSING: error: the plain kernel{{.*}} external functions are not found: 'stdSortF32'; give the libraries that have them with --shared-libs
// NONE: error: shared-libs: no file '{{.*}}none.so' can be read
// PASS: remark: tuned 'sorted_rows'
func.func private @stdSortF32(i64, memref<?xf32>) attributes {llvm.emit_c_interface}
func.func @sorted_rows(%A: memref<64x64xf32>, %x: memref<64xf32>, %y: memref<64xf32>) {
  %n = arith.constant 64 : i64
  linalg.matvec ins(%A, %x : memref<64x64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  %u = memref.cast %y : memref<64xf32> to memref<?xf32>
  call @stdSortF32(%n, %u) : (i64, memref<?xf32>) -> ()
  return
}
