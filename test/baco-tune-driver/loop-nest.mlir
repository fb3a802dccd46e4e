// The CHiLL recipe for the triangular solver (Tiwari et al., IPDPS 2009, Table
// 1) on plain loops, with its knobs: one is in the condition of the split, and
// size 0 leaves a loop untiled. The schedule says that it needs baco, and makes
// the tuned file of the payload.
// RUN: rm -rf %t && split-file %s %t
// RUN: baco-tune-driver %t/trsm.mlir --schedule=%t/recipe.mlir --output-dir=%t \
// RUN:     %quick | FileCheck %s
// RUN: FileCheck %s --check-prefix=SCHEDULE --input-file=%t/trsm.schedule.mlir
// RUN: baco-opt %t/trsm.mlir \
// RUN:     --transform-preload-library=transform-library-paths=%t/trsm.schedule.mlir \
// RUN:     --transform-interpreter | FileCheck %s --check-prefix=LOOPS

// CHECK: f: 4 evaluations
// CHECK: chosen TK = {{8|16}}, TI = {{0|8}}

// SCHEDULE:      // Made by baco-tune-driver. Needs baco-opt, or mlir-opt with
// SCHEDULE-NEXT: // --load-dialect-plugin=PATH/libBacoPlugin.so: it has transform.baco ops.
// SCHEDULE-SAME: The command below
// SCHEDULE-NEXT: // turns the payload, without schedule and baco attributes, into the tuned one:
// SCHEDULE: condition = "L3>=L1+{{8|16}}"

// LOOPS: func.func @f
// LOOPS: memref.alloc()
// LOOPS: affine.for %{{.*}} = 0 to {{.*}} step {{8|16}}

//--- trsm.mlir
func.func @f(%A: memref<40x40xf32>, %B: memref<40x40xf32>) {
  affine.for %j = 0 to 40 {
    affine.for %k = 0 to 40 {
      affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 40 {
        %c = affine.load %B[%i, %j] : memref<40x40xf32>
        %b = affine.load %B[%k, %j] : memref<40x40xf32>
        %a = affine.load %A[%i, %k] : memref<40x40xf32>
        %p = arith.mulf %b, %a : f32
        %s = arith.subf %c, %p : f32
        affine.store %s, %B[%i, %j] : memref<40x40xf32>
      }
    }
  }
  return
}

//--- recipe.mlir
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(
    %root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %tk = transform.tune.knob<"TK"> options = [8, 16] -> !transform.param<i64>
  %ti = transform.tune.knob<"TI"> options = [0, 8] -> !transform.param<i64>
  %new = transform.baco.restructure %f "permute([1,3,2]) tile(0,3,TK) split(0,2,L3>=L1+TK) tile(0,3,TI,2) tile(0,3,8,2) datacopy(0,3,2) datacopy(0,4,3,1) unroll(0,4,2) unroll(0,5,4) datacopy(1,2,3,1) unroll(1,2,4) unroll(1,3,2)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
