// Tensors become memrefs before recipes for GPUs are written, unless an op on tensors has a
// recipe, or the module can't be bufferized.
// RUN: rm -rf %t && split-file %s %t
// RUN: baco-opt %t/sum.mlir --baco-decompose-for-gpu | FileCheck %s --check-prefix=SUM
// RUN: baco-opt %t/sum.mlir --baco-annotate=target=nvvm | FileCheck %s --check-prefix=RECIPE
// RUN: baco-opt %t/open.mlir --baco-annotate=target=nvvm 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: baco-opt %t/recipe.mlir --baco-decompose-for-gpu | FileCheck %s --check-prefix=KEPT

// SUM-LABEL: func.func @sum(
// SUM-SAME:  %[[A:.*]]: memref<8x16xf32>, %[[B:.*]]: memref<8x16xf32>)
// SUM:       collapse_shape %[[A]]
// SUM:       collapse_shape %[[B]]
// SUM:       linalg.generic {{.*}}iterator_types = ["parallel"]
// SUM:       return{{$}}
// RECIPE:    linalg.generic
// RECIPE-SAME: baco.recipe

// OPEN: open.mlir:2:8: remark: tensors can't be bufferized: {{.*}}to_tensor
// OPEN: open.mlir:4:8: remark: no automatic recipe: it is on tensors, which are not bufferized

// KEPT: linalg.exp {baco.recipe
// KEPT: ins(%{{.*}} : tensor<8x16xf32>)

//--- sum.mlir
func.func @sum(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %s = linalg.add ins(%a, %a : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %s : tensor<8x16xf32>
}

//--- open.mlir
func.func @open(%m: memref<8x16xf32>) -> tensor<8x16xf32> {
  %a = bufferization.to_tensor %m : memref<8x16xf32> to tensor<8x16xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %s = linalg.exp ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %s : tensor<8x16xf32>
}

//--- recipe.mlir
func.func @recipe(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %s = linalg.exp {baco.recipe = #baco.recipe<[#baco.bufferize<>, #baco.gpu_blocks<sizes = [4, 16]>, #baco.gpu_threads<sizes = [1, 1]>]>}
    ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %s : tensor<8x16xf32>
}
