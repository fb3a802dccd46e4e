// Any linalg op with one sparse operand gets a recipe, whose default is what
// upstream's sparsifier does.
// RUN: baco-opt %s --baco-annotate=threads=4 | FileCheck %s
// RUN: baco-opt %s --baco-annotate | FileCheck %s --check-prefix=ONE
// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64 | FileCheck %s --check-prefix=WIDE
// RUN: baco-opt %s --baco-annotate --baco-expand-recipes \
// RUN:   --baco-extract-space=output=%t.json -o /dev/null
// RUN: baco space count %t.json | FileCheck %s --check-prefix=SPACE
// SPACE: feasible

// With one thread there is nothing to parallelize.
// ONE-NOT: {{parallel|schedule|chunk|threads}} =

#CSR = #sparse_tensor.encoding<{
  map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, crdWidth = 32 }>
#CSC = #sparse_tensor.encoding<{
  map = (d0, d1) -> (d1 : dense, d0 : compressed), posWidth = 32, crdWidth = 8 }>
#Row = #sparse_tensor.encoding<{
  map = (d0, d1) -> (d0 : compressed, d1 : dense) }>
#CSF = #sparse_tensor.encoding<{
  map = (d0, d1, d2) -> (d0 : dense, d1 : compressed, d2 : compressed) }>
#CSF4 = #sparse_tensor.encoding<{
  map = (d0, d1, d2, d3) -> (d0 : compressed, d1 : compressed, d2 : compressed,
                             d3 : compressed) }>
#Sampled = #sparse_tensor.encoding<{
  map = (d0, d1, d2) -> (d0 : dense, d1 : compressed(nonunique),
                         d2 : singleton(soa)) }>

// CHECK-LABEL: @spmv
// CHECK: #baco.sparsify<format = #baco.knob<"format", #baco.categorical<["csr", "csc", "dcsr", "dcsc", "coo", "csf", "dense-csf", "dense-dense-csf"]>, default = "csr">
// One tile is none.
// CHECK-SAME: order = #baco.knob<"order", #baco.permutation<4>, default = array<i64: 0, 2, 1, 3>>
// CHECK-SAME: tiles = [#baco.knob<"tile0", #baco.ordinal<[4, 16, 32, 64], log>, default = 64>, #baco.knob<"tile1", #baco.ordinal<[24, 48], log>, default = 48>]
// CHECK-SAME: positions = #baco.knob<"positions", #baco.ordinal<[16, 32, 64], log>, default = 32, weights = [2.000000e+00, 4.000000e+00, 1.000000e+00]>
// CHECK-SAME: coordinates = #baco.knob<"coordinates", #baco.ordinal<[16, 32, 64], log>, default = 32, weights = [2.000000e+00, 4.000000e+00, 1.000000e+00]>
// CHECK-SAME: vl = #baco.knob<"vl", #baco.ordinal<[0, 2, 4, 8, 16, 32]>, default = 0>
// CHECK-SAME: simd32 = #baco.knob<"simd32", #baco.ordinal<[0, 1]>, default = 0>
// CHECK-SAME: peel = #baco.knob<"peel", #baco.ordinal<[0, 1]>, default = 0>
// Nothing can be taken out of the sum.
// CHECK-NOT: factor =
// CHECK-SAME: parallel = #baco.knob<"parallel", #baco.categorical<["none", "any-storage-outer-loop"]>, default = "none">
// CHECK-SAME: threads = #baco.knob<"threads", #baco.ordinal<[2, 4], log>, default = 2>
// CHECK-SAME: schedule = #baco.knob<"schedule", #baco.categorical<["static", "dynamic", "guided"]>, default = "static">
// CHECK-SAME: chunk = #baco.knob<"chunk", #baco.ordinal<[0, 1, 4, 16, 64, 256]>, default = 0>
// CHECK-SAME: unroll = #baco.knob<"unroll", #baco.ordinal<[0, 1, 2, 4]>, default = 1>>
func.func @spmv(%B: tensor<64x48xf64, #CSR>, %x: tensor<48xf64>,
                %y: tensor<64xf64>) -> tensor<64xf64> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>,
                       affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
    ins(%B, %x : tensor<64x48xf64, #CSR>, tensor<48xf64>)
    outs(%y : tensor<64xf64>) {
  ^bb0(%b: f64, %c: f64, %a: f64):
    %1 = arith.mulf %b, %c : f64
    %2 = arith.addf %a, %1 : f64
    linalg.yield %2 : f64
  } -> tensor<64xf64>
  return %0 : tensor<64xf64>
}

