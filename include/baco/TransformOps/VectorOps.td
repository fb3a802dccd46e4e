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
  let summary = "vectorizes an affine loop";
  let description = [{
    Vectorizes each targeted `affine.for` by a width in elements, a power of two
    from 2 to 1024: an attribute, or a parameter with one value. The loop may
    contain other loops. If the width doesn't divide the trip count, the
    remainder is computed under a mask, or by a scalar loop if an access isn't
    contiguous. Iterations must be independent except for reductions `X = X op
    f(i)` in memory or in `iter_args`, which are reassociated.

    The handle is consumed. If an operation can't be vectorized, a silenceable
    error at it leaves the loop unchanged.

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
  let summary = "unrolls an affine loop";
  let description = [{
    Unrolls each targeted `affine.for` by a factor from 1 to 1024, an attribute
    or a parameter with one value, or fully if there is neither, which needs a
    constant trip count. A second loop runs the remaining iterations. Bounds may
    be any affine bounds.

    The handle is consumed. A silenceable error leaves the loop unchanged.

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
  let summary = "keeps loop-invariant memory elements in registers";
  let description = [{
    Scalar replacement for scalars and vectors in each targeted operation:
    forwards stored and loaded values to later loads of the same block, erases
    stores that are overwritten, hoists accesses to loop-invariant addresses out
    of their loops, which then carry the values, and erases buffers that are
    allocated there and no longer read. Memory of different allocations, globals
    and function arguments is assumed not to alias.

    The handle is consumed, and handles to nested operations are invalidated.

    Example:

    ```mlir
    transform.baco.promote_to_registers %function : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat = "$target attr-dict `:` type($target)";
}

#endif // BACO_TRANSFORMOPS_VECTOROPS
