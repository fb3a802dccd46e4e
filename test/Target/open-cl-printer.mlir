// Control flow as OpenCL C.
// RUN: rm -rf %t && mkdir %t
// RUN: baco-opt %s --baco-lower-to-opencl \
// RUN:   --baco-export-kernels='folder=%t name=control' -o /dev/null
// RUN: FileCheck %s --input-file=%t/control.cl

// A loop that exchanges what it carries reads both before it writes one.
// CHECK:      float [[A:v[0-9]+]] = 0.0f;
// CHECK-NEXT: float [[B:v[0-9]+]] = 1.0f;
// CHECK-NEXT: for (long [[I:v[0-9]+]] = 0L; [[I]] < {{.*}}; [[I]] += 1L) {
// CHECK:      float [[C:v[0-9]+]] = [[B]];
// CHECK-NEXT: float [[D:v[0-9]+]] = [[A]];
// CHECK-NEXT: [[A]] = [[C]];
// CHECK-NEXT: [[B]] = [[D]];
// CHECK:      if ({{.*}}) {
// CHECK:      } else {
// CHECK:      for (;;) {
// CHECK:        if (!{{.*}})
// CHECK-NEXT:     break;
func.func @control(%x: memref<64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c64, %nty = %c1, %ntz = %c1) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %f0 = arith.constant 0.0 : f32
    %f1 = arith.constant 1.0 : f32
    %r:2 = scf.for %i = %c0 to %n step %one iter_args(%a = %f0, %c = %f1) -> (f32, f32) {
      %0 = memref.load %x[%i] : memref<64xf32>
      memref.store %0, %x[%t] : memref<64xf32>
      scf.yield %c, %a : f32, f32
    }
    %greater = arith.cmpf ogt, %r#0, %r#1 : f32
    %chosen = scf.if %greater -> (f32) {
      %1 = arith.mulf %r#0, %r#1 : f32
      scf.yield %1 : f32
    } else {
      %2 = math.sqrt %r#1 : f32
      scf.yield %2 : f32
    }
    %w = scf.while (%s = %chosen) : (f32) -> f32 {
      %small = arith.cmpf olt, %s, %f1 : f32
      scf.condition(%small) %s : f32
    } do {
    ^bb0(%s: f32):
      %next = arith.addf %s, %s : f32
      scf.yield %next : f32
    }
    memref.store %w, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}
