// Triangular solves are blocked, and every candidate computes what the plain
// lowering does.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=48 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// With arbitrary triangles `ascending`, which is added up in another order in
// blocks, would grow until nothing can be compared.

// TRIALS: "TB
// TRIALS-SAME: "status":"ok"

// CHECK: right: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: unit: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: ascending: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: looks_right: {{[1-9][0-9]*}} evaluations{{$}}
func.func @right(%U: memref<48x48xf32>, %B: memref<48x48xf32>) {
  affine.for %i = 0 to 48 {
    affine.for %j = 0 to 48 {
      affine.for %k = 0 to affine_map<(j) -> (j)>(%j) {
        %u = affine.load %U[%k, %j] : memref<48x48xf32>
        %x = affine.load %B[%i, %k] : memref<48x48xf32>
        %b = affine.load %B[%i, %j] : memref<48x48xf32>
        %p = arith.mulf %u, %x : f32
        %d = arith.subf %b, %p : f32
        affine.store %d, %B[%i, %j] : memref<48x48xf32>
      }
      %u = affine.load %U[%j, %j] : memref<48x48xf32>
      %b = affine.load %B[%i, %j] : memref<48x48xf32>
      %q = arith.divf %b, %u : f32
      affine.store %q, %B[%i, %j] : memref<48x48xf32>
    }
  }
  return
}

func.func @unit(%L: memref<48x48xf32>, %B: memref<48x48xf32>) {
  affine.for %j = 0 to 48 {
    affine.for %i = 0 to 48 {
      affine.for %k = 0 to affine_map<(i) -> (i)>(%i) {
        %l = affine.load %L[%i, %k] : memref<48x48xf32>
        %x = affine.load %B[%k, %j] : memref<48x48xf32>
        %b = affine.load %B[%i, %j] : memref<48x48xf32>
        %p = arith.mulf %l, %x : f32
        %d = arith.subf %b, %p : f32
        affine.store %d, %B[%i, %j] : memref<48x48xf32>
      }
    }
  }
  return
}

func.func @ascending(%U: memref<96x96xf32>, %B: memref<96x48xf32>) {
  affine.for %i = 0 to 96 {
    affine.for %j = 0 to 48 {
      affine.for %k = affine_map<(i) -> (96 - i)>(%i) to 96 {
        %u = affine.load %U[95 - %i, %k] : memref<96x96xf32>
        %x = affine.load %B[%k, %j] : memref<96x48xf32>
        %b = affine.load %B[95 - %i, %j] : memref<96x48xf32>
        %p = arith.mulf %u, %x : f32
        %d = arith.subf %b, %p : f32
        affine.store %d, %B[95 - %i, %j] : memref<96x48xf32>
      }
      %u = affine.load %U[95 - %i, 95 - %i] : memref<96x96xf32>
      %b = affine.load %B[95 - %i, %j] : memref<96x48xf32>
      %q = arith.divf %b, %u : f32
      affine.store %q, %B[95 - %i, %j] : memref<96x48xf32>
    }
  }
  return
}

func.func @looks_right(%L: memref<48x48xf32>, %B: memref<48x48xf32>) {
  affine.for %k = 0 to 48 {
    affine.for %i = 0 to 48 {
      %u = affine.load %L[47 - %k, 47 - %k] : memref<48x48xf32>
      %b = affine.load %B[%i, 47 - %k] : memref<48x48xf32>
      %q = arith.divf %b, %u : f32
      affine.store %q, %B[%i, 47 - %k] : memref<48x48xf32>
    }
    affine.for %i = 0 to 48 {
      affine.for %j = 0 to affine_map<(k) -> (47 - k)>(%k) {
        %l = affine.load %L[47 - %k, %j] : memref<48x48xf32>
        %x = affine.load %B[%i, 47 - %k] : memref<48x48xf32>
        %b = affine.load %B[%i, %j] : memref<48x48xf32>
        %p = arith.mulf %l, %x : f32
        %d = arith.subf %b, %p : f32
        affine.store %d, %B[%i, %j] : memref<48x48xf32>
      }
    }
  }
  return
}
