// RUN: baco-opt %s --split-input-file --verify-diagnostics \
// RUN:   --baco-autotune="budget=2"

// expected-error @below {{nothing to tune: no schedule, no 'baco.recipe', and no op that can be annotated automatically}}
module {
  func.func @nothing() {
    return
  }
}

// -----

// expected-error-re @below {{{{'always_fails' has no schedule that works: none of the 2 configurations that were tried works.*transform-failed.*Attempted to vectorize}}}}
func.func @always_fails(%A: memref<16x16xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%A : memref<16x16xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.fill"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %size = transform.tune.knob<"size"> options = [3, 5] -> !transform.param<i64>
    transform.structured.vectorize %op vector_sizes [%size, 3, 3]
        : !transform.any_op, !transform.param<i64>
    transform.yield
  }
}

// -----

// expected-error @below {{the plain kernel, which computes the reference, failed (crashed): died of SIG}}
func.func @crashes() {
  llvm.intr.trap
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.tune.alternatives<"what"> {
    }, {
    }
    transform.yield
  }
}
