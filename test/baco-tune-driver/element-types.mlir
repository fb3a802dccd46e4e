// Kernels on numbers of all kinds are verified, and so tuned.
// RUN: baco-tune-driver %s --optimizer=exhaustive --output-dir=%t %quick \
// RUN:   | FileCheck %s --implicit-check-not=failed
// RUN: grep -c '"status":"ok"' %t/element-types.bf16.trials.jsonl \
// RUN:   %t/element-types.index.trials.jsonl \
// RUN:   %t/element-types.complex.trials.jsonl | FileCheck %s --check-prefix=OK

// CHECK: bf16: 2 evaluations{{$}}
// CHECK: index: 2 evaluations{{$}}
// CHECK: complex: 2 evaluations{{$}}
// OK-COUNT-3: jsonl:2

#tile = #baco.recipe<[#baco.tile<
    sizes = [#baco.knob<"m", #baco.ordinal<[5, 8]>>, 8, 0]>]>

func.func @bf16(%A: memref<16x8xbf16>, %B: memref<8x16xbf16>,
                %C: memref<16x16xbf16>) {
  linalg.matmul {baco.recipe = #tile}
    ins(%A, %B : memref<16x8xbf16>, memref<8x16xbf16>)
    outs(%C : memref<16x16xbf16>)
  return
}
func.func @index(%A: memref<16x16xindex>, %B: memref<16x16xindex>,
                 %C: memref<16x16xindex>) {
  linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                     affine_map<(i, j, k) -> (k, j)>,
                     affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"],
    baco.recipe = #tile}
    ins(%A, %B : memref<16x16xindex>, memref<16x16xindex>)
    outs(%C : memref<16x16xindex>) {
  ^bb0(%a: index, %b: index, %c: index):
    %ab = arith.muli %a, %b : index
    %sum = arith.addi %c, %ab : index
    linalg.yield %sum : index
  }
  return
}
func.func @complex(%A: memref<16x16xcomplex<f32>>,
                   %B: memref<16x16xcomplex<f32>>,
                   %C: memref<16x16xcomplex<f32>>) {
  linalg.matmul {baco.recipe = #tile}
    ins(%A, %B : memref<16x16xcomplex<f32>>, memref<16x16xcomplex<f32>>)
    outs(%C : memref<16x16xcomplex<f32>>)
  return
}
