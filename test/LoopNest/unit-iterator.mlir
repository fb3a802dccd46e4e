// Results that are one element: ops without iterators, and reductions that blocks
// can't combine by atomic operations, have an iterator of extent 1; others get
// one reduction.
// RUN: baco-opt %s --baco-annotate=target=nvvm --verify-diagnostics | %one-line-recipes | FileCheck %s
// RUN: baco-opt %s --baco-decompose-for-gpu | FileCheck %s --check-prefix=OPS

#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>

// The mean of squares: a fill, a sum of both iterators, and a quotient.
// CHECK-LABEL: func.func @mean(
// CHECK:       #baco.gpu_blocks<sizes = [1]>
// CHECK:       #baco.gpu_reduce<
// CHECK:       #baco.gpu_blocks<sizes = [1]>
// OPS-LABEL: func.func @mean(
// OPS:       %[[ZERO:.*]] = memref.expand_shape %{{.*}} [] output_shape [1] : memref<f32> into memref<1xf32>
// OPS:       linalg.generic {{.*}}iterator_types = ["parallel"]{{.*}} outs(%[[ZERO]] : memref<1xf32>)
// OPS:       linalg.generic {{.*}}iterator_types = ["reduction"]{{.*}} ins(%{{.*}} : memref<6400xf32>)
// OPS:       linalg.generic {{.*}}iterator_types = ["parallel"]{{.*}} ins(%{{.*}} : memref<1xf32>) outs(%{{.*}} : memref<1xf32>)
func.func @mean(%x: tensor<64x100xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 6400.0 : f32
  %e = tensor.empty() : tensor<f32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
    ins(%x : tensor<64x100xf32>) outs(%0 : tensor<f32>) {
  ^bb0(%u: f32, %sum: f32):
    %v = arith.mulf %u, %u : f32
    %w = arith.addf %sum, %v : f32
    linalg.yield %w : f32
  } -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
    ins(%1 : tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%u: f32, %old: f32):
    %w = arith.divf %u, %n : f32
    linalg.yield %w : f32
  } -> tensor<f32>
  return %2 : tensor<f32>
}

// Against the order of memory, into an element of a matrix, which a store sets
// before.
// CHECK-LABEL: func.func @element(
// CHECK:       #baco.gpu_blocks<sizes = [1]>
// CHECK:       #baco.gpu_reduce<
// OPS-LABEL: func.func @element(
// OPS-NOT:   memref.store
// OPS:       memref.subview %{{.*}}[1, 2] [1, 1] [1, 1] : memref<4x5xf32> to memref<f32, strided<[], offset: 7>>
// OPS:       linalg.generic {{.*}}iterator_types = ["reduction"]{{.*}} ins(%{{.*}} : memref<6400xf32>)
func.func @element(%x: memref<64x100xf32>, %s: memref<4x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  memref.store %zero, %s[%1, %2] : memref<4x5xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (1, 2)>], iterator_types = ["reduction", "reduction"]}
    ins(%x : memref<64x100xf32>) outs(%s : memref<4x5xf32>) {
  ^bb0(%u: f32, %sum: f32):
    %w = arith.addf %u, %sum : f32
    linalg.yield %w : f32
  }
  return
}

// There are no atomic sums of 16 bits.
// CHECK-LABEL: func.func @half(
// CHECK-NOT:   gpu_reduce
// CHECK:       #baco.gpu_split<
func.func @half(%x: memref<4096xf16>, %s: memref<f16>) {
  linalg.reduce { arith.addf } ins(%x : memref<4096xf16>) outs(%s : memref<f16>) dimensions = [0]
  return
}

// The index of the largest element: two results, and an index, which is that of
// another iterator then.
// CHECK-LABEL: func.func @largest(
// CHECK-NOT:   gpu_reduce
// CHECK:       #baco.gpu_blocks<
// OPS-LABEL: func.func @largest(
// OPS:       linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]{{.*}} outs(%{{.*}}, %{{.*}} : memref<1xf32>, memref<1xi32>)
// OPS:         linalg.index 1 : index
func.func @largest(%x: memref<512xf32>, %s: memref<f32>, %k: memref<i32>) {
  linalg.generic {indexing_maps = [#id, #none, #none], iterator_types = ["reduction"]}
    ins(%x : memref<512xf32>) outs(%s, %k : memref<f32>, memref<i32>) {
  ^bb0(%u: f32, %m: f32, %n: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %c = arith.cmpf ogt, %u, %m : f32
    %v = arith.select %c, %u, %m : f32
    %w = arith.select %c, %j, %n : i32
    linalg.yield %v, %w : f32, i32
  }
  return
}

// The softmax of a vector is that of one row.
// CHECK-LABEL: func.func @vector(
// CHECK:       #baco.gpu_rows<
// OPS-LABEL: func.func @vector(
// OPS:       memref.expand_shape %{{.*}} {{\[\[}}0, 1]] output_shape [1, 32000] : memref<32000xf32> into memref<1x32000xf32>
func.func @vector(%x: memref<32000xf32>, %y: memref<32000xf32>) {
  linalg.softmax dimension(0) ins(%x : memref<32000xf32>) outs(%y : memref<32000xf32>)
  return
}

// Loads after a store may be of what is stored: a value of a load stays.
// OPS-LABEL: func.func @loaded(
// OPS:       memref.store
func.func @loaded(%x: memref<4xf32>, %s: memref<f32>) {
  %0 = arith.constant 0 : index
  %v = memref.load %x[%0] : memref<4xf32>
  memref.store %v, %s[] : memref<f32>
  return
}
