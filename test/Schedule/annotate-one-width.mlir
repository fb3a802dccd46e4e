// Where vectors of one width are all that there is to choose, doing without them
// is offered, too. Where that takes less than a microsecond there is no recipe.
// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152 --verify-diagnostics | %one-line-recipes | FileCheck %s

// CHECK-LABEL: func.func @pool
// CHECK: linalg.pooling_nhwc_max {baco.recipe = #baco.recipe<[
// CHECK-SAME: #baco.loop_vectorize<statement = 0, loop = {{[0-9]+}}, width = #baco.knob<"W", #baco.ordinal<[0, 16]>, default = 16>>, #baco.loop_unroll<statement = 0, loop = 5, factor = 3>, #baco.loop_unroll<statement = 0, loop = 6, factor = 3>]>
func.func @pool(%in: memref<1x114x114x16xf32>, %window: memref<3x3xf32>,
                %out: memref<1x56x56x16xf32>) {
  linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>}
    ins(%in, %window : memref<1x114x114x16xf32>, memref<3x3xf32>)
    outs(%out : memref<1x56x56x16xf32>)
  return
}

// CHECK-LABEL: func.func @few
// CHECK-NOT: baco.recipe
func.func @few(%A: memref<50x16xf32>) {
  // expected-remark @below {{no automatic recipe: nothing in it can be chosen; statement 0 maps along vectors}}
  affine.for %i = 0 to 50 {
    affine.for %j = 0 to 16 {
      %a = affine.load %A[%i, %j] : memref<50x16xf32>
      %b = arith.addf %a, %a : f32
      affine.store %b, %A[%i, %j] : memref<50x16xf32>
    }
  }
  return
}
