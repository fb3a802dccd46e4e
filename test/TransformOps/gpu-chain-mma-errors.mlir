// What gpu_group refuses of a padding, and gpu_mma of sums that begin with a fill's value.
// RUN: baco-opt %s --transform-interpreter --split-input-file --verify-diagnostics

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64xf32>, %b: memref<64xf32>) {
    linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %p = transform.param.constant -8 : i64 -> !transform.param<i64>
    // expected-error @below {{the padding is -8, but must not be negative}}
    %parts:3 = transform.baco.gpu_group %op padding %p
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @twice(%op: !transform.any_op {transform.consumed}, %p: !transform.param<i64>) {
    // expected-error @below {{has two values for 'padding': the attribute and a parameter after 'padding'}}
    %parts:3 = transform.baco.gpu_group %op padding %p {padding = 8}
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

#shared = #gpu.address_space<workgroup>
module attributes {transform.with_named_sequence} {
  func.func @f(%c: memref<16x8xf32>) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %warp = arith.constant 32 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
               threads(%tx, %ty, %tz) in (%nx = %warp, %ny = %one, %nz = %one)
               workgroup(%a : memref<16x16xf16, #shared>, %b : memref<16x8xf16, #shared>) {
      scf.for %i = %zero to %one step %one {
        // expected-note @below {{the target is this}}
        linalg.matmul ins(%a, %b : memref<16x16xf16, #shared>, memref<16x8xf16, #shared>)
                      outs(%c : memref<16x8xf32>)
      }
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{no fill sets the output}}
    transform.baco.gpu_mma %mm {overwrites} : !transform.any_op
    transform.yield
  }
}
