// RUN: baco-opt %s --transform-interpreter --split-input-file --verify-diagnostics=only-expected

// What transform.baco.sparsify refuses, where upstream would crash.

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
module attributes {transform.with_named_sequence} {
  func.func @f(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
               %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
    // expected-note @below {{the target is this}}
    %0 = linalg.matmul ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
      outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
    return %0 : tensor<64x16xf64>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{the loops don't visit the levels of format 'csr' from the outermost to the innermost one}}
    transform.baco.sparsify %op {format = "csr", order = array<i64: 1, 2, 0>}
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
module attributes {transform.with_named_sequence} {
  func.func @f(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
               %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
    // expected-note @below {{the target is this}}
    %0 = linalg.matmul ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
      outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
    return %0 : tensor<64x16xf64>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'order' is no permutation of the 3 iterators}}
    transform.baco.sparsify %op {format = "csr", order = array<i64: 0, 1>}
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f(%B: tensor<64x48xf64>, %C: tensor<48x16xf64>,
               %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
    // expected-note @below {{the target is this}}
    %0 = linalg.matmul ins(%B, %C : tensor<64x48xf64>, tensor<48x16xf64>)
      outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
    return %0 : tensor<64x16xf64>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{the op can't be: it has no sparse operand}}
    transform.baco.sparsify %op {format = "csr", order = array<i64: 0, 2, 1>}
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
module attributes {transform.with_named_sequence} {
  func.func @f(%B: tensor<64x480xf64, #CSR>, %C: tensor<480x16xf64>,
               %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
    // expected-note @below {{the target is this}}
    %0 = linalg.matmul ins(%B, %C : tensor<64x480xf64, #CSR>, tensor<480x16xf64>)
      outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
    return %0 : tensor<64x16xf64>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{level 1 has coordinates up to 479, which 8 bits of 'coordinates' don't hold}}
    transform.baco.sparsify %op {format = "csr", order = array<i64: 0, 2, 1>, coordinates = 8}
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Nothing but a call can convert what it passes.

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
module attributes {transform.with_named_sequence} {
  func.func @f(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
               %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
    %0 = linalg.matmul ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
      outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
    return %0 : tensor<64x16xf64>
  }
  func.func @g() {
    // expected-note @below {{the function is used here}}
    %f = func.constant @f : (tensor<64x48xf64, #CSR>, tensor<48x16xf64>, tensor<64x16xf64>) -> tensor<64x16xf64>
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{only a 'func.call' can pass the operand in another format}}
    transform.baco.sparsify %op {format = "coo", order = array<i64: 0, 2, 1>}
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%op: !transform.any_op) {
    // expected-error @below {{order [0, 2, 2] must hold each of 0 to its length - 1 once}}
    transform.baco.sparsify %op {format = "csr", order = array<i64: 0, 2, 2>}
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%op: !transform.any_op) {
    // expected-error @below {{'simd32' must be 0 or 1, but is 9}}
    transform.baco.sparsify %op {format = "csr", order = array<i64: 0, 2, 1>, simd32 = 9}
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%op: !transform.any_op) {
    // expected-error @below {{'vl' must}}
    transform.baco.sparsify %op {format = "csr", order = array<i64: 0, 2, 1>, vl = -1}
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%op: !transform.any_op) {
    // expected-error @below {{'positions' must be 8, 16, 32 or 64, but is 3}}
    transform.baco.sparsify %op {format = "csr", order = array<i64: 0, 2, 1>, positions = 3}
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%op: !transform.any_op) {
    // expected-error @below {{'parallel' must be one of 'none', 'dense-outer-loop', 'any-storage-outer-loop', but is 'sideways'}}
    transform.baco.sparsify %op {format = "csr", order = array<i64: 0, 2, 1>, parallel = "sideways"}
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
