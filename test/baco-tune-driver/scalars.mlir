// Integer scalars have the largest values that stay in bounds when a candidate
// is timed, and other values, one at a time, when it is verified. What assumes
// something of them is found out.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --entry=scale --optimizer=exhaustive \
// RUN:   --output-dir=%t %quick | FileCheck %s
// RUN: FileCheck %s --check-prefix=TRIALS --input-file=%t/scalars.trials.jsonl

// CHECK: scale: 5 evaluations, 4 failed (4 wrong-result)
// CHECK: default {{.*}}FLOP/s
// The only schedule that works does nothing: the original code is as fast.
// CHECK: chosen {{deed = 0|the original code}}
// CHECK: timed with 200 for argument 0, verified with 101, 1, 0, {{.*}}too; with 3 for argument 1, verified with 1, 0, -1, too
func.func @scale(%n: i32, %s: i32, %c: memref<200xf64>) {
  %end = arith.index_cast %n : i32 to index
  %factor = arith.sitofp %s : i32 to f64
  affine.for %i = 0 to %end {
    %x = affine.load %c[%i] : memref<200xf64>
    %y = arith.mulf %x, %factor : f64
    affine.store %y, %c[%i] : memref<200xf64>
  }
  return
}

// TRIALS:      "deed":0},"status":"ok"

// As if only i < 3 were left of a condition.
// TRIALS-NEXT: "deed":1},"status":"wrong-result",{{.*}}"message":"argument 2 differs at [3]: got
func.func private @first_three(%c: memref<200xf64>) {
  %x = arith.constant 7.0 : f64
  affine.for %i = 3 to 200 {
    affine.store %x, %c[%i] : memref<200xf64>
  }
  return
}

// TRIALS-NEXT: "deed":2},"status":"wrong-result",{{.*}}but only with 101 for argument 0"
func.func private @last_of_odd(%n: i32, %c: memref<200xf64>) {
  %x = arith.constant 7.0 : f64
  %one = arith.constant 1 : i32
  %rest = arith.andi %n, %one : i32
  %end = arith.index_cast %n : i32 to index
  %isOdd = arith.trunci %rest : i32 to i1
  scf.if %isOdd {
    memref.store %x, %c[%end] : memref<200xf64>
  }
  return
}

// TRIALS-NEXT: "deed":3},"status":"wrong-result",{{.*}}but only with 0 for argument 0"
func.func private @at_least_one(%n: i32, %c: memref<200xf64>) {
  %x = arith.constant 7.0 : f64
  %zero = arith.constant 0 : i32
  %isZero = arith.cmpi eq, %n, %zero : i32
  scf.if %isZero {
    affine.store %x, %c[0] : memref<200xf64>
  }
  return
}

// TRIALS-NEXT: "deed":4},"status":"wrong-result",{{.*}}but only with -1 for argument 1"
func.func private @unsigned(%s: i32, %c: memref<200xf64>) {
  %x = arith.constant 7.0 : f64
  %zero = arith.constant 0 : i32
  %isNegative = arith.cmpi slt, %s, %zero : i32
  scf.if %isNegative {
    affine.store %x, %c[0] : memref<200xf64>
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %kernel = transform.structured.match ops{["func.func"]}
        attributes{sym_name = "scale"} in %root
        : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["affine.for"]} in %kernel
        : (!transform.any_op) -> !transform.any_op
    %store = transform.structured.match ops{["affine.store"]} in %kernel
        : (!transform.any_op) -> !transform.any_op
    %casts = transform.structured.match ops{["arith.index_cast"]} in %kernel
        : (!transform.any_op) -> !transform.any_op
    %floats = transform.structured.match ops{["arith.sitofp"]} in %kernel
        : (!transform.any_op) -> !transform.any_op
    %n = transform.get_operand %casts[0]
        : (!transform.any_op) -> !transform.any_value
    %s = transform.get_operand %floats[0]
        : (!transform.any_op) -> !transform.any_value
    %c = transform.get_operand %store[1]
        : (!transform.any_op) -> !transform.any_value
    %nc = transform.merge_handles %n, %c : !transform.any_value
    %sc = transform.merge_handles %s, %c : !transform.any_value
    transform.tune.alternatives<"deed"> {
    }, {
      transform.func.cast_and_call @first_three(%c) after %op
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }, {
      transform.func.cast_and_call @last_of_odd(%nc) after %op
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }, {
      transform.func.cast_and_call @at_least_one(%nc) after %op
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }, {
      transform.func.cast_and_call @unsigned(%sc) after %op
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }
    transform.yield
  }
}
