// RUN: baco-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// What the transform op refuses, and that it leaves handles to tiles alone.

module attributes {transform.with_named_sequence} {
func.func @f(%A: tensor<24x32xf32>, %B: tensor<32x48xf32>, %C: tensor<24x48xf32>, %v: tensor<24xf32>) -> tensor<24x48xf32> {
  // expected-note @below {{here}}
  %r = linalg.matmul ins(%A, %B : tensor<24x32xf32>, tensor<32x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  %s = linalg.exp ins(%r : tensor<24x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  return %s : tensor<24x48xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %i, %j = transform.structured.tile_using_for %mm tile_sizes [8, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  // expected-error @below {{the iterations of the loops don't compute tiles of result 0, one each; a loop that reduces has none}}
  %l:2, %fused = transform.baco.fuse_consumers %i, %j : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: tensor<24x32xf32>, %B: tensor<32x48xf32>, %C: tensor<24x48xf32>, %v: tensor<24xf32>) -> tensor<24x48xf32> {
  // expected-note @below {{here}}
  %r = linalg.matmul ins(%A, %B : tensor<24x32xf32>, tensor<32x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  %s = linalg.exp ins(%r : tensor<24x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  return %s : tensor<24x48xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %i, %j = transform.structured.tile_using_for %mm tile_sizes [8, 16, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  // expected-error @below {{the iterations of the loops don't compute tiles of result 0, one each; a loop that reduces has none}}
  %l, %fused = transform.baco.fuse_consumers %j : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: tensor<24x32xf32>, %B: tensor<32x48xf32>, %C: tensor<24x48xf32>, %v: tensor<24xf32>) -> tensor<24x48xf32> {
  // expected-note @below {{here}}
  %r = linalg.matmul ins(%A, %B : tensor<24x32xf32>, tensor<32x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  %s = linalg.exp ins(%r : tensor<24x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  return %s : tensor<24x48xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %i, %j = transform.structured.tile_using_for %mm tile_sizes [8, 16, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  // expected-error @below {{the loops must be scf.for, each in the body of the one before, or one scf.forall}}
  %l:2, %fused = transform.baco.fuse_consumers %j, %i : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: tensor<24x32xf32>, %B: tensor<32x48xf32>, %C: tensor<24x48xf32>, %v: tensor<24xf32>) -> tensor<24x48xf32> {
  %r = linalg.matmul ins(%A, %B : tensor<24x32xf32>, tensor<32x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  %s = linalg.exp ins(%r : tensor<24x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  return %s : tensor<24x48xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %i, %j = transform.structured.tile_using_for %mm tile_sizes [8, 16, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %none = transform.structured.match ops{["scf.while"]} in %root : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{each handle must refer to one loop, but one refers to 0 operations}}
  %l, %fused = transform.baco.fuse_consumers %none : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: tensor<24x32xf32>, %B: tensor<32x48xf32>, %C: tensor<24x48xf32>, %v: tensor<24xf32>) -> tensor<24xf32> {
  %r = linalg.matmul ins(%A, %B : tensor<24x32xf32>, tensor<32x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  // expected-note @below {{this can't: it reduces over iterator 1, and each tile has only part of its iterations}}
  %s = linalg.reduce {arith.addf} ins(%r : tensor<24x48xf32>) outs(%v : tensor<24xf32>) dimensions = [1]
  return %s : tensor<24xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %i, %j = transform.structured.tile_using_for %mm tile_sizes [8, 16, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  // expected-error @below {{only 0 of 1 consumers can be fused}}
  %l:2, %fused = transform.baco.fuse_consumers %i, %j : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: tensor<24x32xf32>, %B: tensor<32x48xf32>, %C: tensor<24x48xf32>, %v: tensor<24xf32>) -> tensor<24x48xf32> {
  %r = linalg.matmul ins(%A, %B : tensor<24x32xf32>, tensor<32x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  %i = arith.constant 0 : index
  // expected-note @below {{this can't: it is not a linalg op on tensors}}
  %x = tensor.extract %r[%i, %i] : tensor<24x48xf32>
  %s = linalg.exp ins(%r : tensor<24x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  %y = tensor.insert %x into %s[%i, %i] : tensor<24x48xf32>
  return %y : tensor<24x48xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %i, %j = transform.structured.tile_using_for %mm tile_sizes [8, 16, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  // expected-error @below {{only 0 of 1 consumers can be fused}}
  %l:2, %fused = transform.baco.fuse_consumers %i, %j : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: tensor<24x32xf32>, %B: tensor<32x48xf32>, %C: tensor<24x48xf32>, %v: tensor<24xf32>) -> tensor<24x48xf32> {
  %r = linalg.matmul ins(%A, %B : tensor<24x32xf32>, tensor<32x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  %s = linalg.exp ins(%r : tensor<24x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  // expected-note @below {{this can't: it is not a linalg op on tensors}}
  return %s : tensor<24x48xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %i, %j = transform.structured.tile_using_for %mm tile_sizes [8, 16, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  // expected-error @below {{only 1 of 2 consumers can be fused}}
  %l:2, %fused = transform.baco.fuse_consumers %i, %j {count = 2} : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: tensor<24x32xf32>, %B: tensor<32x48xf32>, %C: tensor<24x48xf32>, %v: tensor<24xf32>) -> tensor<24x48xf32> {
  // expected-note @below {{nothing else reads the result}}
  %r = linalg.matmul ins(%A, %B : tensor<24x32xf32>, tensor<32x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  return %C : tensor<24x48xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %i, %j = transform.structured.tile_using_for %mm tile_sizes [8, 16, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  // expected-error @below {{only 0 of 1 consumers can be fused}}
  %l:2, %fused = transform.baco.fuse_consumers %i, %j : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: tensor<24x32xf32>, %B: tensor<32x48xf32>, %C: tensor<24x48xf32>, %v: tensor<24xf32>) -> tensor<24x48xf32> {
  %r = linalg.matmul ins(%A, %B : tensor<24x32xf32>, tensor<32x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  %s = linalg.exp ins(%r : tensor<24x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  return %s : tensor<24x48xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{needs at least one loop}}
  %fused = transform.baco.fuse_consumers : () -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: tensor<24x32xf32>, %B: tensor<32x48xf32>, %C: tensor<24x48xf32>, %v: tensor<24xf32>) -> tensor<24x48xf32> {
  %r = linalg.matmul ins(%A, %B : tensor<24x32xf32>, tensor<32x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  %s = linalg.exp ins(%r : tensor<24x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  return %s : tensor<24x48xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{can't fuse -1 ops}}
  %l, %fused = transform.baco.fuse_consumers %mm {count = -1} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: tensor<24x32xf32>, %B: tensor<32x48xf32>, %C: tensor<24x48xf32>, %v: tensor<24xf32>) -> tensor<24x48xf32> {
  %r = linalg.matmul ins(%A, %B : tensor<24x32xf32>, tensor<32x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  %s = linalg.exp ins(%r : tensor<24x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  return %s : tensor<24x48xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{has 1 loops and needs one result for each of them and one for the fused ops, but has 1 results}}
  %fused = transform.baco.fuse_consumers %mm : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: tensor<24x32xf32>, %B: tensor<32x48xf32>, %C: tensor<24x48xf32>, %v: tensor<24xf32>) -> tensor<24x48xf32> {
  // expected-remark @below {{tile}}
  %r = linalg.matmul ins(%A, %B : tensor<24x32xf32>, tensor<32x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  // expected-remark @below {{all}}
  %s = linalg.exp ins(%r : tensor<24x48xf32>) outs(%C : tensor<24x48xf32>) -> tensor<24x48xf32>
  return %s : tensor<24x48xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %i, %j = transform.structured.tile_using_for %mm tile_sizes [8, 16, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %l:2, %no = transform.baco.fuse_consumers %i, %j {count = 0} : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %m:2, %all = transform.baco.fuse_consumers %l#0, %l#1 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %no, "none" : !transform.any_op
  transform.debug.emit_remark_at %all, "all" : !transform.any_op
  // The handle to what was there is still one.
  transform.debug.emit_remark_at %t, "tile" : !transform.any_op
  transform.yield
}
}
