// How threads share a parallel loop, sparse or dense, is said by attributes of its
// function.
// RUN: baco-opt %s --baco-lower-to-cpu | FileCheck %s

// CHECK-LABEL: llvm.func @as_ever(
// CHECK: omp.parallel {
// CHECK: omp.wsloop nowait {
func.func @as_ever(%x: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (64) {
    memref.store %zero, %x[%i] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: llvm.func @by_turns(
// CHECK: %[[CHUNK:.*]] = llvm.mlir.constant(4 : i64) : i64
// CHECK: omp.wsloop nowait schedule(static = %[[CHUNK]] : i64) {
func.func @by_turns(%x: memref<64xf32>) attributes {baco.team_chunk = 4} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (64) {
    memref.store %zero, %x[%i] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: llvm.func @dynamic(
// CHECK: %[[THREADS:.*]] = llvm.mlir.constant(2 : i32) : i32
// CHECK: omp.parallel num_threads(%[[THREADS]] : i32) {
// CHECK: omp.wsloop nowait schedule(dynamic = %{{.*}} : i64) {
func.func @dynamic(%x: memref<64xf32>)
    attributes {baco.team_schedule = "dynamic", baco.team_threads = 2} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (64) {
    memref.store %zero, %x[%i] : memref<64xf32>
  }
  return
}
