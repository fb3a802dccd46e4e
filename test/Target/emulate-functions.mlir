// A function that kernels compute by a polynomial is right within the errors that
// docs/Gpu.md states, though no sum is around it.

// RUN: rm -rf %t && mkdir %t
// RUN: baco-tune-driver %s --target=nvvm:sm_90 --evaluator=static --verify=emulate --budget=2 --seed=1 \
// RUN:   --output-dir=%t | FileCheck %s
// CHECK: activation: 2 evaluations{{$}}

func.func @activation(%a: memref<4096xf32>, %c: memref<4096xf32>) {
  %s = arith.constant 0.125 : f32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
    ins(%a : memref<4096xf32>) outs(%c : memref<4096xf32>) {
  ^bb0(%x: f32, %z: f32):
    %p = arith.mulf %x, %s : f32
    %t = math.tanh %p : f32
    linalg.yield %t : f32
  }
  return
}
