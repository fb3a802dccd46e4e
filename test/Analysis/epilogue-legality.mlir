// Which ops next to a product are a part of its kernel: the number of recipes is that of kernels.
// All are right in the emulator.
// RUN: baco-opt %s --baco-annotate=target=nvvm -o %t.mlir
// RUN: %one-line-recipes %t.mlir | FileCheck %s --check-prefix=RECIPE
// RUN: baco-opt %t.mlir --baco-expand-recipes --baco-concretize --transform-interpreter \
// RUN:   --baco-lower-to-nvvm=format=llvm --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s

// CHECK-DAG: 'two_results' is right in 3 orders
// CHECK-DAG: 'transposed_residual' is right in 3 orders
// CHECK-DAG: 'part' is right in 3 orders
// CHECK-DAG: 'divided' is right in 3 orders
// CHECK-DAG: 'after_other' is right in 3 orders
// CHECK-DAG: 'between' is right in 3 orders

#two = affine_map<(i, j) -> (i, j)>
#swapped = affine_map<(i, j) -> (j, i)>

// One op with two results, one of them in the place of the product.
// RECIPE-LABEL:   func.func @two_results(
// RECIPE:         baco.recipe =
// RECIPE-NOT:     baco.recipe =
// RECIPE:         return
func.func @two_results(%a: memref<24x16xf32>, %b: memref<16x24xf32>, %c: memref<24x24xf32>, %d: memref<24x24xf32>) {
  linalg.matmul ins(%a, %b : memref<24x16xf32>, memref<16x24xf32>) outs(%c : memref<24x24xf32>)
  linalg.generic {indexing_maps = [#two, #two, #swapped], iterator_types = ["parallel", "parallel"]}
    ins(%c : memref<24x24xf32>) outs(%c, %d : memref<24x24xf32>, memref<24x24xf32>) {
  ^bb0(%x: f32, %p: f32, %q: f32):
    %s = arith.addf %x, %x : f32
    %n = arith.negf %x : f32
    linalg.yield %s, %n : f32, f32
  }
  return
}

// The residual is the transpose of the output: other iterations overwrite it.
// RECIPE-LABEL:   func.func @transposed_residual(
// RECIPE-COUNT-2: baco.recipe =
// RECIPE:         return
func.func @transposed_residual(%a: memref<24x16xf32>, %b: memref<16x24xf32>, %c: memref<24x24xf32>, %r: memref<24x24xf32>) {
  linalg.matmul ins(%a, %b : memref<24x16xf32>, memref<16x24xf32>) outs(%c : memref<24x24xf32>)
  %t = memref.alloc() : memref<24x24xf32>
  linalg.generic {indexing_maps = [#two, #swapped, #two], iterator_types = ["parallel", "parallel"]}
    ins(%c, %c : memref<24x24xf32>, memref<24x24xf32>) outs(%t : memref<24x24xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.subf %x, %y : f32
    linalg.yield %s : f32
  }
  linalg.copy ins(%t : memref<24x24xf32>) outs(%r : memref<24x24xf32>)
  memref.dealloc %t : memref<24x24xf32>
  return
}

// A part of the result.
// RECIPE-LABEL:   func.func @part(
// RECIPE-COUNT-2: baco.recipe =
// RECIPE:         return
func.func @part(%a: memref<24x16xf32>, %b: memref<16x24xf32>, %c: memref<24x24xf32>) {
  linalg.matmul ins(%a, %b : memref<24x16xf32>, memref<16x24xf32>) outs(%c : memref<24x24xf32>)
  %p = memref.subview %c[0, 8] [24, 16] [1, 1] : memref<24x24xf32> to memref<24x16xf32, strided<[24, 1], offset: 8>>
  linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%a : memref<24x16xf32>) outs(%p : memref<24x16xf32, strided<[24, 1], offset: 8>>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  }
  return
}

// Integers can't be divided by the zeros that are outside of operands.
// RECIPE-LABEL:   func.func @divided(
// RECIPE-COUNT-2: baco.recipe =
// RECIPE:         return
func.func @divided(%a: memref<23x16xf32>, %b: memref<16x24xf32>, %c: memref<23x24xf32>, %d: memref<23x24xi32>) {
  linalg.matmul ins(%a, %b : memref<23x16xf32>, memref<16x24xf32>) outs(%c : memref<23x24xf32>)
  linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%c : memref<23x24xf32>) outs(%d : memref<23x24xi32>) {
  ^bb0(%x: f32, %o: i32):
    %one = arith.constant 1 : i32
    %l = arith.ori %o, %one : i32
    %q = arith.divsi %one, %l : i32
    linalg.yield %q : i32
  }
  return
}

// The op behind the second product reads both; the first product is written.
// RECIPE-LABEL:   func.func @after_other(
// RECIPE-COUNT-2: baco.recipe =
// RECIPE-NOT:     baco.recipe =
// RECIPE:         return
func.func @after_other(%a: memref<24x16xf32>, %b: memref<16x24xf32>, %c: memref<24x24xf32>, %d: memref<24x24xf32>) {
  linalg.matmul ins(%a, %b : memref<24x16xf32>, memref<16x24xf32>) outs(%c : memref<24x24xf32>)
  linalg.matmul ins(%c, %c : memref<24x24xf32>, memref<24x24xf32>) outs(%d : memref<24x24xf32>)
  linalg.add ins(%c, %d : memref<24x24xf32>, memref<24x24xf32>) outs(%d : memref<24x24xf32>)
  return
}

// The op between belongs to the product before it, not to that which adds to its output.
// RECIPE-LABEL:   func.func @between(
// RECIPE:         linalg.matmul {baco.recipe
// RECIPE-NEXT:    linalg.exp ins
// RECIPE-NEXT:    linalg.matmul {baco.recipe
// RECIPE:         return
func.func @between(%a: memref<24x16xf32>, %b: memref<16x24xf32>, %c: memref<24x24xf32>, %d: memref<24x24xf32>) {
  linalg.matmul ins(%a, %b : memref<24x16xf32>, memref<16x24xf32>) outs(%c : memref<24x24xf32>)
  linalg.exp ins(%c : memref<24x24xf32>) outs(%d : memref<24x24xf32>)
  linalg.matmul ins(%a, %b : memref<24x16xf32>, memref<16x24xf32>) outs(%d : memref<24x24xf32>)
  return
}
