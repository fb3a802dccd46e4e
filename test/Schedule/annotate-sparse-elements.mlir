// Elements narrower than 32 bits: bits can't be in vectors, and only loops over
// dense operands have vectors of many bytes.
// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64 | %one-line-recipes | FileCheck %s

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

// CHECK-LABEL: @bits
// CHECK: coordinates = {{[^>]*>, default = 64, weights = [^>]*>}}, unroll =
// CHECK-NOT: where
func.func @bits(%B: tensor<64x512xi1, #CSR>, %x: tensor<512xi1>, %y: tensor<64xi1>) -> tensor<64xi1> {
  %0 = linalg.matvec ins(%B, %x : tensor<64x512xi1, #CSR>, tensor<512xi1>)
    outs(%y : tensor<64xi1>) -> tensor<64xi1>
  return %0 : tensor<64xi1>
}

// The innermost loop is over l, of which a tile is loop 5.
// CHECK-LABEL: @bytes
// CHECK: vl = #baco.knob<"vl", #baco.ordinal<[0, 2, 4, 8, 16, 32, 128]>, default = 128>
// CHECK-SAME: where = [advisory "vl <= 32 || in(order[5], {5})" : "vectors over stored coordinates have an address of 64 bits for each element, and those of more than 32 elements don't stay in registers",
// CHECK-SAME: advisory "positions == coordinates" : "upstream's run-time library has tensors of i8 only where positions and coordinates have the same width"]
func.func @bytes(%B: tensor<64x48xi8, #CSR>, %C: tensor<64x48x256xi8>, %y: tensor<64xi8>) -> tensor<64xi8> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, l) -> (i, j)>, affine_map<(i, j, l) -> (i, j, l)>,
                       affine_map<(i, j, l) -> (i)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
    ins(%B, %C : tensor<64x48xi8, #CSR>, tensor<64x48x256xi8>) outs(%y : tensor<64xi8>) {
  ^bb0(%b: i8, %c: i8, %a: i8):
    %1 = arith.muli %b, %c : i8
    %2 = arith.addi %a, %1 : i8
    linalg.yield %2 : i8
  } -> tensor<64xi8>
  return %0 : tensor<64xi8>
}
