// --explain says whether knobs may have some values, and if not why.
// RUN: baco-tune-driver %s --explain="MC=32" | FileCheck %s --check-prefix=ALLOWED
// ALLOWED: MC = 32: allowed, in 3 configurations; the nearest to the default is MC = 32, MR = 2, order = (0, 1), mode = "fast"

// A choice of all.
// RUN: baco-tune-driver %s --explain='MC=64, MR=8, order=[1,0], mode=slow' \
// RUN:   | FileCheck %s --check-prefix=FULL
// FULL: MC = 64, MR = 8, order = (1, 0), mode = "slow": allowed{{$}}

// All constraints that the choice violates by itself.
// RUN: %exits 3 baco-tune-driver %s --explain='MC=32,MR=8,mode="slow"' \
// RUN:   | FileCheck %s --check-prefix=FORBIDDEN
// FORBIDDEN:      MC = 32, MR = 8, mode = "slow": forbidden
// FORBIDDEN-NEXT:   constraint 'MR * 8 <= MC' (enough tiles; {{.*}}explain.mlir:[[#@LINE+25]]:
// FORBIDDEN-SAME:   is violated by MC = 32, MR = 8
// FORBIDDEN-NEXT:   constraint 'mode == "fast" || MC >= 64' (slow needs much; {{.*}} is violated by

// Constraints that leave no values to other knobs.
// RUN: %exits 3 baco-tune-driver %s --explain='order=(1,0),MC=32' \
// RUN:   | FileCheck %s --check-prefix=CLASH
// CLASH:      order = (1, 0), MC = 32: forbidden
// CLASH-NEXT:   no configuration is feasible: constraint 'MR * 8 <= MC' (enough tiles; {{.*}}, constraint 'order == (0, 1) || MR >= 8' (inner loops are long, advisory; {{.*}}, constraint 'order == (1, 0)' (chosen) and constraint 'MC == 32' (chosen) contradict each other

// RUN: baco-tune-driver %s --ignore-advisory --explain='order=(1,0),MC=32' \
// RUN:   | FileCheck %s --check-prefix=IGNORED
// IGNORED: order = (1, 0), MC = 32: allowed, in 3 configurations

// RUN: %exits 1 baco-tune-driver %s --explain=MD=3 2>&1 | FileCheck %s --check-prefix=KNOB
// KNOB: error: --explain: there is no parameter 'MD': the known ones are MC, MR, order, mode
// RUN: %exits 1 baco-tune-driver %s --explain=MC=33 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: error: --explain: 'MC' can't be 33: its values are 32, 64
// RUN: %exits 1 baco-tune-driver %s --explain=mode=odd 2>&1 | FileCheck %s --check-prefix=STRING
// STRING: error: --explain: 'mode' can't be odd: its values are "fast", "slow"
// RUN: %exits 1 baco-tune-driver %s --explain= 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: --explain: '' isn't NAME=VALUE

// RUN: baco-opt %s --baco-extract-space="explain='order=(1,0),MC=32'" -o /dev/null | FileCheck %s --check-prefix=CLASH
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly})
      attributes {baco.constraints = [
        #baco.constraint<"MR * 8 <= MC", "enough tiles">,
        #baco.constraint<"order == (0, 1) || MR >= 8", "inner loops are long", advisory>,
        #baco.constraint<"mode == \"fast\" || MC >= 64", "slow needs much">]} {
    %mc = transform.tune.knob<"MC"> options = #baco.ordinal<[32, 64]> -> !transform.param<i64>
    %mr = transform.tune.knob<"MR"> options = #baco.ordinal<[2, 3, 4, 8]> -> !transform.param<i64>
    %o = transform.tune.knob<"order"> options = #baco.permutation<2> -> !transform.any_param
    %m = transform.tune.knob<"mode"> options = #baco.categorical<["fast", "slow"]> -> !transform.any_param
    transform.yield
  }
  func.func @f(%A: memref<4xf32>) {
    return
  }
}
