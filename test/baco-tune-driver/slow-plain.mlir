// A plain lowering that is expected to take longer than --plain-timeout, because
// its loops in a better order take so long, isn't run. The report says so.
// RUN: rm -rf %t && baco-tune-driver %s --plain-timeout=1 --budget=2 \
// RUN:   --output-dir=%t 2>&1 | FileCheck %s
// CHECK-NOT: {{^}}  plain
// CHECK: the time of the plain lowering is unknown: its loops take {{[0-9.]+ m?s}} even in a better order; raise --plain-timeout
func.func @slow(%a: memref<64x64xi64>, %x: memref<64xi64>, %y: memref<64xi64>) {
  affine.for %t = 0 to 80000 {
    affine.for %i = 0 to 64 {
      affine.for %j = 0 to 64 {
        %1 = affine.load %a[%i, %j] : memref<64x64xi64>
        %2 = affine.load %x[%j] : memref<64xi64>
        %3 = affine.load %y[%i] : memref<64xi64>
        %4 = arith.muli %1, %2 : i64
        %5 = arith.addi %3, %4 : i64
        affine.store %5, %y[%i] : memref<64xi64>
      }
    }
  }
  return
}
