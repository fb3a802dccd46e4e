// What the dependences of a nest forbid to loop commands that were written by
// hand is known before the search: as constraints with reason and place, to
// --explain, and to the search, which fails no candidate to learn it.
// RUN: rm -rf %t && split-file %s %t
// RUN: baco-tune-driver %t/sweep.mlir --emit-space=- | FileCheck %s --check-prefix=SPACE
// SPACE:      "expression": "order == (0, 1) && in(T, {0, 64}) || order == (1, 0) && T == 1",
// SPACE-NEXT: "reason": "the order of loops breaks a dependence: S0 writes A0 and S0 reads it (S0 is at {{.*}}sweep.mlir:7:7, A0 is at {{.*}}sweep.mlir:1:18)",
// SPACE-NEXT: "location": "{{.*}}sweep.mlir:2:3"

// RUN: %exits 3 baco-tune-driver %t/sweep.mlir --explain='order=(1,0),T=4' | FileCheck %s --check-prefix=FORBIDDEN
// FORBIDDEN:      order = (1, 0), T = 4: forbidden
// FORBIDDEN-NEXT: the order of loops breaks a dependence
// RUN: baco-tune-driver %t/sweep.mlir --explain='order=(1,0),T=1' | FileCheck %s --check-prefix=ALLOWED
// ALLOWED: order = (1, 0), T = 1: allowed

// RUN: baco-tune-driver %t/sweep.mlir --optimizer=random --budget=100 --trial-time=1 \
// RUN:     --final-time=1 --output-dir=%t | FileCheck %s --check-prefix=TUNED
// TUNED: sweep: {{[0-9]+}} evaluations
// TUNED: every configuration of the space was tried
// RUN: not grep -v '"status":"ok"' %t/sweep.trials.jsonl

// A schedule with alternatives: each rule holds where its region is selected.
// RUN: baco-tune-driver %t/two.mlir --emit-space=- | FileCheck %s --check-prefix=TWO
// TWO-COUNT-2: "reason": "{{.*}}breaks a dependence
// TWO-NOT:     "reason"
// TWO:         "count": "3"
// RUN: baco-opt %t/two.mlir --baco-extract-space -o /dev/null | FileCheck %s --check-prefix=TWO

// Of a nest that depends on other choices each case has its constraint, which
// names them; of one that depends on too many values nothing is said.
// RUN: baco-tune-driver %t/open.mlir --emit-space=- | FileCheck %s --check-prefix=OPEN
// OPEN:      "expression": "!(U == 1) || W != 8",
// OPEN-NEXT: "reason": "{{.*}}can't be a vector: S0 writes A0 and S0 reads it
// OPEN:      "expression": "!(U == 2) || in(W, {0, 2})",
// OPEN:      "count": "5"
// RUN: %exits 3 baco-tune-driver %t/open.mlir --explain=U=2,W=4 | FileCheck %s --check-prefix=CASE
// CASE:      U = 2, W = 4: forbidden
// CASE-NEXT: {{.*}}can't be a vector
// RUN: sed 's/options = \[1, 2\]/options = [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]/' %t/open.mlir > %t/many.mlir
// RUN: baco-tune-driver %t/many.mlir --emit-space=- | FileCheck %s --check-prefix=MANY
// MANY: "constraints": [],

//--- sweep.mlir
func.func @sweep(%A: memref<40x40xf32>) {
  affine.for %i = 1 to 40 {
    affine.for %j = 0 to 39 {
      %a = affine.load %A[%i - 1, %j + 1] : memref<40x40xf32>
      %b = affine.load %A[%i, %j] : memref<40x40xf32>
      %s = arith.addf %a, %b : f32
      affine.store %s, %A[%i, %j] : memref<40x40xf32>
    }
  } {baco.recipe = #baco.recipe<[
      #baco.loop_permute<order = #baco.knob<"order", #baco.permutation<2>>>,
      #baco.loop_tile<statement = 0, loop = 2,
                      size = #baco.knob<"T", #baco.ordinal<[0, 1, 4, 8, 64]>>>]>}
  return
}

//--- two.mlir
module attributes {transform.with_named_sequence} {
  func.func @sweep(%A: memref<40x40xf32>) {
    affine.for %i = 1 to 40 {
      affine.for %j = 0 to 39 {
        %a = affine.load %A[%i - 1, %j + 1] : memref<40x40xf32>
        affine.store %a, %A[%i, %j] : memref<40x40xf32>
      }
    }
    return
  }
  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %order = transform.tune.knob<"order"> options = #baco.permutation<2>
        -> !transform.any_param
    transform.tune.alternatives<"how"> {
      %new = transform.baco.restructure %f [#baco.loop_permute<order = "order">]
          : (!transform.any_op) -> !transform.any_op
    }, {
      %t = transform.tune.knob<"T"> options = [0, 1, 4, 8] -> !transform.param<i64>
      %new = transform.baco.restructure %f
          [#baco.loop_permute<order = "order">,
           #baco.loop_tile<statement = 0, loop = 2, size = "T">]
          : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}

//--- open.mlir
module attributes {transform.with_named_sequence} {
  func.func @f(%A: memref<102xf64>) {
    affine.for %i = 6 to 102 {
      %a = affine.load %A[%i - 6] : memref<102xf64>
      affine.store %a, %A[%i] : memref<102xf64>
    }
    return
  }
  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["affine.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %u = transform.tune.knob<"U"> options = [1, 2] -> !transform.param<i64>
    %w = transform.tune.knob<"W"> options = [0, 2, 4, 8] -> !transform.param<i64>
    transform.loop.unroll %loop {factor = 1, baco.bind = {factor = "U"}} : !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %new = transform.baco.restructure %f
        [#baco.loop_vectorize<statement = 0, loop = 1, width = "W">]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
