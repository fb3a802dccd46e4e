// 3x3 convolutions with constant filters become transforms of tiles and a batch
// of products, if that is estimated to be faster.
// RUN: baco-opt %s --baco-winograd -o %t 2> %t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: baco-opt %s --baco-winograd=tile=2 2> /dev/null | FileCheck %s --check-prefix=TWO
// RUN: baco-opt %s --baco-winograd=forced 2> /dev/null | FileCheck %s --check-prefix=FORCED
// RUN: baco-opt %s --baco-winograd="forced entry=few" 2> /dev/null | FileCheck %s --check-prefix=ENTRY
// RUN: not baco-opt %s --baco-winograd=tile=3 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: Winograd's tile must be off, 2, 4, measure or a list for shapes, such as 1x56x56x64x64xf32:4, but is '3'

// REMARK:     remark: 'many' computes 1 convolution by Winograd's algorithm
// REMARK-NOT: remark

// CHECK-DAG: #[[FIRST:map.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 * 4, d2 * 4, d3)>
// CHECK-DAG: #[[LAST:map.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 * 4 + 5, d2 * 4 + 5, d3)>

// CHECK-LABEL: func.func @many(
// CHECK-SAME:    %[[IMAGE:.*]]: tensor<1x32x32x32xf32>
// The last tiles read what reaches no result.
// CHECK:       %[[PADDED:.*]] = tensor.pad %[[IMAGE]] low[0, 0, 0, 0] high[0, 2, 2, 0]
// CHECK:       tensor<1x32x32x32xf32> to tensor<1x34x34x32xf32>
// CHECK:       %[[TILES:.*]]:36 = linalg.generic
// CHECK-SAME:    indexing_maps = [#[[FIRST]], {{.*}}#[[LAST]],
// CHECK-SAME:    ins(%[[PADDED]], %[[PADDED]],
// CHECK:       tensor.insert_slice %[[TILES]]#35 into {{.*}}[35, 0, 0, 0, 0] [1, 1, 8, 8, 32]
// CHECK:       %[[FILTER:.*]] = arith.constant dense<{{.*}}> : tensor<36x32x48xf32>
// CHECK:       linalg.batch_matmul ins(%{{.*}}, %[[FILTER]] : tensor<36x64x32xf32>, tensor<36x32x48xf32>)
// CHECK:       %[[RESULTS:.*]]:16 = linalg.generic
// CHECK:       tensor.insert_slice %[[RESULTS]]#15 into {{.*}}[0, 0, 3, 0, 3, 0] [1, 8, 1, 8, 1, 48]
// CHECK:       %[[CUT:.*]] = tensor.extract_slice {{.*}} tensor<1x32x32x48xf32> to tensor<1x30x30x48xf32>
// CHECK:       return %[[CUT]]

// TWO-LABEL: func.func @many(
// TWO:       linalg.batch_matmul {{.*}} tensor<16x225x32xf32>
func.func @many(%x: tensor<1x32x32x32xf32>) -> tensor<1x30x30x48xf32> {
  %w = arith.constant dense<0.5> : tensor<3x3x32x48xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x30x30x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x30x30x48xf32>) -> tensor<1x30x30x48xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x32x32x32xf32>, tensor<3x3x32x48xf32>)
    outs(%f : tensor<1x30x30x48xf32>) -> tensor<1x30x30x48xf32>
  return %c : tensor<1x30x30x48xf32>
}

// A filter that is read for a few tiles only; what the convolution adds to.
// CHECK-LABEL:  func.func @few(
// CHECK:        linalg.conv_2d_nhwc_fhwc
// FORCED-LABEL: func.func @few(
// FORCED:       linalg.batch_matmul ins(%{{.*}} : tensor<36x2x32xf64>, tensor<36x32x32xf64>)
// FORCED:       linalg.generic {{.*}} outs(%{{.*}} : tensor<2x4x4x32xf64>)
// FORCED-NEXT:  ^bb0
// FORCED-NEXT:  arith.addf
// FORCED-NEXT:  linalg.yield
// ENTRY-LABEL:  func.func @many(
// ENTRY-NOT:    linalg.batch_matmul
// ENTRY-LABEL:  func.func @few(
// ENTRY:        linalg.batch_matmul
func.func @few(%x: tensor<2x6x6x32xf64>, %start: tensor<2x4x4x32xf64>) -> tensor<2x4x4x32xf64> {
  %w = arith.constant dense<0.5> : tensor<32x3x3x32xf64>
  %c = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<2x6x6x32xf64>, tensor<32x3x3x32xf64>)
    outs(%start : tensor<2x4x4x32xf64>) -> tensor<2x4x4x32xf64>
  return %c : tensor<2x4x4x32xf64>
}

