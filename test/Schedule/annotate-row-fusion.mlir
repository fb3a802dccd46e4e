// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152 -o %t
// RUN: %one-line-recipes %t | FileCheck %s
// RUN: baco-opt %t --baco-expand-recipes | FileCheck %s --check-prefix=EXPANDED
// One row can't be distributed over threads.
// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152,threads=2 | %one-line-recipes | FileCheck %s --check-prefix=THREADS

// A second run leaves all of them as they are.
// RUN: baco-opt %t --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152 | diff %t -

// Ops that follow each other on the same rows get one recipe, which stands on
// the first of them.

#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#turned = affine_map<(i, j) -> (j, i)>

// CHECK-LABEL: func.func @center
// CHECK: linalg.fill {baco.recipe = #baco.recipe<[
// CHECK-SAME: #baco.loop_split<statement = 0, loop = 1, condition = "L1 >= 1">
// CHECK-SAME: #baco.loop_fuse<statements = [0, 1, 2], loop = #baco.knob<"rows", #baco.ordinal<[0, 1]>, default = 1>>
// CHECK-SAME: #baco.loop_fuse<statements = [1, 2], loop = #baco.knob<"ahead", #baco.ordinal<[0, 2]>, default = 2>>
// CHECK-SAME: nests = 3, where = ["ahead == 0 || rows > 0" : "the row ahead runs along with all loops of a row"]
// CHECK-NOT: baco.recipe
// CHECK-LABEL: func.func @all_rows_first

