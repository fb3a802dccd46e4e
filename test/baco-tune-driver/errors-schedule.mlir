// Errors in a schedule have its location; exit code 1.
// RUN: rm -rf %t && split-file %s %t

// RUN: %exits 1 baco-tune-driver %t/payload.mlir --schedule=%t/unknown.mlir \
// RUN:   --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: unknown.mlir:2:3: error: constraint 'tile <= height' reads unknown knob 'height'; known are 'tile'
//--- unknown.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op)
      attributes {baco.constraints = [#baco.constraint<"tile <= height", "it must fit">]} {
    %a = transform.tune.knob<"tile"> options = [8, 16] -> !transform.param<i64>
    transform.yield
  }
}

// RUN: %exits 1 baco-tune-driver %t/payload.mlir --schedule=%t/redeclared.mlir \
// RUN:   --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=REDECLARED
// REDECLARED: redeclared.mlir:4:10: error: knob 'tile' redeclared with other options
// REDECLARED: redeclared.mlir:3:10: note: first declared here
//--- redeclared.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %a = transform.tune.knob<"tile"> options = [8, 16] -> !transform.param<i64>
    %b = transform.tune.knob<"tile"> options = [8, 32] -> !transform.param<i64>
    transform.yield
  }
}

// RUN: %exits 1 baco-tune-driver %t/payload.mlir --schedule=%t/contradictory.mlir \
// RUN:   --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=CONTRADICTORY
// CONTRADICTORY: contradictory.mlir:2:3: error: {{.*}}b < a{{.*}}a < b
//--- contradictory.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op)
      attributes {baco.constraints = [#baco.constraint<"b < a", "first">,
                                      #baco.constraint<"a < b", "second">]} {
    %a = transform.tune.knob<"a"> options = [1, 2] -> !transform.param<i64>
    %b = transform.tune.knob<"b"> options = [1, 2] -> !transform.param<i64>
    transform.yield
  }
}

// RUN: %exits 1 baco-tune-driver %t/payload.mlir --schedule=%t/empty.mlir \
// RUN:   --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: empty.mlir:2:3: error: {{.*}}tile > 16
//--- empty.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op)
      attributes {baco.constraints = [#baco.constraint<"tile > 16", "why not">]} {
    %a = transform.tune.knob<"tile"> options = [8, 16] -> !transform.param<i64>
    transform.yield
  }
}

// RUN: %exits 1 baco-tune-driver %t/payload.mlir --schedule=%t/nothing.mlir \
// RUN:   --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: nothing.mlir:2:3: error: nothing to tune: the schedule has no unresolved transform.tune.knob and no transform.tune.alternatives
//--- nothing.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.yield
  }
}

// RUN: %exits 1 baco-tune-driver %t/payload.mlir --schedule=%t/broken.mlir \
// RUN:   --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN:     broken.mlir:3:25: error: expected attribute value
// BROKEN-NOT: error
//--- broken.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.tune.knob<
    transform.yield
  }
}

// RUN: %exits 1 baco-tune-driver %t/payload.mlir --schedule=%t/payload.mlir \
// RUN:   --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: schedule '{{.*}}payload.mlir' has no transform.named_sequence

// RUN: %exits 1 baco-tune-driver %t/payload.mlir --schedule=%t/absent.mlir \
// RUN:   --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT:     error: schedule: cannot open input file '{{.*}}absent.mlir': No such file or directory
// ABSENT-NOT: error

// Nothing was written about any of them.
// RUN: not ls %t/out/*.json

//--- payload.mlir
func.func @kernel(%A: memref<16x16xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%A : memref<16x16xf32>)
  return
}
