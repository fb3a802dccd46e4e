// Each function has its own options of the sparsifier, also those that others
// call, and dynamic shapes are taken.
// RUN: baco-opt %s --split-input-file --baco-lower-sparse=distinct-arguments=true | FileCheck %s
// RUN: baco-opt %s --split-input-file --baco-lower-sparse --canonicalize | FileCheck %s --check-prefix=FOLDED

#CSR = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed), posWidth = 32, crdWidth = 32}>
#map = affine_map<(i, k) -> (i, k)>
#column = affine_map<(i, k) -> (k)>
#row = affine_map<(i, k) -> (i)>

// Threads in one, vectors in the next, neither in the last.
// CHECK-LABEL: func.func @threads(
// CHECK: scf.parallel
// CHECK-NOT: vector<
func.func @threads(%b: tensor<8x6xf64, #CSR>, %x: tensor<6xf64>, %y: tensor<8xf64>) -> tensor<8xf64>
    attributes {baco.sparse_parallel = "dense-outer-loop"} {
  %r = linalg.generic {indexing_maps = [#map, #column, #row], iterator_types = ["parallel", "reduction"]}
      ins(%b, %x : tensor<8x6xf64, #CSR>, tensor<6xf64>) outs(%y : tensor<8xf64>) {
  ^bb(%v: f64, %w: f64, %a: f64):
    %p = arith.mulf %v, %w : f64
    %s = arith.addf %a, %p : f64
    linalg.yield %s : f64
  } -> tensor<8xf64>
  return %r : tensor<8xf64>
}
// A function that others in the module call gets buffers, writes where they
// want it, and knows that memory doesn't overlap.
// CHECK-LABEL: func.func private @vectors(
// CHECK-SAME: %{{.*}}: memref<?xi32>, %{{.*}}: memref<?xi32>, %{{.*}}: memref<?xf64>, %{{.*}}: memref<6xf64>, %{{.*}}: memref<8xf64>)
// CHECK: memref.distinct_objects
// CHECK-NOT: scf.parallel
// CHECK: vector<4xf64>
func.func private @vectors(%b: tensor<8x6xf64, #CSR>, %x: tensor<6xf64>, %y: tensor<8xf64>) -> tensor<8xf64>
    attributes {baco.sparse_vl = 4 : i64} {
  %r = linalg.generic {indexing_maps = [#map, #column, #row], iterator_types = ["parallel", "reduction"]}
      ins(%b, %x : tensor<8x6xf64, #CSR>, tensor<6xf64>) outs(%y : tensor<8xf64>) {
  ^bb(%v: f64, %w: f64, %a: f64):
    %p = arith.mulf %v, %w : f64
    %s = arith.addf %a, %p : f64
    linalg.yield %s : f64
  } -> tensor<8xf64>
  return %r : tensor<8xf64>
}
// CHECK-LABEL: func.func @caller(
// CHECK: call @vectors(%{{.*}}) : (memref<?xi32>, memref<?xi32>, memref<?xf64>, memref<6xf64>, memref<8xf64>) -> ()
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @caller(%b: tensor<8x6xf64, #CSR>, %x: tensor<6xf64>, %y: tensor<8xf64>) -> tensor<8xf64> {
  %r = call @vectors(%b, %x, %y) : (tensor<8x6xf64, #CSR>, tensor<6xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %r : tensor<8xf64>
}
// Extents that aren't in the type follow the buffers.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %{{.*}}: memref<?xi32>, %{{.*}}: memref<?xi32>, %{{.*}}: memref<?xf64>, %[[ROWS:.*]]: index, %{{.*}}: memref<6xf64>,
// CHECK-NOT: vector<
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[ROWS]]
// CHECK-NOT: vector<
func.func @dynamic(%b: tensor<?x6xf64, #CSR>, %x: tensor<6xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.generic {indexing_maps = [#map, #column, #row], iterator_types = ["parallel", "reduction"]}
      ins(%b, %x : tensor<?x6xf64, #CSR>, tensor<6xf64>) outs(%y : tensor<?xf64>) {
  ^bb(%v: f64, %w: f64, %a: f64):
    %p = arith.mulf %v, %w : f64
    %s = arith.addf %a, %p : f64
    linalg.yield %s : f64
  } -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// -----

// Where widths alone differ, buffers are copied, and others shared; the way
// through another format is for upstream's library. What is made is freed.

#CSR = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed), posWidth = 32, crdWidth = 32}>
#LIST = #sparse_tensor.encoding<{map = (i, k) -> (i : compressed(nonunique), k : singleton), posWidth = 32, crdWidth = 32}>
#NARROW = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed), posWidth = 32, crdWidth = 16}>

// CHECK-LABEL: func.func @widths(
// CHECK: %[[C:.*]] = memref.alloc(%{{.*}}) : memref<?xi16>
// CHECK-NEXT: scf.for
// CHECK: arith.trunci %{{.*}} : i32 to i16
// CHECK: call @use(%[[POS:.*]]#0, %[[C]], %[[POS]]#2) :
// CHECK-NEXT: memref.dealloc %[[C]]
// CHECK-NOT: memref.dealloc
func.func @widths(%b: tensor<8x6xf64, #CSR>) {
  %l = sparse_tensor.convert %b : tensor<8x6xf64, #CSR> to tensor<8x6xf64, #LIST>
  %n = sparse_tensor.convert %l : tensor<8x6xf64, #LIST> to tensor<8x6xf64, #NARROW>
  bufferization.dealloc_tensor %l : tensor<8x6xf64, #LIST>
  call @use(%n) : (tensor<8x6xf64, #NARROW>) -> ()
  bufferization.dealloc_tensor %n : tensor<8x6xf64, #NARROW>
  return
}
func.func private @use(%b: tensor<8x6xf64, #NARROW>) {
  return
}
// What is returned is owned by the caller, also if nothing was converted.
// CHECK-LABEL: func.func @use_release(
// CHECK-COUNT-3: memref.dealloc
func.func @use_release(%b: tensor<8x6xf64, #NARROW>) {
  bufferization.dealloc_tensor %b : tensor<8x6xf64, #NARROW>
  return
}
// CHECK-LABEL: func.func @use_prepare(
// CHECK-SAME: -> (memref<?xi32>, memref<?xi16>, memref<?xf64>)
// CHECK-COUNT-3: memref.alloc
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @use_prepare(%b: tensor<8x6xf64, #CSR>) -> tensor<8x6xf64, #NARROW> {
  %n = sparse_tensor.convert %b : tensor<8x6xf64, #CSR> to tensor<8x6xf64, #NARROW>
  return %n : tensor<8x6xf64, #NARROW>
}

// -----

// A function that returns a buffer computes nonetheless, and is called.

#CSR = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed), posWidth = 32, crdWidth = 32}>

// CHECK-LABEL: func.func @buffer(
// CHECK-NOT: = linalg.
// CHECK: scf.for
// CHECK-LABEL: func.func @calls_buffer(
// CHECK: call @buffer(
func.func @buffer(%b: tensor<4x4xf64, #CSR>, %m: memref<4xf64>) -> memref<4xf64> {
  %z = bufferization.to_tensor %m restrict writable : memref<4xf64> to tensor<4xf64>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%b : tensor<4x4xf64, #CSR>) outs(%z : tensor<4xf64>) {
  ^bb(%v: f64, %a: f64):
    %t = arith.addf %v, %a : f64
    linalg.yield %t : f64
  } -> tensor<4xf64>
  %o = bufferization.to_buffer %r : tensor<4xf64> to memref<4xf64>
  return %o : memref<4xf64>
}
func.func @calls_buffer(%b: tensor<4x4xf64, #CSR>, %m: memref<4xf64>) {
  %r = call @buffer(%b, %m) : (tensor<4x4xf64, #CSR>, memref<4xf64>) -> memref<4xf64>
  return
}

// -----

// Of no row, no position is read.

#CSR = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed)}>
#CSC = #sparse_tensor.encoding<{map = (i, k) -> (k : dense, i : compressed)}>

// FOLDED-LABEL: func.func @no_rows(
// FOLDED-SAME: %[[POS:[a-z0-9]*]]: memref<?xindex>
// FOLDED-NOT: memref.load %[[POS]]
// FOLDED: return
func.func @no_rows(%b: tensor<0x6xf64, #CSR>) -> tensor<0x6xf64, #CSC> {
  %c = sparse_tensor.convert %b : tensor<0x6xf64, #CSR> to tensor<0x6xf64, #CSC>
  return %c : tensor<0x6xf64, #CSC>
}

// -----

// What the function frees isn't shared, and isn't read behind that.

#CSR = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed), posWidth = 32, crdWidth = 32}>
#CSC = #sparse_tensor.encoding<{map = (i, k) -> (k : dense, i : compressed), posWidth = 32, crdWidth = 32}>
#NARROW = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed), posWidth = 32, crdWidth = 16}>

func.func private @use(%b: tensor<4x4xf64, #NARROW>) {
  return
}
// CHECK-LABEL: func.func @frees_source(
// CHECK: %[[POS:.*]] = memref.alloc(%{{.*}}) : memref<?xi32>
// CHECK: %[[CRD:.*]] = memref.alloc(%{{.*}}) : memref<?xi16>
// CHECK: %[[VAL:.*]] = memref.alloc(%{{.*}}) : memref<?xf64>
// CHECK-COUNT-3: memref.dealloc
// CHECK: call @use(%[[POS]], %[[CRD]], %[[VAL]])
func.func @frees_source(%b: tensor<4x4xf64, #CSR>) {
  %c = sparse_tensor.convert %b : tensor<4x4xf64, #CSR> to tensor<4x4xf64, #NARROW>
  bufferization.dealloc_tensor %b : tensor<4x4xf64, #CSR>
  call @use(%c) : (tensor<4x4xf64, #NARROW>) -> ()
  bufferization.dealloc_tensor %c : tensor<4x4xf64, #NARROW>
  return
}
// CHECK-LABEL: func.func @frees_early(
// CHECK-SAME: %{{.*}}: memref<?xi32>, %{{.*}}: memref<?xi32>, %[[B:[a-z0-9]*]]: memref<?xf64>)
// CHECK: memref.dealloc %[[B]]
// CHECK-NOT: %[[B]]
// CHECK: return
func.func @frees_early(%b: tensor<4x4xf64, #CSR>) -> tensor<4x4xf64, #NARROW> {
  %c = sparse_tensor.convert %b : tensor<4x4xf64, #CSR> to tensor<4x4xf64, #CSC>
  bufferization.dealloc_tensor %b : tensor<4x4xf64, #CSR>
  %d = sparse_tensor.convert %c : tensor<4x4xf64, #CSC> to tensor<4x4xf64, #NARROW>
  bufferization.dealloc_tensor %c : tensor<4x4xf64, #CSC>
  return %d : tensor<4x4xf64, #NARROW>
}

// -----

// Each result is freed on its own, and what isn't returned here.

#CSR = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed), posWidth = 32, crdWidth = 32}>
#NARROW = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed), posWidth = 32, crdWidth = 16}>

// CHECK-LABEL: func.func @returns_twice(
// CHECK: %[[CRD:.*]] = memref.alloc(%{{.*}}) : memref<?xi16>
// CHECK: %[[OTHER:.*]] = memref.alloc(%{{.*}}) : memref<?xi16>
// CHECK: memref.copy %[[CRD]], %[[OTHER]]
// CHECK: return %{{.*}}, %[[CRD]], %{{.*}}, %{{.*}}, %[[OTHER]], %{{.*}} :
func.func @returns_twice(%b: tensor<4x4xf64, #CSR>) -> (tensor<4x4xf64, #NARROW>, tensor<4x4xf64, #NARROW>) {
  %c = sparse_tensor.convert %b : tensor<4x4xf64, #CSR> to tensor<4x4xf64, #NARROW>
  return %c, %c : tensor<4x4xf64, #NARROW>, tensor<4x4xf64, #NARROW>
}
// CHECK-LABEL: func.func @frees_other(
// CHECK: %[[CRD:.*]] = memref.alloc(%{{.*}}) : memref<?xi16>
// CHECK: memref.dealloc %[[CRD]]
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @frees_other(%b: tensor<4x4xf64, #CSR>) -> (tensor<4x4xf64, #CSR>, index) {
  %c = sparse_tensor.convert %b : tensor<4x4xf64, #CSR> to tensor<4x4xf64, #NARROW>
  %n = sparse_tensor.number_of_entries %c : tensor<4x4xf64, #NARROW>
  bufferization.dealloc_tensor %c : tensor<4x4xf64, #NARROW>
  return %b, %n : tensor<4x4xf64, #CSR>, index
}

// -----

// A converted tensor has as many entries as there are, not as there may be.

#CSR = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed), posWidth = 32, crdWidth = 32}>
#CSC = #sparse_tensor.encoding<{map = (i, k) -> (k : dense, i : compressed), posWidth = 32, crdWidth = 32}>

// CHECK-LABEL: func.func @counts(
// CHECK: return %{{[0-9]+}} : index
func.func @counts(%d: tensor<4x4xf64>) -> index {
  %s = sparse_tensor.convert %d : tensor<4x4xf64> to tensor<4x4xf64, #CSR>
  %n = sparse_tensor.number_of_entries %s : tensor<4x4xf64, #CSR>
  return %n : index
}
// CHECK-LABEL: func.func @returns_used(
// CHECK: %[[CRD:.*]] = memref.subview %{{.*}}[0] [%[[COUNT:.*]]] [1] : memref<?xi32> to memref<?xi32>
// CHECK: %[[VAL:.*]] = memref.subview %{{.*}}[0] [%[[COUNT]]] [1] : memref<?xf64> to memref<?xf64>
// CHECK: return %{{.*}}, %[[CRD]], %[[VAL]] :
func.func @returns_used(%b: tensor<4x4xf64, #CSR>) -> tensor<4x4xf64, #CSC> {
  %c = sparse_tensor.convert %b : tensor<4x4xf64, #CSR> to tensor<4x4xf64, #CSC>
  return %c : tensor<4x4xf64, #CSC>
}
