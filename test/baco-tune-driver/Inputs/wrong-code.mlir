// A kernel that is all right as it stands, and deeds after which its result is
// what miscompiled code would leave.
func.func @kernel(%A: memref<8x8xf32>, %B: memref<8x8xf32>,
                  %C: memref<8x8xf32>) {
  linalg.matmul ins(%A, %B : memref<8x8xf32>, memref<8x8xf32>)
                outs(%C : memref<8x8xf32>)
  return
}

// As if the last iteration of k were missing.
func.func private @drop_remainder(%A: memref<8x8xf32>, %B: memref<8x8xf32>,
                                  %C: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %a = affine.load %A[%i, 7] : memref<8x8xf32>
      %b = affine.load %B[7, %j] : memref<8x8xf32>
      %c = affine.load %C[%i, %j] : memref<8x8xf32>
      %ab = arith.mulf %a, %b : f32
      %d = arith.subf %c, %ab : f32
      affine.store %d, %C[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

func.func private @accumulate_twice(%A: memref<8x8xf32>, %B: memref<8x8xf32>,
                                    %C: memref<8x8xf32>) {
  linalg.matmul ins(%A, %B : memref<8x8xf32>, memref<8x8xf32>)
                outs(%C : memref<8x8xf32>)
  return
}

func.func private @last_element(%C: memref<8x8xf32>) {
  %x = arith.constant 0.015625 : f32
  %c = affine.load %C[7, 7] : memref<8x8xf32>
  %d = arith.addf %c, %x : f32
  affine.store %d, %C[7, 7] : memref<8x8xf32>
  return
}

func.func private @not_a_number(%C: memref<8x8xf32>) {
  %nan = arith.constant 0x7FC00000 : f32
  affine.store %nan, %C[3, 5] : memref<8x8xf32>
  return
}

func.func private @transpose(%C: memref<8x8xf32>) {
  %t = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%C : memref<8x8xf32>) outs(%t : memref<8x8xf32>)
                   permutation = [1, 0]
  memref.copy %t, %C : memref<8x8xf32> to memref<8x8xf32>
  memref.dealloc %t : memref<8x8xf32>
  return
}

func.func private @neighbor(%C: memref<8x8xf32>) {
  affine.for %j = 0 to 8 {
    %c = affine.load %C[6, %j] : memref<8x8xf32>
    affine.store %c, %C[5, %j] : memref<8x8xf32>
  }
  return
}

func.func private @short_floats(%C: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %c = affine.load %C[%i, %j] : memref<8x8xf32>
      %h = arith.truncf %c : f32 to f16
      %d = arith.extf %h : f16 to f32
      affine.store %d, %C[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

func.func private @saturate(%C: memref<8x8xf32>) {
  %eight = arith.constant 8.0 : f32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %c = affine.load %C[%i, %j] : memref<8x8xf32>
      %d = arith.minimumf %c, %eight : f32
      affine.store %d, %C[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

func.func private @outside(%C: memref<8x8xf32>) {
  %x = arith.constant 1.0 : f32
  %padded = memref.reinterpret_cast %C to offset: [0], sizes: [9, 8],
      strides: [8, 1] : memref<8x8xf32> to memref<9x8xf32>
  affine.store %x, %padded[8, 0] : memref<9x8xf32>
  return
}

func.func private @clobber(%A: memref<8x8xf32>) {
  %x = arith.constant 1.0 : f32
  affine.store %x, %A[0, 0] : memref<8x8xf32>
  return
}

memref.global "private" @calls : memref<i32> = dense<0>
func.func private @keep_state(%C: memref<8x8xf32>) {
  %one = arith.constant 1 : i32
  %x = arith.constant 7.0 : f32
  %calls = memref.get_global @calls : memref<i32>
  %n = memref.load %calls[] : memref<i32>
  %m = arith.addi %n, %one : i32
  memref.store %m, %calls[] : memref<i32>
  %again = arith.cmpi sge, %n, %one : i32
  scf.if %again {
    affine.store %x, %C[0, 1] : memref<8x8xf32>
  }
  return
}

// New memory that is large comes as zeros from the system. Intake, which fills
// what is read before it is written, doesn't look through casts.
func.func private @trust_memory(%C: memref<8x8xf32>) {
  %sums = memref.alloc() : memref<1024x1024xf32>
  %view = memref.cast %sums : memref<1024x1024xf32> to memref<?x?xf32>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %c = affine.load %C[%i, %j] : memref<8x8xf32>
      %s = affine.load %view[%i, %j] : memref<?x?xf32>
      %d = arith.addf %c, %s : f32
      affine.store %d, %C[%i, %j] : memref<8x8xf32>
    }
  }
  %address = memref.extract_aligned_pointer_as_index %sums
      : memref<1024x1024xf32> -> index
  %pointer = arith.index_cast %address : index to i64
  llvm.inline_asm has_side_effects "", "r,~{memory}" %pointer : (i64) -> ()
  memref.dealloc %sums : memref<1024x1024xf32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %kernel = transform.structured.match ops{["func.func"]}
        attributes{sym_name = "kernel"} in %root
        : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["linalg.matmul"]} in %kernel
        : (!transform.any_op) -> !transform.any_op
    %a = transform.get_operand %op[0]
        : (!transform.any_op) -> !transform.any_value
    %b = transform.get_operand %op[1]
        : (!transform.any_op) -> !transform.any_value
    %c = transform.get_operand %op[2]
        : (!transform.any_op) -> !transform.any_value
    %all = transform.merge_handles %a, %b, %c : !transform.any_value
    transform.tune.alternatives<"deed"> {
    }, {
      transform.func.cast_and_call @drop_remainder(%all) after %op
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }, {
      transform.func.cast_and_call @accumulate_twice(%all) after %op
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }, {
      transform.func.cast_and_call @last_element(%c) after %op
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }, {
      transform.func.cast_and_call @not_a_number(%c) after %op
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }, {
      transform.func.cast_and_call @transpose(%c) after %op
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }, {
      transform.func.cast_and_call @neighbor(%c) after %op
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }, {
      transform.func.cast_and_call @short_floats(%c) after %op
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }, {
      transform.func.cast_and_call @saturate(%c) after %op
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }, {
      transform.func.cast_and_call @outside(%c) after %op
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }, {
      transform.func.cast_and_call @keep_state(%c) after %op
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }, {
      transform.func.cast_and_call @trust_memory(%c) after %op
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }, {
      transform.func.cast_and_call @clobber(%a) after %op
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }
    transform.yield
  }
}
