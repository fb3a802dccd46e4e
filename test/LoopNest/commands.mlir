// RUN: baco-opt %s | baco-opt | FileCheck %s

// Commands as attributes, and as a CHiLL script, which is read into them.

// CHECK: [#baco.loop_original<>, #baco.loop_permute<order = [3, 1, 2]>,
// CHECK-SAME: #baco.loop_permute<order = [1, 2], statement = 1>,
// CHECK-SAME: #baco.loop_tile<statement = 0, loop = 2, size = "TJ">,
// CHECK-SAME: #baco.loop_tile<statement = 0, loop = 2, size = 8, outer = 2>,
// CHECK-SAME: #baco.loop_split<statement = 0, loop = 2, condition = "L3>=L1+TK">,
// CHECK-SAME: #baco.loop_nonsingular<matrix = {{\[}}[1, 0], [1, 1]]>,
// CHECK-SAME: #baco.loop_skew<statement = 0, loop = 2, coefficients = [1, 1]>,
// CHECK-SAME: #baco.loop_shift<statement = 1, loop = 1, amount = -1>,
// CHECK-SAME: #baco.loop_scale<statement = 1, loop = 1, factor = 2>,
// CHECK-SAME: #baco.loop_reverse<statement = 0, loop = 1>,
// CHECK-SAME: #baco.loop_distribute<statements = [0, 1], loop = 2>,
// CHECK-SAME: #baco.loop_fuse<statements = [0, 1], loop = 2>,
// CHECK-SAME: #baco.loop_align<statement = 0, loop = 1>,
// CHECK-SAME: #baco.loop_unroll<statement = 0, loop = 4, factor = "UI">,
// CHECK-SAME: #baco.loop_vectorize<statement = 0, loop = 3, width = 8>,
// CHECK-SAME: #baco.loop_parallelize<statement = 0, loop = 1>,
// CHECK-SAME: #baco.loop_copy<statement = 0, loop = 3, reference = 2, index = 1>,
// CHECK-SAME: #baco.loop_copy<statement = 0, loop = 4, reference = 3>,
// CHECK-SAME: #baco.loop_expand<statement = 0, loop = 2, reference = 0>,
// CHECK-SAME: #baco.loop_prefetch<statement = 0, loop = 1, ahead = "P">,
// CHECK-SAME: #baco.loop_auto<fusion = "smart">]
// CHECK: strict [#baco.loop_copy<statement = 0, loop = 1, reference = 0, order = [1, 0], width = 8>]
module attributes {transform.with_named_sequence} {
transform.named_sequence @script(%f: !transform.any_op {transform.consumed}) {
  %new = transform.baco.restructure %f "original() permute([3,1,2]) permute(1, [1, 2]) tile(0,2,TJ) tile(0,2,8,2) split(0,2,L3>=L1+TK) nonsingular([[1,0],[1,1]]) skew(0,2,[1,1]) shift(1,1,-1) scale(1,1,2) reverse(0,1) distribute([0,1],2) fuse([0,1],2) align(0,1) unroll(0,4,UI) vectorize(0,3,8) parallelize(0,1) datacopy(0,3,2,1) datacopy(0,4,3) expand(0,2,0) prefetch(0,1,P) auto(smart)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @list(%f: !transform.any_op {transform.consumed}) {
  %new = transform.baco.restructure %f strict
      [#baco.loop_copy<statement = 0, loop = 1, reference = 0, order = [1, 0], width = 8>]
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