// Steps of 2, a filter that is no constant, windows of 5x5, integers, maxima,
// and a function that must stay.
// FORCED-LABEL: func.func @others(
// FORCED-NOT:   linalg.batch_matmul
func.func @others(%x: tensor<1x35x35x32xf32>, %v: tensor<3x3x32x32xf32>,
                  %i: tensor<1x35x35x32xi32>, %a: tensor<1x17x17x32xf32>,
                  %b: tensor<1x33x33x32xf32>, %c: tensor<1x31x31x32xf32>,
                  %d: tensor<1x33x33x32xi32>)
    -> (tensor<1x17x17x32xf32>, tensor<1x33x33x32xf32>, tensor<1x31x31x32xf32>, tensor<1x33x33x32xi32>) {
  %w = arith.constant dense<0.5> : tensor<3x3x32x32xf32>
  %w5 = arith.constant dense<0.5> : tensor<5x5x32x32xf32>
  %wi = arith.constant dense<5> : tensor<3x3x32x32xi32>
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : vector<2xi64>}
    ins(%x, %w : tensor<1x35x35x32xf32>, tensor<3x3x32x32xf32>)
    outs(%a : tensor<1x17x17x32xf32>) -> tensor<1x17x17x32xf32>
  %1 = linalg.conv_2d_nhwc_hwcf ins(%x, %v : tensor<1x35x35x32xf32>, tensor<3x3x32x32xf32>)
    outs(%b : tensor<1x33x33x32xf32>) -> tensor<1x33x33x32xf32>
  %2 = linalg.conv_2d_nhwc_hwcf ins(%x, %w5 : tensor<1x35x35x32xf32>, tensor<5x5x32x32xf32>)
    outs(%c : tensor<1x31x31x32xf32>) -> tensor<1x31x31x32xf32>
  %3 = linalg.conv_2d_nhwc_hwcf ins(%i, %wi : tensor<1x35x35x32xi32>, tensor<3x3x32x32xi32>)
    outs(%d : tensor<1x33x33x32xi32>) -> tensor<1x33x33x32xi32>
  %4 = linalg.generic {
      indexing_maps = [affine_map<(n, y, x, f, i, j, c) -> (n, y + i, x + j, c)>,
                       affine_map<(n, y, x, f, i, j, c) -> (i, j, c, f)>,
                       affine_map<(n, y, x, f, i, j, c) -> (n, y, x, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%x, %w : tensor<1x35x35x32xf32>, tensor<3x3x32x32xf32>) outs(%1 : tensor<1x33x33x32xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    %m = arith.maximumf %o, %s : f32
    linalg.yield %m : f32
  } -> tensor<1x33x33x32xf32>
  return %0, %4, %2, %3 : tensor<1x17x17x32xf32>, tensor<1x33x33x32xf32>, tensor<1x31x31x32xf32>, tensor<1x33x33x32xi32>
}

// FORCED-LABEL: func.func @stays(
// FORCED-NOT:   linalg.batch_matmul
func.func @stays(%x: tensor<1x34x34x32xf32>, %b: tensor<1x32x32x32xf32>) -> tensor<1x32x32x32xf32>
    attributes {baco.no_tune} {
  %w = arith.constant dense<0.5> : tensor<3x3x32x32xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x34x34x32xf32>, tensor<3x3x32x32xf32>)
    outs(%b : tensor<1x32x32x32xf32>) -> tensor<1x32x32x32xf32>
  return %c : tensor<1x32x32x32xf32>
}