// A named op; upstream's order follows the dense operands, too. The loop over
// tiles of columns is outside of the sum, so that a tile stays in registers.
// CHECK-LABEL: @spmm
// CHECK: linalg.matmul
// CHECK-SAME: default = "csr">, order = #baco.knob<"order", #baco.permutation<6>, default = array<i64: 0, 3, 1, 2, 5, 4>>
// CHECK-SAME: tiles = [#baco.knob<"tile0", #baco.ordinal<[4, 16, 32, 64], log>, default = 64>, #baco.knob<"tile1", #baco.ordinal<[8, 16], log>, default = 16>, #baco.knob<"tile2", #baco.ordinal<[24, 48], log>, default = 48>]
func.func @spmm(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
                %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  %0 = linalg.matmul ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// CHECK-LABEL: @spmm_columns
// CHECK: default = "csc">, order = #baco.knob<"order", #baco.permutation<5>, default = array<i64: 2, 4, 0, 1, 3>>
// CHECK-SAME: coordinates = #baco.knob<"coordinates", #baco.ordinal<[8, 16, 32, 64], log>, default = 8, weights = [2.000000e+00, 2.000000e+00, 4.000000e+00, 1.000000e+00]>
func.func @spmm_columns(%B: tensor<64x48xf64, #CSC>, %C: tensor<48x16xf64>,
                        %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  %0 = linalg.matmul ins(%B, %C : tensor<64x48xf64, #CSC>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// A format without a name.
// CHECK-LABEL: @spmm_rows
// CHECK: #baco.categorical<["given", "csr", "csc", "dcsr", "dcsc", "coo", "csf", "dense-csf", "dense-dense-csf"]>, default = "given">
func.func @spmm_rows(%B: tensor<64x48xf64, #Row>, %C: tensor<48x16xf64>,
                     %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  %0 = linalg.matmul ins(%B, %C : tensor<64x48xf64, #Row>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// The last dimension of B is the number of the entry, so that A is dense.
// CHECK-LABEL: @sddmm
// CHECK: format = #baco.knob<"format", #baco.categorical<["csf", "coo", "dense-csf", "dense-dense-csf", "dense-coo"]>, default = "dense-coo">
// CHECK-SAME: default = array<i64: 0, 4, 1, 2, 3, 5>>
// Sums take two vectors at once.
// WIDE-LABEL: @sddmm
// WIDE: vl = {{[^>]*>}}, default = 16>
func.func @sddmm(%B: tensor<64x48x90xf64, #Sampled>, %C: tensor<64x16xf64>,
                 %D: tensor<48x16xf64>, %A: tensor<90xf64>) -> tensor<90xf64> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, p, k) -> (i, j, p)>,
                       affine_map<(i, j, p, k) -> (i, k)>,
                       affine_map<(i, j, p, k) -> (j, k)>,
                       affine_map<(i, j, p, k) -> (p)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%B, %C, %D : tensor<64x48x90xf64, #Sampled>, tensor<64x16xf64>,
                     tensor<48x16xf64>)
    outs(%A : tensor<90xf64>) {
  ^bb0(%b: f64, %c: f64, %d: f64, %a: f64):
    %1 = arith.mulf %b, %c : f64
    %2 = arith.mulf %1, %d : f64
    %3 = arith.addf %a, %2 : f64
    linalg.yield %3 : f64
  } -> tensor<90xf64>
  return %0 : tensor<90xf64>
}

// CHECK-LABEL: @ttv
// CHECK: default = "dense-csf">, order = #baco.knob<"order", #baco.permutation<5>, default = array<i64: 0, 3, 1, 2, 4>>
// CHECK-SAME: positions = #baco.knob<"positions", #baco.ordinal<[16, 32, 64], log>, default = 64, weights = [2.000000e+00, 4.000000e+00, 1.000000e+00]>
func.func @ttv(%B: tensor<16x24x32xf64, #CSF>, %x: tensor<32xf64>,
               %A: tensor<16x24xf64>) -> tensor<16x24xf64> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>,
                       affine_map<(i, j, k) -> (k)>,
                       affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%B, %x : tensor<16x24x32xf64, #CSF>, tensor<32xf64>)
    outs(%A : tensor<16x24xf64>) {
  ^bb0(%b: f64, %c: f64, %a: f64):
    %1 = arith.mulf %b, %c : f64
    %2 = arith.addf %a, %1 : f64
    linalg.yield %2 : f64
  } -> tensor<16x24xf64>
  return %0 : tensor<16x24xf64>
}

// CHECK-LABEL: @mttkrp
// CHECK: default = "csf">, order = #baco.knob<"order", #baco.permutation<6>, default = array<i64: 0, 5, 2, 3, 4, 1>>
// CHECK-SAME: factor = #baco.knob<"factor", #baco.ordinal<[0, 1]>, default = 1>
func.func @mttkrp(%B: tensor<8x9x10x11xf64, #CSF4>, %C: tensor<9x4xf64>,
                  %D: tensor<10x4xf64>, %E: tensor<11x4xf64>,
                  %A: tensor<8x4xf64>) -> tensor<8x4xf64> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, k, l, m) -> (i, k, l, m)>,
                       affine_map<(i, j, k, l, m) -> (k, j)>,
                       affine_map<(i, j, k, l, m) -> (l, j)>,
                       affine_map<(i, j, k, l, m) -> (m, j)>,
                       affine_map<(i, j, k, l, m) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction",
                        "reduction"]}
    ins(%B, %C, %D, %E : tensor<8x9x10x11xf64, #CSF4>, tensor<9x4xf64>,
                         tensor<10x4xf64>, tensor<11x4xf64>)
    outs(%A : tensor<8x4xf64>) {
  ^bb0(%b: f64, %c: f64, %d: f64, %e: f64, %a: f64):
    %1 = arith.mulf %b, %c : f64
    %2 = arith.mulf %1, %d : f64
    %3 = arith.mulf %2, %e : f64
    %4 = arith.addf %a, %3 : f64
    linalg.yield %4 : f64
  } -> tensor<8x4xf64>
  return %0 : tensor<8x4xf64>
}
