// A schedule that can't be applied any more, as somebody has edited the library:
// one line at the kernel names kernel, entry and library, and the place in it.
// With mode=warn, this function stays as it is, and others get their schedules.
// RUN: rm -rf %t && mkdir %t
// RUN: %tune %s --evaluator=static --output-dir=%t
// RUN: %python %S/Inputs/break-schedule.py %t/apply-schedules-failing.library.mlir first %t/broken.mlir
// RUN: not baco-opt %s --baco-apply=library=%t/broken.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FROZEN --implicit-check-not=error: --implicit-check-not="current operation"
// FROZEN: apply-schedules-failing.mlir:[[@LINE+15]]:1: error: the schedule of 'first', '@tuned.first.{{[0-9a-f]+}}' in {{.*}}broken.mlir, can't be applied: {{.*}}broken.mlir:[[#]]:[[#]]: {{.*}}loop 9{{.*}}
// RUN: baco-opt %s --baco-apply="library=%t/broken.mlir mode=warn" -o %t/applied 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WARN --implicit-check-not=error:
// WARN: apply-schedules-failing.mlir:[[@LINE+12]]:1: warning: the schedule of 'first', '@tuned.first.{{[0-9a-f]+}}' in {{.*}}broken.mlir, can't be applied:
// RUN: FileCheck %s --input-file=%t/applied
// CHECK-LABEL: func.func @first
// CHECK-NOT:   vector
// CHECK:       linalg.matmul
// CHECK-LABEL: func.func @second
// CHECK:       vector<
// RUN: baco-tune-driver %s --apply=%t/broken.mlir --apply-mode=warn --output-dir=%t 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=DRIVER
// DRIVER: applied 1 schedule, 0 functions stay as they are, 1 have no entry
// RUN: %stock-mlir-opt %t/apply-schedules-failing.tuned.mlir | cmp - %t/applied

func.func @first(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  return
}
func.func @second(%A: memref<32x32xf64>, %B: memref<32x32xf64>, %C: memref<32x32xf64>) {
  linalg.matmul ins(%A, %B : memref<32x32xf64>, memref<32x32xf64>) outs(%C : memref<32x32xf64>)
  return
}