// The first and the last nest are found by their places.
// EXPANDED-LABEL: @schedule_center
// EXPANDED: %[[FILLS:.*]] = transform.structured.match ops{["linalg.fill"]}
// EXPANDED-NOT: split_handle
// EXPANDED: %[[GENERICS:.*]] = transform.structured.match ops{["linalg.generic"]}
// EXPANDED: %[[EACH:.*]]:2 = transform.split_handle %[[GENERICS]]
// EXPANDED: %[[ENDS:.*]] = transform.merge_handles %[[FILLS]], %[[EACH]]#1
// EXPANDED: transform.baco.restructure %[[ENDS]]
func.func @center(%A: memref<1024x1024xf32>, %B: memref<1024x1024xf32>,
                  %s: memref<1024xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<1024xf32>)
  linalg.generic {indexing_maps = [#both, #row],
                  iterator_types = ["parallel", "reduction"]}
    ins(%A : memref<1024x1024xf32>) outs(%s : memref<1024xf32>) {
  ^bb0(%a: f32, %c: f32):
    %r = arith.addf %a, %c : f32
    linalg.yield %r : f32
  }
  // What is allocated between them moves in front of them.
  %unused = memref.alloc() : memref<4xf32>
  linalg.generic {indexing_maps = [#both, #row, #both],
                  iterator_types = ["parallel", "parallel"]}
    ins(%A, %s : memref<1024x1024xf32>, memref<1024xf32>)
    outs(%B : memref<1024x1024xf32>) {
  ^bb0(%a: f32, %c: f32, %b: f32):
    %r = arith.subf %a, %c : f32
    linalg.yield %r : f32
  }
  return
}

// The sums over all rows are used in each row: the dependence forbids that they
// take turns, and each op has its own recipe.
// CHECK: linalg.generic {{.*}} attrs = {baco.recipe =
// CHECK-NOT: nests
// CHECK: linalg.generic {{.*}} attrs = {baco.recipe =
// CHECK-LABEL: func.func @other_rows
func.func @all_rows_first(%A: memref<1024x1024xf32>, %B: memref<1024x1024xf32>,
                          %s: memref<1024xf32>) {
  linalg.generic {indexing_maps = [#both, #column],
                  iterator_types = ["reduction", "parallel"]}
    ins(%A : memref<1024x1024xf32>) outs(%s : memref<1024xf32>) {
  ^bb0(%a: f32, %c: f32):
    %r = arith.addf %a, %c : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#both, #column, #both],
                  iterator_types = ["parallel", "parallel"]}
    ins(%A, %s : memref<1024x1024xf32>, memref<1024xf32>)
    outs(%B : memref<1024x1024xf32>) {
  ^bb0(%a: f32, %c: f32, %b: f32):
    %r = arith.subf %a, %c : f32
    linalg.yield %r : f32
  }
  return
}

// Nor do ops with other numbers of rows.
// CHECK-NOT: nests
// CHECK-LABEL: func.func @freed_between
func.func @other_rows(%A: memref<1024x1024xf32>, %B: memref<1024x1024xf32>,
                      %C: memref<512x1024xf32>) {
  linalg.exp ins(%A : memref<1024x1024xf32>) outs(%B : memref<1024x1024xf32>)
  %half = memref.subview %B[0, 0] [512, 1024] [1, 1]
    : memref<1024x1024xf32> to memref<512x1024xf32, strided<[1024, 1]>>
  linalg.exp ins(%half : memref<512x1024xf32, strided<[1024, 1]>>)
             outs(%C : memref<512x1024xf32>)
  return
}

// Nor across what must stay where it is.
// CHECK-NOT: nests
// CHECK-LABEL: func.func @elementwise
func.func @freed_between(%A: memref<1024x1024xf32>,
                         %B: memref<1024x1024xf32>) {
  %t = memref.alloc() : memref<4xf32>
  linalg.exp ins(%A : memref<1024x1024xf32>) outs(%B : memref<1024x1024xf32>)
  memref.dealloc %t : memref<4xf32>
  linalg.exp ins(%B : memref<1024x1024xf32>) outs(%A : memref<1024x1024xf32>)
  return
}

// Chains of element-wise ops share all loops; a transposed copy is no part of
// one.
// CHECK: linalg.exp {baco.recipe = {{.*}}#baco.loop_fuse<statements = [0, 1], loop = #baco.knob<"columns", #baco.ordinal<[0, 2]>, default = 2>>], nests = 2
// CHECK-NOT: nests
func.func @elementwise(%A: memref<1024x1024xf32>, %B: memref<1024x1024xf32>,
                       %C: memref<1024x1024xf32>, %D: memref<1024x1024xf32>) {
  linalg.exp ins(%A : memref<1024x1024xf32>) outs(%B : memref<1024x1024xf32>)
  linalg.add ins(%A, %B : memref<1024x1024xf32>, memref<1024x1024xf32>)
             outs(%C : memref<1024x1024xf32>)
  linalg.generic {indexing_maps = [#turned, #both],
                  iterator_types = ["parallel", "parallel"]}
    ins(%C : memref<1024x1024xf32>) outs(%D : memref<1024x1024xf32>) {
  ^bb0(%c: f32, %d: f32):
    linalg.yield %c : f32
  }
  return
}

// Those of a single loop share it; what waits for all of its iterations, or has
// another number of them, is no part of the chain.
// CHECK-LABEL: func.func @vectors
// CHECK: linalg.exp {baco.recipe =
// CHECK-SAME: #baco.loop_fuse<statements = [0, 1, 2], loop = #baco.knob<"columns", #baco.ordinal<[0, 1]>, default = 1>>], nests = 3
// CHECK-NOT: nests
// THREADS-LABEL: func.func @vectors
// THREADS-NOT: nests
func.func @vectors(%A: memref<65537xf32>, %B: memref<65537xf32>, %s: memref<f32>,
                   %C: memref<65535xf32>, %D: memref<65535xf32>) {
  linalg.exp ins(%A : memref<65537xf32>) outs(%B : memref<65537xf32>)
  linalg.add ins(%A, %B : memref<65537xf32>, memref<65537xf32>) outs(%B : memref<65537xf32>)
  linalg.reduce {arith.addf} ins(%B : memref<65537xf32>) outs(%s : memref<f32>) dimensions = [0]
  linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
    ins(%s : memref<f32>) outs(%A : memref<65537xf32>) {
  ^bb0(%c: f32, %a: f32):
    %r = arith.mulf %a, %c : f32
    linalg.yield %r : f32
  }
  linalg.exp ins(%C : memref<65535xf32>) outs(%D : memref<65535xf32>)
  return
}
