// A sum in f16 stays at 65504 if what is added is small, and overflows if small
// terms are added up first: candidates may do either.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=6 --output-dir=%t %quick \
// RUN:   | FileCheck %s --implicit-check-not=failed
// CHECK: sum_rows: {{[2-9]}} evaluations{{$}}

func.func @sum_rows(%s: memref<128xf16>, %a: memref<128x512xf16>) {
  affine.for %i = 0 to 128 {
    affine.for %j = 0 to 512 {
      %0 = affine.load %s[%i] : memref<128xf16>
      %1 = affine.load %a[%i, %j] : memref<128x512xf16>
      %2 = arith.addf %0, %1 : f16
      affine.store %2, %s[%i] : memref<128xf16>
    }
  }
  return
}
