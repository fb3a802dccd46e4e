// Nobody reads what the function computes, so that no kernel is left to have a cost.
// RUN: rm -rf %t && mkdir %t
// RUN: not baco-tune-driver %s --target=nvvm:sm_90 --evaluator=static --budget=2 --seed=1 --output-dir=%t 2>&1 \
// RUN:   | FileCheck %s

// CHECK: compile-failed: no kernel is left, because nothing reads what the function computes; let it write its results to arguments, or return them

func.func @sums(%a: memref<64x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
    ins(%a : memref<64x128xf32>) outs(%s : memref<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.addf %x, %o : f32
    linalg.yield %t : f32
  }
  return
}
