// An argument can have a distribution: in all checks, with a seed, and as a part
// of the study. What takes a magnitude for a number is right only where all
// numbers are positive.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --optimizer=exhaustive --output-dir=%t/1 %quick \
// RUN:   --arg="magnitude:x=uniform(0.5, 2, seed=7)" 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=POSITIVE \
// RUN:   --input-file=%t/1/argument-input-distributions.trials.jsonl
// RUN: baco-tune-driver %s --optimizer=exhaustive --output-dir=%t/2 %quick \
// RUN:   --arg="magnitude:x=normal(0, 0.5)"
// RUN: FileCheck %s --check-prefix=ANY \
// RUN:   --input-file=%t/2/argument-input-distributions.trials.jsonl

// CHECK: magnitude: 2 evaluations
// POSITIVE: "deed":0},"status":"ok"
// POSITIVE-NEXT: "deed":1},"status":"ok"
// ANY: "deed":0},"status":"ok"
// ANY-NEXT: "deed":1},"status":"wrong-result"

// A range of floats is uniform; the attribute says the same. Other numbers and
// seeds are other studies.
// RUN: baco-tune-driver %s --optimizer=exhaustive --output-dir=%t/1 %quick \
// RUN:   --arg="magnitude:x=0.5..2;scale=2.5"
// RUN: baco study list %t/1/argument-input-distributions.baco.db | count 3
// RUN: sed 's|memref<40x50xf32> //|memref<40x50xf32> {baco.input = {uniform = [0.5, 2], seed = 7}} //|' \
// RUN:   %s > %t/argument-input-distributions.mlir
// RUN: baco-tune-driver %t/argument-input-distributions.mlir --optimizer=exhaustive \
// RUN:   --output-dir=%t/3 %quick
// RUN: FileCheck %s --check-prefix=POSITIVE \
// RUN:   --input-file=%t/3/argument-input-distributions.trials.jsonl
func.func @magnitude(%scale: f32, %x: memref<40x50xf32> // any
                     , %y: memref<40x50xf32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 50 {
      %0 = affine.load %x[%i, %j] : memref<40x50xf32>
      %1 = math.absf %0 : f32
      %2 = arith.mulf %1, %scale : f32
      affine.store %2, %y[%i, %j] : memref<40x50xf32>
    }
  }
  return
}

func.func private @as_it_is(%scale: f32, %x: memref<40x50xf32>,
                            %y: memref<40x50xf32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 50 {
      %0 = affine.load %x[%i, %j] : memref<40x50xf32>
      %1 = arith.mulf %0, %scale : f32
      affine.store %1, %y[%i, %j] : memref<40x50xf32>
    }
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %kernel = transform.structured.match ops{["func.func"]}
        attributes{sym_name = "magnitude"} in %root
        : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["affine.for"]} in %kernel
        : (!transform.any_op) -> !transform.any_op
    %inner, %outer = transform.split_handle %op
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %load = transform.structured.match ops{["affine.load"]} in %kernel
        : (!transform.any_op) -> !transform.any_op
    %store = transform.structured.match ops{["affine.store"]} in %kernel
        : (!transform.any_op) -> !transform.any_op
    %product = transform.structured.match ops{["arith.mulf"]} in %kernel
        : (!transform.any_op) -> !transform.any_op
    %scale = transform.get_operand %product[1]
        : (!transform.any_op) -> !transform.any_value
    %x = transform.get_operand %load[0]
        : (!transform.any_op) -> !transform.any_value
    %y = transform.get_operand %store[1]
        : (!transform.any_op) -> !transform.any_value
    %all = transform.merge_handles %scale, %x, %y : !transform.any_value
    transform.tune.alternatives<"deed"> {
    }, {
      transform.func.cast_and_call @as_it_is(%all) after %outer
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }
    transform.yield
  }
}
