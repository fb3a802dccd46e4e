//===- VectorOps.td - Transform ops for affine loops -------*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors and registers for affine loops: lib/LoopNest, for schedules. These
// ops don't look at dependences: whoever writes them says that the iterations
// may be done together.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TRANSFORMOPS_VECTOROPS
#define BACO_TRANSFORMOPS_VECTOROPS

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

class BacoLoopOp<string mnemonic> : Op<Transform_Dialect, "baco." # mnemonic,
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let cppNamespace = "::baco";
}

def VectorizeLoopOp : BacoLoopOp<"vectorize_loop"> {
  let summary = "do several iterations of an affine loop in the lanes of vectors";
  let description = [{
    Vectorizes each targeted `affine.for` by a width in elements, a power of two
    from 2 to 1024: an attribute, or a parameter with one value. The loop may
    have other loops inside. What is left over when the width doesn't divide the
    number of iterations is done under a mask, or by a scalar loop if an access
    isn't contiguous. Iterations must be independent but for reductions `X = X op
    f(i)` in memory or in `iter_args`, which are done in another order.

    The handle is consumed. A silenceable error, at the operation in the way,
    leaves the loop as it was.

    Example:

    ```mlir
    transform.baco.vectorize_loop %j {width = 32} : !transform.any_op
    transform.baco.vectorize_loop %j by %width : !transform.any_op, !transform.param<i64>
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                   Optional<TransformParamTypeInterface>:$width_param,
                   OptionalAttr<I64Attr>:$width);
  let assemblyFormat = [{
    $target (`by` $width_param^)? attr-dict `:` type($target)
    (`,` type($width_param)^)?
  }];
  let hasVerifier = 1;
}

def UnrollLoopOp : BacoLoopOp<"unroll_loop"> {
  let summary = "make several iterations of an affine loop one";
  let description = [{
    Unrolls each targeted `affine.for` by a factor from 1 to 1024, an attribute
    or a parameter with one value; or fully if there is neither, which needs a
    constant number of iterations. What is left over goes to a second loop. Any
    bounds will do.

    The handle is consumed. A silenceable error leaves the loop as it was.

    Example:

    ```mlir
    transform.baco.unroll_loop %i : !transform.any_op
    transform.baco.unroll_loop %k {factor = 4} : !transform.any_op
    transform.baco.unroll_loop %k by %factor : !transform.any_op, !transform.param<i64>
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                   Optional<TransformParamTypeInterface>:$factor_param,
                   OptionalAttr<I64Attr>:$factor);
  let assemblyFormat = [{
    $target (`by` $factor_param^)? attr-dict `:` type($target)
    (`,` type($factor_param)^)?
  }];
  let hasVerifier = 1;
}

def ScalarReplacementOp : BacoLoopOp<"promote_to_registers"> {
  let summary = "keep in registers what affine loops load and store repeatedly";
  let description = [{
    In each targeted operation, for scalars and vectors: forwards what was stored
    or loaded to later loads in the same block, drops stores that are
    overwritten, and takes accesses to addresses that don't change in a loop out
    of it; the loop then carries the value; and erases buffers that are
    allocated there and no longer read. Memory from different allocations,
    globals and function arguments is taken to be distinct.

    The handle is consumed, and handles to what is inside are invalidated.

    Example:

    ```mlir
    transform.baco.promote_to_registers %function : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat = "$target attr-dict `:` type($target)";
}

#endif // BACO_TRANSFORMOPS_VECTOROPS
