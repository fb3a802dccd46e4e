// A plain lowering that takes longer than --plain-timeout has no time. The
// report names the limit, whatever filling the arguments took in addition.
// RUN: rm -rf %t && baco-tune-driver %s --plain-timeout=1 --budget=2 \
// RUN:   --output-dir=%t 2>&1 | FileCheck %s
// CHECK-NOT: {{^}}  plain
// CHECK: the time of the plain lowering is unknown: it takes longer than 1{{(.0+)?}} ms; raise --plain-timeout
func.func @slow(%a: memref<64x64xi64>, %x: memref<64xi64>, %y: memref<64xi64>) {
  affine.for %t = 0 to 10000 {
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
