// An upper triangle is solved from the last row on. Written as here, sums begin
// with what was solved last; in blocks they end with it, which the recurrence
// makes more of than the tolerance, which is that of sums, allows.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --tolerance=1e6 --output-dir=%t %quick | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{[^o]}}'

// TRIALS: "TB1":
// TRIALS-SAME: "status":"ok"

// CHECK: upper: {{[1-9][0-9]*}} evaluations{{$}}
func.func @upper(%U: memref<48x48xf32>, %B: memref<48x48xf32>) {
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 48 {
    affine.for %k = affine_map<(i) -> (48 - i)>(%i) to 48 {
      affine.for %j = 0 to 48 {
        %u = affine.load %U[47 - %i, %k] : memref<48x48xf32>
        %x = affine.load %B[%k, %j] : memref<48x48xf32>
        %b = affine.load %B[47 - %i, %j] : memref<48x48xf32>
        %p = arith.mulf %u, %x : f32
        %d = arith.subf %b, %p : f32
        affine.store %d, %B[47 - %i, %j] : memref<48x48xf32>
      }
    }
    %u = affine.load %U[47 - %i, 47 - %i] : memref<48x48xf32>
    %inverse = arith.divf %one, %u : f32
    affine.for %j = 0 to 48 {
      %b = affine.load %B[47 - %i, %j] : memref<48x48xf32>
      %q = arith.mulf %b, %inverse : f32
      affine.store %q, %B[47 - %i, %j] : memref<48x48xf32>
    }
  }
  return
}
