// Upstream's bufferization crashes where a tensor is returned twice; a remark
// says that it can't be tuned so. --baco-lower-front-ends makes copies.
// RUN: baco-opt %s --baco-annotate 2>&1 | FileCheck %s
// RUN: baco-opt %s --baco-lower-front-ends --baco-annotate 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=COPIED

// CHECK: remark: no automatic recipe: its function can't be bufferized: returns a tensor twice
// COPIED: linalg.exp {baco.recipe
func.func @twice(%a: tensor<64x64xf32>)
    -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %empty = tensor.empty() : tensor<64x64xf32>
  %r = linalg.exp ins(%a : tensor<64x64xf32>) outs(%empty : tensor<64x64xf32>)
    -> tensor<64x64xf32>
  return %r, %r : tensor<64x64xf32>, tensor<64x64xf32>
}
