// RUN: baco-opt %s --baco-round-to-integers | FileCheck %s
// RUN: baco-opt %s --baco-lower-to-cpu | FileCheck %s --check-prefix=LOWERED

// One instruction rounds to the nearest integer, and converts.
// CHECK-LABEL: func.func @vector
// CHECK-SAME: %[[X:.*]]: vector<16xf32>
// CHECK: %[[N:.*]] = llvm.intr.lrint(%[[X]]) : (vector<16xf32>) -> vector<16xi32>
// CHECK: return %[[N]]
func.func @vector(%x: vector<16xf32>) -> vector<16xi32> {
  %r = math.roundeven %x : vector<16xf32>
  %n = arith.fptosi %r : vector<16xf32> to vector<16xi32>
  return %n : vector<16xi32>
}

// CHECK-LABEL: func.func @bytes
// CHECK: %[[N:.*]] = llvm.intr.lrint(%{{.*}}) : (f32) -> i32
// CHECK: arith.trunci %[[N]] : i32 to i8
func.func @bytes(%x: f32) -> i8 {
  %r = math.roundeven %x : f32
  %n = arith.fptoui %r : f32 to i8
  return %n : i8
}

// Bounds that are integers hold for the rounded number if they hold for the number.
// CHECK-LABEL: func.func @bounded
// CHECK-NOT: math.roundeven
// CHECK: %[[MAX:.*]] = arith.maximumf %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK: %[[MIN:.*]] = arith.minimumf %[[MAX]], %{{.*}} : vector<16xf32>
// CHECK: llvm.intr.lrint(%[[MIN]])
// LOWERED-LABEL: llvm.func @bounded
// LOWERED-NOT: roundeven
// LOWERED: llvm.intr.lrint
func.func @bounded(%x: vector<16xf32>) -> vector<16xi8> {
  %low = arith.constant dense<-128.0> : vector<16xf32>
  %high = arith.constant dense<127.0> : vector<16xf32>
  %r = math.roundeven %x : vector<16xf32>
  %m = arith.maximumf %r, %low : vector<16xf32>
  %b = arith.minimumf %m, %high : vector<16xf32>
  %n = arith.fptosi %b : vector<16xf32> to vector<16xi8>
  return %n : vector<16xi8>
}

// A fraction as a bound isn't what it would be for the number itself; and something else uses
// the bounded number.
// CHECK-LABEL: func.func @fraction
// CHECK-NOT: lrint
// CHECK-LABEL: func.func @used
// CHECK-NOT: lrint
func.func @fraction(%x: f32) -> i32 {
  %high = arith.constant 0.5 : f32
  %r = math.roundeven %x : f32
  %b = arith.minimumf %r, %high : f32
  %n = arith.fptosi %b : f32 to i32
  return %n : i32
}

func.func @used(%x: f32) -> (i32, f32) {
  %high = arith.constant 127.0 : f32
  %r = math.roundeven %x : f32
  %b = arith.minimumf %r, %high : f32
  %n = arith.fptosi %b : f32 to i32
  return %n, %b : i32, f32
}

// Unsigned numbers of 32 bits don't fit, f64 takes another instruction, vectors of two
// dimensions have none, and truncation isn't rounding.
// CHECK-LABEL: func.func @others
// CHECK-NOT: lrint
func.func @others(%x: f32, %y: f64, %z: vector<2x8xf32>)
    -> (i32, i32, vector<2x8xi32>, i32) {
  %r = math.roundeven %x : f32
  %n = arith.fptoui %r : f32 to i32
  %s = math.roundeven %y : f64
  %m = arith.fptosi %s : f64 to i32
  %t = math.roundeven %z : vector<2x8xf32>
  %o = arith.fptosi %t : vector<2x8xf32> to vector<2x8xi32>
  %u = math.trunc %x : f32
  %p = arith.fptosi %u : f32 to i32
  return %n, %m, %o, %p : i32, i32, vector<2x8xi32>, i32
}
