// Errors in --shape, one line each; exit code 1.
// RUN: not baco-tune-driver %s --shape=product 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not baco-tune-driver %s --shape=0=5x5 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not baco-tune-driver %s --shape="product:0=5x5,1=5x5;" 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: shape: '{{.*}}' is not of the form FUNCTION:N=EXTENTS, such as f:0=512x64,1=64x64
// RUN: not baco-tune-driver %s --shape= 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: --shape: write FUNCTION:N=EXTENTS
// RUN: not baco-tune-driver %s --shape=none:0=5x5 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not baco-tune-driver %s --shape=declared:0=5x5 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: shape: no function '@{{none|declared}}' with a body: there are '@product', '@tensors', '@recipe', '@static', '@empty'; write product:0=
// RUN: not baco-tune-driver %s --shape=static:0=5 2>&1 | FileCheck %s --check-prefix=STATIC
// STATIC: error: shape: function '@static' has no argument of dynamic shape
// RUN: not baco-tune-driver %s --shape=empty:0=5 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: shape: function '@empty' has no op or loop nest to tune
// RUN: not baco-tune-driver %s --shape=product:4=5x5 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not baco-tune-driver %s --shape=product:x=5x5 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: shape: function '@product' has no argument '{{4|x}}': write a number from 0 to 3, or one of the names 'a', 'b', 'c', 'n'
// RUN: not baco-tune-driver %s --shape=product:n=5 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: error: shape: argument n of '@product': it is neither a ranked memref nor a ranked tensor
// RUN: not baco-tune-driver %s --shape=product:0=5 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: error: shape: argument 0 of '@product': '5' has 1 extents, but the argument has 2
// RUN: not baco-tune-driver %s --shape=product:0=-5x5 2>&1 | FileCheck %s --check-prefix=EXTENT
// RUN: not baco-tune-driver %s --shape=product:0=0x5 2>&1 | FileCheck %s --check-prefix=EXTENT
// RUN: not baco-tune-driver %s --shape=product:0=99999999999999999999x5 2>&1 | FileCheck %s --check-prefix=EXTENT
// EXTENT: error: shape: argument 0 of '@product': extent '{{.*}}' in '{{.*}}' must be ?, or an integer from 1 to 2147483647 that may end with ?
// RUN: not baco-tune-driver %s --shape=product:1=5x7 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: shape: argument 1 of '@product': extent 7 in '5x7' differs from that of the argument's type, 64
// RUN: not baco-tune-driver %s --shape=product:0=5x5,a=5x5 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: shape: argument a of '@product': its extents are given twice
// RUN: not baco-tune-driver %s --shape=product:0=5x5,1=6x64 2>&1 | FileCheck %s --check-prefix=CONTRADICTION
// CONTRADICTION: error: shape: --shape=product:0=5x5,1=6x64,2=?x?: one loop of 'linalg.matmul' has extents 5 and 6
// RUN: not baco-tune-driver %s --shape=product:2=512x64 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: shape: extents are missing, see ? in --shape=product:0=512x?,1=?x64,2=512x64; give all, such as --shape=product:0=512x256,1=256x64,2=512x64
// RUN: not baco-tune-driver %s --shape=product:0=5?x5,2=5x64 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: error: shape: --shape=product:0=5?x5,1=?x64,2=5x64: one loop of 'linalg.matmul' has extents 5? and 5
// RUN: not baco-tune-driver %s --shape=product:1=5x64? 2>&1 | FileCheck %s --check-prefix=CLOSED
// CLOSED: error: shape: argument 1 of '@product': extent 64? in '5x64?' differs from that of the argument's type, 64
// RUN: not baco-tune-driver %s --shape="product:0=99?x64;0=50?x64" 2>&1 | FileCheck %s --check-prefix=COVERED
// COVERED: error: shape: --shape=product:0=50?x64,1=64x64,2=50?x64: an earlier shape has the same extents open, and would be called for all of this one's
// RUN: not baco-tune-driver %s --shape=tensors:0=99?x64 2>&1 | FileCheck %s --check-prefix=TENSOR
// TENSOR: error: --shape=tensors:0=99?x64: argument 0 is a tensor, whose extents can't stay open; write the extents without '?', which tunes a version of exactly that shape
// RUN: not baco-tune-driver %s --shape=recipe:0=99? 2>&1 | FileCheck %s --check-prefix=RECIPE
// RECIPE: error: --shape=recipe:0=99?: the recipe of 'linalg.exp' needs an op of static shape
// RUN: not baco-tune-driver %s --shape=product:0=2000000000x2000000000 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: shape: --shape=product:0=2000000000x2000000000,1=2000000000x64,2=2000000000x64: the arguments have more than 2^40 elements
// RUN: not baco-tune-driver %s --schedule=%S/Inputs/by-hand.mlir --shape=product:0=5x5 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// SCHEDULE: error: shape: a schedule is applied to the file as it is

// What the remark says can be typed.
// RUN: not baco-tune-driver %s --emit-space=- 2>&1 | FileCheck %s --check-prefix=HINT
// HINT: remark: not tuned: the shapes of its arguments are dynamic; say which shapes to tune: --shape=product:0=256x256,1=256x64,2=256x64{{$}}
// HINT: error: nothing to tune
// RUN: baco-tune-driver %s --shape=product:0=256x256,1=256x64,2=256x64 --emit-space=- | FileCheck %s --check-prefix=SPACE
// SPACE: "parameters"

func.func @product(%a: memref<?x?xf32>, %b: memref<?x64xf32>, %c: memref<?x?xf32>, %n: index) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x64xf32>)
                outs(%c : memref<?x?xf32>)
  return
}
func.func @tensors(%a: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = linalg.exp ins(%a : tensor<?x64xf32>) outs(%a : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}
func.func @recipe(%a: memref<?xf32>) {
  linalg.exp {baco.recipe = #baco.recipe<[#baco.tile<sizes = [8]>]>} ins(%a : memref<?xf32>) outs(%a : memref<?xf32>)
  return
}
func.func @static(%a: memref<4xf32>) {
  return
}
func.func @empty(%a: memref<?xf32>) {
  return
}
func.func private @declared(%a: memref<?x?xf32>)
