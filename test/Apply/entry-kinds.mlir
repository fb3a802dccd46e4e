// There is an entry for each function that might be tuned: with a schedule,
// with the decision that the original is better, or that there is nothing to do.
// RUN: rm -rf %t && mkdir %t
// RUN: echo '{"plain": 500, "trials": {"2": 1000, "4": 600, "8": 620, "16": 900}, \
// RUN:   "finals": {"plain": 550}}' > %t/script
// RUN: env SCRIPTED_WORKER=%t/script baco-tune-driver %s --optimizer=exhaustive \
// RUN:   --worker=%scripted-worker --output-dir=%t
// RUN: FileCheck %s --input-file=%t/entry-kinds.library.mlir

// CHECK:      // Made by baco-tune-driver: what it found, to be used without a search:
// CHECK-NEXT: //   baco-opt entry-kinds.mlir --baco-apply='library=entry-kinds.library.mlir'
// CHECK:      transform.named_sequence @tuned.tiny.{{[0-9a-f]+}}(
// CHECK-SAME: baco.entry = {baco = "{{[^"]+}}", cpu = "{{[^"]+}}", evaluations = 4 : i64, evaluator = "jit",
// CHECK-SAME: fingerprint = "{{[0-9a-f]+}}", function = "tiny", host = "vector-bytes={{.*}},threads=1", isa = "{{[^"]+}}", llvm = "{{[^"]+}}"
// CHECK-SAME: outcome = "plain", parts = "{{[0-9a-f ]+}}", pipeline = {{[0-9]+}} : i64, schedule = "{{[0-9a-f]+}}", speedup = 1.81{{.*}}, speedup_interval = array<f64: 1.81
// CHECK-NOT:  configuration
// CHECK-NEXT: transform.yield
// CHECK:      transform.named_sequence @tuned.squares.{{[0-9a-f]+}}(
// CHECK-SAME: outcome = "untuned"
// CHECK-NEXT: transform.yield

// Frozen mode accepts all of them.
// RUN: baco-opt %s --baco-apply=library=%t/entry-kinds.library.mlir \
// RUN:   | FileCheck %s --check-prefix=APPLIED --implicit-check-not=baco.
// APPLIED-LABEL: @tiny
// APPLIED-NEXT:  linalg.matmul
func.func @tiny(%A: memref<16x16xf32>, %B: memref<16x16xf32>, %C: memref<16x16xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[2, 4, 8, 16]>>, 0, 0]>]>}
    ins(%A, %B : memref<16x16xf32>, memref<16x16xf32>) outs(%C : memref<16x16xf32>)
  return
}

// A call in a nest isn't for baco.
func.func private @square(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32
  return %y : f32
}
func.func @squares(%A: memref<64x64xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %A[%i, %j] : memref<64x64xf32>
      %y = func.call @square(%x) : (f32) -> f32
      affine.store %y, %A[%i, %j] : memref<64x64xf32>
    }
  }
  return
}
