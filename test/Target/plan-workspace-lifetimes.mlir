// Upstream's deallocation frees temporaries at the end of their block. They share
// memory nevertheless: of five in a row, at most two are in use at a time.
// RUN: baco-opt %s --baco-lower-to-cpu --remarks-filter=workspace 2>&1 >/dev/null \
// RUN: | FileCheck %s
// CHECK: Function=chain | stackBytes=0, temporaryBytes=327680, workspaceBytes=131072

func.func @chain(%x: tensor<16384xf32>) -> tensor<16384xf32> {
  %0 = call @half(%x) : (tensor<16384xf32>) -> tensor<16384xf32>
  %1 = call @half(%0) : (tensor<16384xf32>) -> tensor<16384xf32>
  %2 = call @half(%1) : (tensor<16384xf32>) -> tensor<16384xf32>
  %3 = call @half(%2) : (tensor<16384xf32>) -> tensor<16384xf32>
  %4 = call @half(%3) : (tensor<16384xf32>) -> tensor<16384xf32>
  return %4 : tensor<16384xf32>
}

func.func private @half(%x: tensor<16384xf32>) -> tensor<16384xf32> {
  %c = arith.constant 0.5 : f32
  %empty = tensor.empty() : tensor<16384xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<16384xf32>) outs(%empty : tensor<16384xf32>) {
  ^bb0(%in: f32, %out: f32):
    %h = arith.mulf %in, %c : f32
    linalg.yield %h : f32
  } -> tensor<16384xf32>
  return %y : tensor<16384xf32>
}
