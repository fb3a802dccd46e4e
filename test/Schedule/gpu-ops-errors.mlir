// RUN: baco-opt %s --transform-interpreter --split-input-file --verify-diagnostics=only-expected

// What the transform ops for GPUs refuse.

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
               %c: memref<64x64xf32>) {
    linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                  outs(%c : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{there is no loop that is mapped to blocks}}
    transform.baco.gpu_map %f : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
               %c: memref<64x64xf32>) {
    linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                  outs(%c : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %block, %blocks = transform.structured.tile_using_forall %mm
      tile_sizes [64, 64, 0] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %thread, %threads = transform.structured.tile_using_forall %block
      tile_sizes [1, 1, 0] (mapping = [#gpu.thread<y>, #gpu.thread<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error@below {{the loops need 4096 threads in a block, but it has at most 1024}}
    transform.baco.gpu_map %f : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
               %c: memref<64x64xf32>) {
    linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                  outs(%c : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{the op has no input operand 2}}
    %x = transform.baco.gpu_promote %mm [2] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
               %c: memref<64x64xf32>) {
    linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                  outs(%c : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{only linalg ops on memrefs have operands to copy}}
    %x = transform.baco.gpu_promote %f [0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
               %c: memref<64x64xf32>) {
    linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                  outs(%c : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{needs at least one operand to copy}}
    %x = transform.baco.gpu_promote %mm [] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
               %c: memref<64x64xf32>) {
    linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                  outs(%c : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %p = transform.param.constant -1 : i64 -> !transform.param<i64>
    // expected-error@below {{the padding is -1, but must not be negative}}
    %x = transform.baco.gpu_promote %mm [0] padding %p
      : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
               %c: memref<64x64xf32>) {
    linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                  outs(%c : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{needs a width: either the attribute 'width' or a parameter after 'by'}}
    transform.baco.gpu_copy %mm : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
               %c: memref<64x64xf32>) {
    linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                  outs(%c : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %p = transform.param.constant 4 : i64 -> !transform.any_param
    // expected-error@below {{has two values for 'padding': the attribute and a parameter after 'padding'}}
    %x = transform.baco.gpu_promote %mm [0] padding %p {padding = 1}
      : (!transform.any_op, !transform.any_param) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
               %c: memref<64x64xf32>) {
    linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                  outs(%c : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{only 'linalg.copy' on memrefs can be distributed}}
    transform.baco.gpu_copy %mm {width = 1} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
               %c: memref<64x64xf32>) {
    linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                  outs(%c : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %w = transform.param.constant 0 : i64 -> !transform.param<i64>
    // expected-error@below {{the width is 0, but must be positive}}
    transform.baco.gpu_copy %mm by %w : !transform.any_op, !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
               %c: memref<64x64xf32>) {
    linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                  outs(%c : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %x = transform.baco.gpu_promote %mm [0] : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{there is no 'gpu.launch' of constantly many threads around the copy}}
    transform.baco.gpu_copy %x {width = 1} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
               %c: memref<64x64xf32>) {
    linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                  outs(%c : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %block, %blocks = transform.structured.tile_using_forall %mm
      tile_sizes [32, 32, 0] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x = transform.baco.gpu_promote %block [0]
      : (!transform.any_op) -> !transform.any_op
    %thread, %threads = transform.structured.tile_using_forall %block
      tile_sizes [4, 4, 0] (mapping = [#gpu.thread<y>, #gpu.thread<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.baco.gpu_map %f : !transform.any_op
    // expected-error@below {{vectors of 3 elements don't divide rows of 64}}
    transform.baco.gpu_copy %x {width = 3} : !transform.any_op
    transform.yield
  }
}

// -----

// A copy ahead needs a loop.
module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
               %c: memref<64x64xf32>) {
    linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                  outs(%c : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %block, %blocks = transform.structured.tile_using_forall %mm
      tile_sizes [32, 32, 0] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x = transform.baco.gpu_promote %block [0] {stages = 2}
      : (!transform.any_op) -> !transform.any_op
    %thread, %threads = transform.structured.tile_using_forall %block
      tile_sizes [4, 4, 0] (mapping = [#gpu.thread<y>, #gpu.thread<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.baco.gpu_map %f : !transform.any_op
    // expected-error@below {{a copy in stages is not in a loop with constant bounds}}
    transform.baco.gpu_copy %x {width = 4} : !transform.any_op
    transform.yield
  }
}

// -----

// Tensor cores are for tiles of warps.
module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf16>, %b: memref<64x64xf16>,
               %c: memref<64x64xf32>) {
    linalg.matmul ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>)
                  outs(%c : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{the product is not in a loop over its sum in a 'gpu.launch'}}
    transform.baco.gpu_mma %mm : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64xf32>, %b: memref<64xf32>) {
    %t = memref.alloc() : memref<64xf32>
    linalg.abs ins(%a : memref<64xf32>) outs(%t : memref<64xf32>)
    // expected-note@below {{the target is this}}
    linalg.exp ins(%t : memref<64xf32>) outs(%b : memref<64xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.exp"]} in %m
      : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{only linalg ops on memrefs in loops read tiles}}
    transform.baco.gpu_fuse %op : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64xf32>, %b: memref<64xf32>) {
    // expected-note@below {{the target is this}}
    linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.exp"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %op tile_sizes [16]
      (mapping = [#gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error@below {{no linalg op before it computes one of its inputs in a buffer that the function allocates}}
    transform.baco.gpu_fuse %tile : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64xf32>, %b: memref<64xf32>) {
    // expected-note@below {{the target is this}}
    linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.exp"]} in %m
      : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{only linalg ops on memrefs of static shape, whose results are indexed by their parallel iterators, in a 'gpu.launch' of constantly many threads can be distributed}}
    transform.baco.gpu_compute %op : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64xf32>, %b: memref<64xf32>) {
    linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.exp"]} in %m
      : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{no product of matrices of static shape computes an input of the op}}
    %parts:3 = transform.baco.gpu_group %op
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
    // expected-note@below {{the target is this}}
    linalg.exp ins(%a : memref<64x64xf32>) outs(%b : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.exp"]} in %m
      : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{only linalg ops on memrefs in the 'scf.forall' of a block can be distributed}}
    transform.baco.gpu_compute_rows %op {lanes = 8} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
    // expected-note@below {{the target is this}}
    linalg.exp ins(%a : memref<64x64xf32>) outs(%b : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.exp"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %tile, %blocks = transform.structured.tile_using_forall %op tile_sizes [8, 0]
      (mapping = [#gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error@below {{the 1 threads of a block don't fill a warp}}
    transform.baco.gpu_compute_rows %tile {lanes = 8} : !transform.any_op
    transform.yield
  }
}
