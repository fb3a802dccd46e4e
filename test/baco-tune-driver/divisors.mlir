// Elements that become divisors aren't 0, nor are the amounts of shifts more
// than the width: so integer divisions can be tuned.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=9 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// TRIALS: "status":"ok"
#map = affine_map<(i, j) -> (i, j)>

// CHECK: quotient: {{[1-9]}}
func.func @quotient(%a: memref<64x64xi32>, %b: memref<64x64xi32>,
                    %c: memref<64x64xi32>) {
  linalg.generic {indexing_maps = [#map, #map, #map],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<64x64xi32>, memref<64x64xi32>)
      outs(%c : memref<64x64xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %q = arith.divsi %x, %y : i32
    %r = arith.remsi %x, %y : i32
    %s = arith.addi %q, %r : i32
    linalg.yield %s : i32
  }
  return
}

// CHECK: shifted: {{[1-9]}}
func.func @shifted(%a: memref<64x64xi16>, %b: memref<64x64xi16>,
                   %c: memref<64x64xi16>) {
  linalg.generic {indexing_maps = [#map, #map, #map],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<64x64xi16>, memref<64x64xi16>)
      outs(%c : memref<64x64xi16>) {
  ^bb0(%x: i16, %y: i16, %o: i16):
    %s = arith.shrsi %x, %y : i16
    linalg.yield %s : i16
  }
  return
}

// CHECK: by_scalar: {{[1-9]}}
// CHECK: timed with 3 for argument 0, verified with 1, too
func.func @by_scalar(%n: i64, %a: memref<64x64xi64>, %c: memref<64x64xi64>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %a[%i, %j] : memref<64x64xi64>
      %q = arith.floordivsi %x, %n : i64
      affine.store %q, %c[%i, %j] : memref<64x64xi64>
    }
  }
  return
}

// Divisors that are computed aren't 0 either: differences, remainders, masked
// bits, quotients, and floats that become integers.
// CHECK: by_difference: {{[1-9]}}
func.func @by_difference(%a: memref<64x64xi32>, %b: memref<64x64xi32>,
                         %d: memref<64x64xi32>, %c: memref<64x64xi32>) {
  linalg.generic {indexing_maps = [#map, #map, #map, #map],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %b, %d : memref<64x64xi32>, memref<64x64xi32>, memref<64x64xi32>)
      outs(%c : memref<64x64xi32>) {
  ^bb0(%x: i32, %y: i32, %z: i32, %o: i32):
    %0 = arith.subi %x, %y : i32
    %1 = arith.subi %0, %z : i32
    %q = arith.divsi %x, %1 : i32
    linalg.yield %q : i32
  }
  return
}

// CHECK: by_bits: {{[1-9]}}
func.func @by_bits(%a: memref<64x64xi8>, %b: memref<64x64xi8>,
                   %c: memref<64x64xi8>) {
  %three = arith.constant 3 : i8
  %four = arith.constant 4 : i8
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %a[%i, %j] : memref<64x64xi8>
      %y = affine.load %b[%i, %j] : memref<64x64xi8>
      %0 = arith.remsi %y, %four : i8
      %1 = arith.shrsi %y, %three : i8
      %2 = arith.andi %1, %0 : i8
      %q = arith.divsi %x, %2 : i8
      affine.store %q, %c[%i, %j] : memref<64x64xi8>
    }
  }
  return
}

// CHECK: by_float: {{[1-9]}}
func.func @by_float(%a: memref<64x64xi32>, %b: memref<64x64xf32>,
                    %c: memref<64x64xi32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %a[%i, %j] : memref<64x64xi32>
      %y = affine.load %b[%i, %j] : memref<64x64xf32>
      %0 = arith.fptosi %y : f32 to i32
      %q = arith.divsi %x, %0 : i32
      affine.store %q, %c[%i, %j] : memref<64x64xi32>
    }
  }
  return
}
