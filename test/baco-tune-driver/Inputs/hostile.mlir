// A kernel that is all right as it stands, functions that are not, and a
// schedule that has them called.
func.func @kernel(%A: memref<8x8xf32>, %B: memref<8x8xf32>,
                  %C: memref<8x8xf32>) {
  linalg.matmul ins(%A, %B : memref<8x8xf32>, memref<8x8xf32>)
                outs(%C : memref<8x8xf32>)
  return
}

func.func private @crash() {
  llvm.intr.trap
  return
}

// The empty assembly keeps LLVM from removing loops without an effect.
func.func private @loop_for_ever() {
  %true = arith.constant true
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    llvm.inline_asm has_side_effects "", "" : () -> ()
    scf.yield
  }
  return
}

func.func private @allocate_without_bound() {
  %true = arith.constant true
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i8
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    %block = memref.alloc() : memref<1048576xi8>
    memref.store %one, %block[%zero] : memref<1048576xi8>
    %address = memref.extract_aligned_pointer_as_index %block
        : memref<1048576xi8> -> index
    %pointer = arith.index_cast %address : index to i64
    llvm.inline_asm has_side_effects "", "r,~{memory}" %pointer : (i64) -> ()
    scf.yield
  }
  return
}

func.func private @spoil(%C: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%C : memref<8x8xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.tune.alternatives<"deed"> {
    }, {
      transform.func.cast_and_call @crash before %mm
          : (!transform.any_op) -> !transform.any_op
    }, {
      transform.func.cast_and_call @loop_for_ever before %mm
          : (!transform.any_op) -> !transform.any_op
    }, {
      transform.func.cast_and_call @allocate_without_bound before %mm
          : (!transform.any_op) -> !transform.any_op
    }, {
      %c = transform.get_operand %mm[2]
          : (!transform.any_op) -> !transform.any_value
      transform.func.cast_and_call @spoil(%c) after %mm
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }, {
      // 3 vector sizes are needed.
      transform.structured.vectorize %mm vector_sizes [3, 3] : !transform.any_op
    }
    transform.yield
  }
}
