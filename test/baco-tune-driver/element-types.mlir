// Kernels on numbers of all kinds are verified, and so tuned.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --optimizer=exhaustive --output-dir=%t %quick --verbose \
// RUN:   | FileCheck %s --implicit-check-not=failed
// RUN: grep -c '"status":"ok"' %t/element-types.bf16.trials.jsonl \
// RUN:   %t/element-types.index.trials.jsonl \
// RUN:   %t/element-types.complex.trials.jsonl \
// RUN:   %t/element-types.unsigned.trials.jsonl \
// RUN:   %t/element-types.narrowed.trials.jsonl | FileCheck %s --check-prefix=OK

// CHECK: bf16: 2 evaluations{{$}}
// CHECK: index: 2 evaluations{{$}}
// CHECK: complex: 2 evaluations{{$}}
// CHECK: unsigned: 2 evaluations{{$}}
// CHECK: narrowed: 2 evaluations{{$}}
// OK-COUNT-5: jsonl:2

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
// Vectors extend and narrow elements as the op says.
#vectors = #baco.recipe<[#baco.tile<
    sizes = [#baco.knob<"m", #baco.ordinal<[2, 4]>>, 16, 1]>,
    #baco.vectorize<>, #baco.hoist<>]>
func.func @unsigned(%A: memref<16x16xi8>, %B: memref<16x16xi8>,
                    %C: memref<16x16xi32>) {
  linalg.matmul {baco.recipe = #vectors,
                 cast = #linalg.type_fn<cast_unsigned>}
    ins(%A, %B : memref<16x16xi8>, memref<16x16xi8>)
    outs(%C : memref<16x16xi32>)
  return
}
func.func @narrowed(%A: memref<16x16xi64>, %B: memref<16x16xi64>,
                    %C: memref<16x16xi32>) {
  linalg.matmul {baco.recipe = #vectors}
    ins(%A, %B : memref<16x16xi64>, memref<16x16xi64>)
    outs(%C : memref<16x16xi32>)
  return
}
