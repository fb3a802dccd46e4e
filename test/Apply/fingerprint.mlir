// RUN: baco-opt %s --baco-fingerprint -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: baco-opt %t --baco-fingerprint | cmp - %t

// CHECK:     @declared(f32) -> f32
// CHECK-NOT: fingerprint
// CHECK:     @f({{.*}} attributes {baco.fingerprint = "[[F:[0-9a-f]+]]"}
// CHECK:     @same({{.*}} attributes {baco.fingerprint = "[[F]]"}
// CHECK-NOT: [[F]]
// CHECK:     @other({{.*}} attributes {baco.fingerprint = "{{[0-9a-f]+}}"}
func.func private @declared(f32) -> f32
func.func @f(%x: f32) -> f32 {
  %y = call @declared(%x) : (f32) -> f32
  return %y : f32
}
func.func private @same(%a: f32) -> f32 {
  %b = call @declared(%a) : (f32) -> f32
  return %b : f32
}
func.func @other(%x: f32) -> f32 {
  return %x : f32
}
