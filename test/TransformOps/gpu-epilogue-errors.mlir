// What gpu_epilogue, gpu_inline and gpu_rows refuse.
// RUN: baco-opt %s --transform-interpreter --split-input-file --verify-diagnostics

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{no elementwise op is next to it that sets or reads its result}}
    transform.baco.gpu_epilogue %op : !transform.any_op
    transform.yield
  }
  func.func @alone(%a: memref<8x8xf32>, %c: memref<8x8xf32>) {
    // expected-note @below {{the target is this}}
    linalg.matmul ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
    return
  }
}

// -----

// The sum is in memory: each iteration of its loop stores it.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %function = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{a loop stores elements of the result in each iteration: it must be in registers until all are done}}
    transform.baco.gpu_inline %function : !transform.any_op
    transform.yield
  }
  func.func @in_memory(%a: memref<8xf32>, %c: memref<8xf32>) {
    %one = arith.constant 1 : index
    %eight = arith.constant 8 : index
    %zero = arith.constant 0 : index
    // expected-note @below {{the target is this}}
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one) threads(%tx, %ty, %tz) in (%sx = %eight, %sy = %one, %sz = %one) {
      %name = builtin.unrealized_conversion_cast %c : memref<8xf32> to memref<8xf32, strided<[1]>>
      scf.for %i = %zero to %eight step %one {
        %x = memref.load %name[%tx] : memref<8xf32, strided<[1]>>
        %y = memref.load %a[%i] : memref<8xf32>
        %s = arith.addf %x, %y : f32
        memref.store %s, %name[%tx] : memref<8xf32, strided<[1]>>
      }
      gpu.terminator
    }
    linalg.abs ins(%c : memref<8xf32>) outs(%c : memref<8xf32>)
    return
  }
}

// -----

// An op that isn't a load or store.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %function = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'linalg.fill' accesses the result, which must be in registers}}
    transform.baco.gpu_inline %function : !transform.any_op
    transform.yield
  }
  func.func @by_op(%c: memref<8xf32>) {
    %one = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    // expected-note @below {{the target is this}}
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one) threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {
      %name = builtin.unrealized_conversion_cast %c : memref<8xf32> to memref<8xf32, strided<[1]>>
      linalg.fill ins(%zero : f32) outs(%name : memref<8xf32, strided<[1]>>)
      gpu.terminator
    }
    linalg.abs ins(%c : memref<8xf32>) outs(%c : memref<8xf32>)
    return
  }
}

// -----

#two = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %lanes = transform.param.constant 48 : i64 -> !transform.param<i64>
    // expected-error @below {{48 lanes have a row, but only a power of two of at most 1024 can}}
    transform.baco.gpu_rows %op [4, %lanes, 1] : !transform.any_op, !transform.param<i64>
    transform.yield
  }
  func.func @lanes(%x: memref<8x64xf32>, %y: memref<8xf32>) {
    %z = arith.constant 0.0 : f32
    linalg.fill ins(%z : f32) outs(%y : memref<8xf32>)
    // expected-note @below {{the target is this}}
    linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x64xf32>) outs(%y : memref<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
    }
    return
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{the op doesn't reduce its last iterator alone}}
    transform.baco.gpu_rows %op [4, 8, 1] : !transform.any_op
    transform.yield
  }
  func.func @elements(%x: memref<8x64xf32>) {
    // expected-note @below {{the target is this}}
    linalg.add ins(%x, %x : memref<8x64xf32>, memref<8x64xf32>) outs(%x : memref<8x64xf32>)
    return
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%op: !transform.any_op {transform.consumed}) {
    // expected-error @below {{needs three numbers: rows, lanes, width}}
    transform.baco.gpu_rows %op [4, 8] : !transform.any_op
    transform.yield
  }
}
