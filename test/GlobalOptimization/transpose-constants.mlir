// Constants that a sum would stride through, and transpositions of constants,
// become transposed constants. What is read once, or has a recipe, stays.
// RUN: baco-opt %s --baco-transpose-constants -o %t 2> %t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// Nothing is left to do.
// RUN: baco-opt %t --baco-transpose-constants | diff %t -

// REMARK: remark: transposed the constants of 6 ops

#rows = affine_map<(i, j, k) -> (i, k)>
#transposed = affine_map<(i, j, k) -> (j, k)>
#result = affine_map<(i, j, k) -> (i, j)>

// CHECK-DAG: memref.global "private" constant @weights_transposed : memref<2x3xi32> = dense<{{\[\[}}1, 3, 5], [2, 4, 6]]> {alignment = 64 : i64}
// CHECK-DAG: memref.global constant @shown :
// CHECK-DAG: memref.global "private" constant @shown_transposed : memref<2x3xf64>
// CHECK-NOT: @weights :
memref.global "private" constant @weights : memref<3x2xi32> = dense<[[1, 2], [3, 4], [5, 6]]> {alignment = 64}
memref.global constant @shown : memref<3x2xf64> = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]>
// CHECK-DAG: memref.global "private" @changes : memref<3x2xf32>
memref.global "private" @changes : memref<3x2xf32> = dense<1.0>

// CHECK-LABEL: func.func @tensors
// CHECK:       %[[W:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00, 5.000000e+00], [2.000000e+00, 4.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT:  linalg.matmul ins(%{{.*}}, %[[W]] : tensor<4x2xf32>, tensor<2x3xf32>)
func.func @tensors(%x: tensor<4x2xf32>, %y: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %0 = linalg.matmul indexing_maps = [#rows, #transposed, #result]
    ins(%x, %w : tensor<4x2xf32>, tensor<3x2xf32>) outs(%y : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @memrefs
// CHECK:       %[[W:.*]] = memref.get_global @weights_transposed
// CHECK-NEXT:  linalg.matmul ins(%{{.*}}, %[[W]] : memref<4x2xi32>, memref<2x3xi32>)
// CHECK:       %[[S:.*]] = memref.get_global @shown_transposed
// CHECK:       linalg.matmul ins(%{{.*}}, %[[S]] :
func.func @memrefs(%x: memref<4x2xi32>, %y: memref<4x3xi32>, %p: memref<4x2xf64>, %q: memref<4x3xf64>) {
  %w = memref.get_global @weights : memref<3x2xi32>
  linalg.matmul indexing_maps = [#rows, #transposed, #result]
    ins(%x, %w : memref<4x2xi32>, memref<3x2xi32>) outs(%y : memref<4x3xi32>)
  %s = memref.get_global @shown : memref<3x2xf64>
  linalg.matmul indexing_maps = [#rows, #transposed, #result]
    ins(%p, %s : memref<4x2xf64>, memref<3x2xf64>) outs(%q : memref<4x3xf64>)
  return
}

// CHECK-LABEL: func.func @convolution
// CHECK:       arith.constant dense<{{\[\[\[\[}}1, 3], [2, 4]]]]> : tensor<1x1x2x2xi16>
// CHECK:       linalg.generic
// CHECK-NOT:   conv_2d
func.func @convolution(%x: tensor<1x4x4x2xi16>, %y: tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi16> {
  %w = arith.constant dense<[[[[1, 2]]], [[[3, 4]]]]> : tensor<2x1x1x2xi16>
  %0 = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x4x4x2xi16>, tensor<2x1x1x2xi16>)
    outs(%y : tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi16>
  return %0 : tensor<1x4x4x2xi16>
}

// CHECK-LABEL: func.func @transpositions
// CHECK-DAG:   %[[A:.*]] = arith.constant dense<{{\[\[}}1, 4], [2, 5], [3, 6]]> : tensor<3x2xi8>
// CHECK-DAG:   %[[B:.*]] = arith.constant dense_resource<data{{.*}}> : tensor<2x1x2xf32>
// CHECK:       return %[[A]], %[[B]]
func.func @transpositions() -> (tensor<3x2xi8>, tensor<2x1x2xf32>) {
  %a = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %b = arith.constant dense_resource<data> : tensor<1x2x2xf32>
  %e = tensor.empty() : tensor<3x2xi8>
  %f = tensor.empty() : tensor<2x1x2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<2x3xi8>) outs(%e : tensor<3x2xi8>) {
  ^bb0(%in: i8, %out: i8):
    linalg.yield %in : i8
  } -> tensor<3x2xi8>
  %1 = linalg.transpose ins(%b : tensor<1x2x2xf32>) outs(%f : tensor<2x1x2xf32>) permutation = [2, 0, 1]
  return %0, %1 : tensor<3x2xi8>, tensor<2x1x2xf32>
}

// CHECK-LABEL: func.func @stays
// CHECK:       linalg.matmul indexing_maps
// CHECK-SAME:  baco.recipe
// CHECK-SAME:  tensor<3x2xf32>
// CHECK:       linalg.matmul indexing_maps
// CHECK-SAME:  tensor<1x2xf32>, tensor<3x2xf32>
// CHECK:       linalg.matmul indexing_maps
// CHECK-SAME:  memref<3x2xf32>
func.func @stays(%x: tensor<4x2xf32>, %y: tensor<4x3xf32>, %u: tensor<1x2xf32>, %v: tensor<1x3xf32>,
                 %m: memref<4x2xf32>, %n: memref<4x3xf32>) -> (tensor<4x3xf32>, tensor<1x3xf32>) {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %0 = linalg.matmul indexing_maps = [#rows, #transposed, #result]
    {baco.recipe = #baco.recipe<[#baco.tile<sizes = [2, 0, 0]>]>}
    ins(%x, %w : tensor<4x2xf32>, tensor<3x2xf32>) outs(%y : tensor<4x3xf32>) -> tensor<4x3xf32>
  %1 = linalg.matmul indexing_maps = [#rows, #transposed, #result]
    ins(%u, %w : tensor<1x2xf32>, tensor<3x2xf32>) outs(%v : tensor<1x3xf32>) -> tensor<1x3xf32>
  %c = memref.get_global @changes : memref<3x2xf32>
  linalg.matmul indexing_maps = [#rows, #transposed, #result]
    ins(%m, %c : memref<4x2xf32>, memref<3x2xf32>) outs(%n : memref<4x3xf32>)
  return %0, %1 : tensor<4x3xf32>, tensor<1x3xf32>
}

// 1, 3, 2, 4 as f32, behind their alignment.
// CHECK: data{{.*}}: "0x400000000000803F000040400000004000008040"
{-#
  dialect_resources: {
    builtin: {
      data: "0x040000000000803F000000400000404000008040"
    }
  }
#-}
