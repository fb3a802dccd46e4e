// With `baco.sparse_peel`, full vectors have no masks and load each element that
// they gather, at a coordinate that is loaded alone, too. One vector with a mask
// adds the entries that are left to the same lanes; those that it doesn't have
// load at the last coordinate.
// RUN: baco-opt %s --split-input-file --baco-lower-sparse --canonicalize --cse | FileCheck %s

#CSR = #sparse_tensor.encoding<{
  map = (i, k) -> (i : dense, k : compressed), posWidth = 32, crdWidth = 16
}>

// CHECK-LABEL: func.func @spmv(
// CHECK: %[[BEGIN:.*]] = arith.index_cast
// CHECK: %[[END:.*]] = arith.index_cast
// CHECK: %[[COUNT:.*]] = arith.subi %[[END]], %[[BEGIN]]
// CHECK: %[[LEFT:.*]] = arith.remui %[[COUNT]], %c4
// CHECK: %[[MIDDLE:.*]] = arith.subi %[[END]], %[[LEFT]]
// CHECK: %[[LANES:.*]] = scf.for %[[P:.*]] = %[[BEGIN]] to %[[MIDDLE]] step %c4 {{.*}} -> (vector<4xf64>)
// CHECK-NOT: mask
// CHECK: %[[VALUES:.*]] = vector.load %{{.*}}[%[[P]]] : memref<?xf64>, vector<4xf64>
// CHECK: %[[NARROW:.*]] = memref.load %{{.*}}[%[[P]]] : memref<?xi16>
// CHECK: %[[K:.*]] = arith.index_castui %[[NARROW]] : i16 to index
// CHECK: %[[X:.*]] = memref.load %{{.*}}[%[[K]]] : memref<6xf64>
// CHECK-COUNT-3: memref.load {{.*}} : memref<6xf64>
// CHECK: %[[XS:.*]] = vector.from_elements %[[X]], {{.*}} : vector<4xf64>
// CHECK: arith.mulf %[[VALUES]], %[[XS]]
// CHECK-NOT: arith.select
// CHECK-NOT: vector.reduction
// CHECK: %[[ALL:.*]] = scf.for %[[P:.*]] = %[[MIDDLE]] to %[[END]] step %c4 iter_args(%[[SO_FAR:.*]] = %[[LANES]]) -> (vector<4xf64>)
// CHECK: %[[MASK:.*]] = vector.create_mask
// CHECK: %[[LAST:.*]] = arith.subi %[[END]], %c1
// CHECK: %[[PLACE:.*]] = arith.minui %[[P]], %[[LAST]]
// CHECK: memref.load %{{.*}}[%[[PLACE]]] : memref<?xi16>
// CHECK-NOT: vector.gather
// CHECK: arith.select %[[MASK]], %{{.*}}, %[[SO_FAR]]
// CHECK: vector.reduction <add>, %[[ALL]]
func.func @spmv(%b: tensor<8x6xf64, #CSR>, %x: tensor<6xf64>, %y: tensor<8xf64>)
    -> tensor<8xf64> attributes {baco.sparse_vl = 4, baco.sparse_peel} {
  %r = linalg.matvec ins(%b, %x : tensor<8x6xf64, #CSR>, tensor<6xf64>)
                     outs(%y : tensor<8xf64>) -> tensor<8xf64>
  return %r : tensor<8xf64>
}

// -----

// Elements that aren't summed are scattered. Loops of known length stay whole.

#CSC = #sparse_tensor.encoding<{map = (i, k) -> (k : dense, i : compressed)}>

// CHECK-LABEL: func.func @columns(
// CHECK: scf.for
// CHECK: scf.for {{.*}} step %c4
// CHECK: vector.scatter
// CHECK: scf.for {{.*}} step %c4
// CHECK: vector.create_mask
// CHECK: vector.scatter
func.func @columns(%b: tensor<8x6xf64, #CSC>, %x: tensor<6xf64>,
                   %y: tensor<8xf64>) -> tensor<8xf64>
    attributes {baco.sparse_vl = 4, baco.sparse_peel} {
  %r = linalg.matvec ins(%b, %x : tensor<8x6xf64, #CSC>, tensor<6xf64>)
                     outs(%y : tensor<8xf64>) -> tensor<8xf64>
  return %r : tensor<8xf64>
}

// -----

#COO = #sparse_tensor.encoding<{
  map = (i, p) -> (i : compressed(nonunique), p : singleton(soa))
}>

// CHECK-LABEL: func.func @known(
// CHECK: scf.for %{{.*}} = %c0 to %c40 step %c4
// CHECK-NOT: to %c40
func.func @known(%b: tensor<5x9xf64, #COO>, %c: tensor<5x40xf64>,
                 %a: tensor<9xf64>) -> tensor<9xf64>
    attributes {baco.sparse_vl = 4, baco.sparse_peel} {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, p, k) -> (i, p)>,
                       affine_map<(i, p, k) -> (i, k)>,
                       affine_map<(i, p, k) -> (p)>],
      iterator_types = ["reduction", "parallel", "reduction"], sorted = true}
      ins(%b, %c : tensor<5x9xf64, #COO>, tensor<5x40xf64>)
      outs(%a : tensor<9xf64>) {
  ^bb0(%value: f64, %f: f64, %sum: f64):
    %product = arith.mulf %value, %f : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  } -> tensor<9xf64>
  return %r : tensor<9xf64>
}

