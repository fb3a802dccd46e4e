// Which ops need only rows that others need, too: the number of recipes is that of kernels. All are
// right in the emulator.
// RUN: baco-opt %s --baco-annotate=target=nvvm -o %t.mlir
// RUN: %one-line-recipes %t.mlir | FileCheck %s --check-prefix=RECIPE
// RUN: baco-opt %t.mlir --baco-expand-recipes --baco-concretize --transform-interpreter \
// RUN:   --baco-lower-to-nvvm=format=llvm --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s

// CHECK-DAG: 'other_fill' is right in 3 orders
// CHECK-DAG: 'reads_first' is right in 3 orders
// CHECK-DAG: 'other_extent' is right in 3 orders
// CHECK-DAG: 'attention' is right in 3 orders

#two = affine_map<(i, j) -> (i, j)>
#swapped = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>

// The last fill sets something else.
// RECIPE-LABEL:   func.func @other_fill(
// RECIPE:         linalg.fill ins
// RECIPE:         linalg.generic {{.*}}#baco.gpu_rows
// RECIPE:         linalg.fill {baco.recipe
// RECIPE:         return
func.func @other_fill(%x: memref<12x24xf32>, %sums: memref<12xf32>, %y: memref<12xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sums : memref<12xf32>)
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<12x24xf32>) outs(%sums : memref<12xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  linalg.fill ins(%zero : f32) outs(%y : memref<12xf32>)
  return
}

// The first op reads memory that nothing in the kernel has set, so that it isn't a part of it.
// RECIPE-LABEL:   func.func @reads_first(
// RECIPE:         linalg.generic {{.*}}iterator_types = ["parallel"]{{.*}}baco.recipe
// RECIPE:         linalg.fill ins
// RECIPE:         linalg.generic {{.*}}#baco.gpu_rows
// RECIPE-NOT:     baco.recipe =
// RECIPE:         return
func.func @reads_first(%x: memref<12x24xf32>, %y: memref<12x24xf32>, %sums: memref<12xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.exp ins(%x : memref<12x24xf32>) outs(%y : memref<12x24xf32>)
  linalg.fill ins(%zero : f32) outs(%sums : memref<12xf32>)
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%y : memref<12x24xf32>) outs(%sums : memref<12xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  return
}

// The op at the end reads the sums with rows of another length.
// RECIPE-LABEL:   func.func @other_extent(
// RECIPE:         #baco.gpu_rows
// RECIPE:         baco.recipe
// RECIPE:         return
func.func @other_extent(%x: memref<12x24xf32>, %y: memref<12x10xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<12xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<12xf32>)
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<12x24xf32>) outs(%sums : memref<12xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#row, #two], iterator_types = ["parallel", "parallel"]}
    ins(%sums : memref<12xf32>) outs(%y : memref<12x10xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  memref.dealloc %sums : memref<12xf32>
  return
}

// Three kernels, as the caller gets the rows: a product with its scale, the softmax, and a product.
// RECIPE-LABEL:   func.func @attention(
// RECIPE:         linalg.matmul {{.*}}#baco.gpu_epilogue
// RECIPE:         #baco.gpu_rows
// RECIPE:         linalg.matmul {{.*}}#baco.gpu_epilogue
// RECIPE-NOT:     baco.recipe =
// RECIPE:         return
func.func @attention(%q: memref<16x8xf32>, %k: memref<8x16xf32>, %v: memref<16x8xf32>, %out: memref<16x8xf32>,
                     %s: memref<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.35 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<16x16xf32>)
  linalg.matmul ins(%q, %k : memref<16x8xf32>, memref<8x16xf32>) outs(%s : memref<16x16xf32>)
  linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s : memref<16x16xf32>) outs(%s : memref<16x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.mulf %x, %scale : f32
    linalg.yield %y : f32
  }
  linalg.softmax dimension(1) ins(%s : memref<16x16xf32>) outs(%s : memref<16x16xf32>)
  linalg.fill ins(%zero : f32) outs(%out : memref<16x8xf32>)
  linalg.matmul ins(%s, %v : memref<16x16xf32>, memref<16x8xf32>) outs(%out : memref<16x8xf32>)
  return
}
