// RUN: baco-opt %s --baco-concretize='configuration={"llvm.opt_level":"auto","llvm.interleave_count":4}' \
// RUN:   -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=tune.
// RUN: baco-opt %s --baco-extract-space | FileCheck %s --check-prefix=SPACE

// Knobs called llvm.NAME become target options of the sequence that the
// schedule starts with, beside those that are written there. What an
// alternative leaves out sets nothing. Stock tools apply the rest.
// RUN: %stock-mlir-opt %t.mlir --transform-interpreter | FileCheck %s --check-prefix=PAYLOAD

// CHECK:      transform.named_sequence @__transform_main
// CHECK-SAME: attributes {baco.target_options = {codegen_level = 2 : i64, interleave_count = 4 : i64, opt_level = "auto", prefer_vector_width = 256 : i64}}
// CHECK:      transform.named_sequence @helper
// CHECK-NOT:  target_options

// SPACE-DAG: llvm.opt_level
// SPACE-DAG: llvm.interleave_count

// PAYLOAD: linalg.matmul {found}
module attributes {transform.with_named_sequence} {
func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>)
                outs(%c : memref<4x4xf32>)
  return
}

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly})
      attributes {baco.target_options = {codegen_level = 2}} {
    %level = transform.tune.knob<"llvm.opt_level"> options = ["auto", 0, 3]
        -> !transform.any_param
    %width = transform.tune.knob<"llvm.prefer_vector_width"> = 256 : i64 from options = [128, 256, 512]
        -> !transform.param<i64>
    transform.tune.alternatives<"A"> selected_region = 1 {
      %a = transform.tune.knob<"llvm.unroll_threshold"> options = [8]
          -> !transform.param<i64>
      transform.yield
    }, {
      transform.yield
    }
    transform.include @helper failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
  transform.named_sequence @helper(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %count = transform.tune.knob<"llvm.interleave_count"> options = [1, 2, 4]
        -> !transform.param<i64>
    transform.annotate %mm "found" : !transform.any_op
    transform.yield
  }
}
