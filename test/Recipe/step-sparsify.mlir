// From a recipe to what upstream's sparsifier gets.
// RUN: baco-opt %s --baco-expand-recipes -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// CHECK: "!(format == \22csr\22) || pos(order, 0) < pos(order, 2)", "format 'csr' stores iterator 0 outside of iterator 2, so that its loop must be outside, too"
// CHECK-SAME: "!(format == \22csr\22) || coordinates >= 16", "coordinates up to 299 that format 'csr' stores need 16 bits"
// CHECK-SAME: "!(format == \22csc\22) || pos(order, 2) < pos(order, 0)", "format 'csc' stores iterator 2 outside of iterator 0, so that its loop must be outside, too"
// Rows fit 8 bits.
// CHECK-NOT: format == \22csc\22) || coordinates
// CHECK-SAME: "!(format == \22coo\22) || parallel == \22none\22 || in(order[0], {1})", "upstream doesn't run the loop over a level that repeats coordinates on several threads, so that the code would be the same"
// CHECK-SAME: "positions >= 16", "positions up to 3000, the number of entries, need 16 bits"
// CHECK-SAME: "parallel == \22none\22 || in(order[0], {0, 1})", "the outermost loop runs on several threads, and iterations of a reduction would write to the same elements at once"
// CHECK-SAME: "!(simd32 >= 1) || vl >= 1", "'simd32' is for vectors, so that the code would be the same"
// CHECK-SAME: "!(peel >= 1) || vl >= 1", "'peel' is for vectors, so that the code would be the same"
// CHECK-SAME: "!(order[2] == 1) || vl <= 0", "the innermost loop, over at most 128 elements, is one vector in any case, so that the code would be the same"
// CHECK: transform.baco.sparsify %{{.*}} {baco.bind = {coordinates = "coordinates", factor = "factor", format = "format", order = "order", parallel = "parallel", peel = "peel", positions = "positions", simd32 = "simd32", vl = "vl"}, coordinates = 32 : i64, factor = 0 : i64, format = "csr", order = array<i64: 0, 2, 1>, parallel = "none", peel = 0 : i64, positions = 32 : i64, simd32 = 0 : i64, vl = 0 : i64}

// RUN: baco-opt %t.mlir --baco-concretize='configuration={"format":"csc","order":[1,2,0],"positions":16,"coordinates":8,"vl":8,"simd32":1,"peel":1,"factor":1,"parallel":"none"}' \
// RUN:   --transform-interpreter | FileCheck %s --check-prefix=CSC
// CSC: #[[COLUMNS:[a-z0-9]*]] = #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : dense, d0 : compressed), posWidth = 16, crdWidth = 8 }>
// CSC: func.func @caller(%[[B:.*]]: tensor<200x300xf64, #[[ROWS:[a-z0-9]*]]>,
// CSC: %[[CONVERTED:.*]] = sparse_tensor.convert %[[B]] : tensor<200x300xf64, #[[ROWS]]> to tensor<200x300xf64, #[[COLUMNS]]>
// CSC: call @spmm(%[[CONVERTED]],
// CSC: func.func private @spmm(%{{.*}}: tensor<200x300xf64, #[[COLUMNS]]>
// CSC-SAME: attributes {baco.sparse_factor, baco.sparse_parallel = "none", baco.sparse_peel, baco.sparse_simd32, baco.sparse_vl = 8 : i64}
// CSC: linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel"]
// CSC-SAME: sorted = true

// Levels of coo are in the order of the loops.
// RUN: baco-opt %t.mlir --baco-concretize='configuration={"format":"coo","order":[1,2,0],"positions":32,"coordinates":32,"vl":0,"simd32":0,"peel":0,"factor":0,"parallel":"any-storage-outer-loop"}' \
// RUN:   --transform-interpreter | FileCheck %s --check-prefix=COO
// COO: (d1 : compressed(nonunique), d0 : singleton(soa)), posWidth = 32, crdWidth = 32
// COO: baco.sparse_parallel = "any-storage-outer-loop", baco.sparse_vl = 0 : i64

// Two levels in place of one, which upstream gets as dimensions.
// RUN: baco-opt %t.mlir --baco-concretize='configuration={"format":"csr","order":[0,2,1],"positions":32,"coordinates":32,"vl":0,"simd32":0,"parallel":"none"}' \
// RUN:   | sed 's/order = array<i64: 0, 2, 1>/order = array<i64: 2, 0, 3, 4, 1>, tiles = array<i64: 25, 0, 100>/; s/format = "csr"/format = "dense-dense-csf"/' \
// RUN:   | baco-opt --transform-interpreter | FileCheck %s --check-prefix=TILES
// TILES-DAG: #[[BLOCKS:[a-z0-9]*]] = #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 floordiv 100 : dense, d0 floordiv 25 : dense, d0 mod 25 : compressed, d1 mod 100 : compressed), posWidth = 32, crdWidth = 32 }>
// TILES-DAG: #[[LEVELS:[a-z0-9]*]] = #sparse_tensor.encoding<{ map = (d0, d1, d2, d3) -> (d0 : dense, d1 : dense, d2 : compressed, d3 : compressed), posWidth = 32, crdWidth = 32 }>
// TILES: func.func private @spmm(%[[B:.*]]: tensor<200x300xf64, #[[BLOCKS]]>
// TILES: %[[L:.*]] = sparse_tensor.reinterpret_map %[[B]] : tensor<200x300xf64, #[[BLOCKS]]> to tensor<3x8x25x100xf64, #[[LEVELS]]>
// TILES: linalg.generic {indexing_maps = [#[[VISIT:.*]], #{{.*}}, #{{.*}}], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel"]} ins(%[[L]],
// TILES-SAME: sorted = true

#CSR = #sparse_tensor.encoding<{
  map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, crdWidth = 32 }>
func.func @caller(%B: tensor<200x300xf64, #CSR>, %C: tensor<300x16xf64>,
                  %A: tensor<200x16xf64>) -> tensor<200x16xf64> {
  %0 = call @spmm(%B, %C, %A) : (tensor<200x300xf64, #CSR>, tensor<300x16xf64>, tensor<200x16xf64>) -> tensor<200x16xf64>
  return %0 : tensor<200x16xf64>
}
func.func private @spmm(
    %B: tensor<200x300xf64, #CSR> {baco.input = {tensor = "x.mtx", hash = "0", entries = 3000, extents = array<i64: 200, 300>}},
    %C: tensor<300x16xf64>, %A: tensor<200x16xf64>) -> tensor<200x16xf64> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<
      format = #baco.knob<"format", #baco.categorical<["csr", "csc", "coo"]>>,
      order = #baco.knob<"order", #baco.permutation<3>, default = array<i64: 0, 2, 1>>,
      positions = #baco.knob<"positions", #baco.ordinal<[8, 16, 32]>, default = 32>,
      coordinates = #baco.knob<"coordinates", #baco.ordinal<[8, 16, 32]>, default = 32>,
      vl = #baco.knob<"vl", #baco.ordinal<[0, 8]>>,
      simd32 = #baco.knob<"simd32", #baco.ordinal<[0, 1]>>,
      peel = #baco.knob<"peel", #baco.ordinal<[0, 1]>>,
      factor = #baco.knob<"factor", #baco.ordinal<[0, 1]>>,
      parallel = #baco.knob<"parallel", #baco.categorical<["none", "any-storage-outer-loop"]>>>]>}
    ins(%B, %C : tensor<200x300xf64, #CSR>, tensor<300x16xf64>)
    outs(%A : tensor<200x16xf64>) -> tensor<200x16xf64>
  return %0 : tensor<200x16xf64>
}
