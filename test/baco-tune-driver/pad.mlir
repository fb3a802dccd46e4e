// Padded tiles: every candidate computes what the plain lowering does, where
// iterators of all kinds are padded.
// RUN: rm -rf %t && mkdir %t && cp %s %t/in.mlir
// RUN: baco-tune-driver %t/in.mlir --budget=24 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// TRIALS: "status":"ok"

// CHECK-DAG: product: 2 evaluations
// CHECK-DAG: integers: 2 evaluations
// CHECK-DAG: maximum: 2 evaluations
// CHECK-DAG: packed: {{[1-9][0-9]*}} evaluations

func.func @product(%A: memref<13x21xf32>, %B: memref<21x19xf32>, %C: memref<13x19xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<13x21xf32> to tensor<13x21xf32>
  %b = bufferization.to_tensor %B restrict : memref<21x19xf32> to tensor<21x19xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<13x19xf32> to tensor<13x19xf32>
  %r = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [8, #baco.knob<"NR", #baco.ordinal<[8, 16]>>, 16]>,
      #baco.pad<multiples = [1, 1, 1]>,
      #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<>, #baco.hoist<>, #baco.bufferize<>]>}
    ins(%a, %b : tensor<13x21xf32>, tensor<21x19xf32>)
    outs(%c : tensor<13x19xf32>) -> tensor<13x19xf32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<13x19xf32>, memref<13x19xf32>) -> ()
  return
}
func.func @integers(%A: memref<13x21xi8>, %B: memref<21x19xi8>, %C: memref<13x19xi32>) {
  %a = bufferization.to_tensor %A restrict : memref<13x21xi8> to tensor<13x21xi8>
  %b = bufferization.to_tensor %B restrict : memref<21x19xi8> to tensor<21x19xi8>
  %c = bufferization.to_tensor %C restrict writable : memref<13x19xi32> to tensor<13x19xi32>
  %r = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [8, #baco.knob<"NR", #baco.ordinal<[8, 16]>>, 16]>,
      #baco.pad<multiples = [1, 1, 1]>,
      #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<>, #baco.hoist<>, #baco.bufferize<>]>}
    ins(%a, %b : tensor<13x21xi8>, tensor<21x19xi8>)
    outs(%c : tensor<13x19xi32>) -> tensor<13x19xi32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<13x19xi32>, memref<13x19xi32>) -> ()
  return
}

func.func @maximum(%A: memref<12x29xf64>, %C: memref<12xf64>) {
  %a = bufferization.to_tensor %A restrict : memref<12x29xf64> to tensor<12x29xf64>
  %c = bufferization.to_tensor %C restrict writable : memref<12xf64> to tensor<12xf64>
  %r = linalg.reduce {arith.maximumf} ins(%a : tensor<12x29xf64>)
    outs(%c : tensor<12xf64>) dimensions = [1]
    {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [4, #baco.knob<"K", #baco.ordinal<[6, 8]>>]>,
      #baco.pad<multiples = [0, 1]>, #baco.vectorize<>, #baco.bufferize<>]>}
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<12xf64>, memref<12xf64>) -> ()
  return
}

// Inputs are packed ahead of some of the loops.
func.func @packed(%A: memref<29x40xf32>, %B: memref<40x35xf32>, %C: memref<29x35xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<29x40xf32> to tensor<29x40xf32>
  %b = bufferization.to_tensor %B restrict : memref<40x35xf32> to tensor<40x35xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<29x35xf32> to tensor<29x35xf32>
  %r = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [0, 0, 24]>,
      #baco.tile<sizes = [8, 16, 0], order = [1, 0]>,
      #baco.pad<multiples = [1, 1, 1],
                hoist = [#baco.knob<"HA", #baco.ordinal<[0, 1, 2]>>,
                         #baco.knob<"HB", #baco.ordinal<[1, 2]>>]>,
      #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<>, #baco.hoist<>, #baco.bufferize<>]>}
    ins(%a, %b : tensor<29x40xf32>, tensor<40x35xf32>)
    outs(%c : tensor<29x35xf32>) -> tensor<29x35xf32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<29x35xf32>, memref<29x35xf32>) -> ()
  return
}