// -----

// With `baco.sparse_unroll`, a loop before takes two vectors at once, whose lanes
// are added before the loop over one. LLVM unrolls none of the three.

#CSR = #sparse_tensor.encoding<{
  map = (i, k) -> (i : dense, k : compressed), posWidth = 32, crdWidth = 32
}>

// CHECK: #[[NO:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[KEEP:.*]] = #llvm.loop_annotation<unroll = #[[NO]]>
// CHECK-LABEL: func.func @two(
// CHECK: scf.for
// CHECK: %[[SUMS:.*]] = scf.for {{.*}} step %c8 iter_args({{.*}}) -> (vector<8xf64>)
// CHECK-NOT: vector.reduction
// CHECK: arith.addf {{.*}} fastmath<contract> : vector<8xf64>
// CHECK: loop_annotation = #[[KEEP]]
// CHECK: %[[FIRST:.*]] = vector.extract_strided_slice %[[SUMS]] {offsets = [0]
// CHECK: %[[SECOND:.*]] = vector.extract_strided_slice %[[SUMS]] {offsets = [4]
// CHECK: %[[BOTH:.*]] = arith.addf %[[FIRST]], %[[SECOND]]
// CHECK: scf.for {{.*}} step %c4 iter_args({{.*}} = %[[BOTH]]) -> (vector<4xf64>)
// CHECK-NOT: vector.reduction
// CHECK: scf.for {{.*}} step %c4 {{.*}} -> (vector<4xf64>)
// CHECK: vector.create_mask
// CHECK: vector.reduction <add>
// CHECK-NOT: vector.reduction
func.func @two(%b: tensor<8x6xf64, #CSR>, %x: tensor<6xf64>, %y: tensor<8xf64>)
    -> tensor<8xf64>
    attributes {baco.sparse_vl = 4, baco.sparse_peel, baco.sparse_unroll = 2} {
  %r = linalg.matvec ins(%b, %x : tensor<8x6xf64, #CSR>, tensor<6xf64>)
                     outs(%y : tensor<8xf64>) -> tensor<8xf64>
  return %r : tensor<8xf64>
}

// -----

// Narrow coordinates are for the machine's gathers, of full vectors only.

#CSR = #sparse_tensor.encoding<{
  map = (i, k) -> (i : dense, k : compressed), posWidth = 32, crdWidth = 32
}>

// CHECK-LABEL: func.func @gathered(
// CHECK: scf.for {{.*}} step %c4 {{.*}} -> (vector<4xf64>)
// CHECK-NOT: memref.load
// CHECK: %[[AT:.*]] = vector.load %{{.*}} : memref<?xi32>, vector<4xi32>
// CHECK: vector.gather %{{.*}} [%[[AT]]]
// CHECK: scf.for {{.*}} step %c4 {{.*}} -> (vector<4xf64>)
// CHECK-COUNT-4: memref.load %{{.*}} : memref<6xf64>
// CHECK-NOT: vector.gather
// CHECK: vector.reduction <add>
func.func @gathered(%b: tensor<8x6xf64, #CSR>, %x: tensor<6xf64>,
                    %y: tensor<8xf64>) -> tensor<8xf64>
    attributes {baco.sparse_vl = 4, baco.sparse_peel, baco.sparse_simd32} {
  %r = linalg.matvec ins(%b, %x : tensor<8x6xf64, #CSR>, tensor<6xf64>)
                     outs(%y : tensor<8xf64>) -> tensor<8xf64>
  return %r : tensor<8xf64>
}
