//===- NestOps.td - Transform ops on loop nests ------------*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules that use these need baco to run; all others run with stock tools.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TRANSFORMOPS_NESTOPS_TD
#define BACO_TRANSFORMOPS_NESTOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

def RestructureOp : Op<Transform_Dialect, "baco.restructure",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "reorders, tiles and otherwise transforms a loop nest";
  let description = [{
    Applies `commands` (attributes such as `#baco.loop_tile`, or a CHiLL script
    that is parsed into them) in order to the nest that `target` refers to:
    loops of one block with the ops between them, or, for a function with one
    block, everything from its first loop to its last. Loops may be imperfectly
    nested, non-rectangular and strided, with bounds that aren't constant;
    affine.for and, where bounds are affine, scf.for. Linalg ops on memrefs
    among them are lowered to loops first, in the order of their iterators. A
    linalg.softmax becomes the six ops that it decomposes into, with buffers for
    the results of its rows.

    Statements are numbered from 0 in program order; a statement is a store with
    the computation of its value. Loops are numbered from 1, outermost first.

    After the last command, an exact check verifies that the new order preserves
    all dependences. Unless `strict` is given, sums, products, minima and maxima
    may be reassociated, a division of vectors by a loop-invariant value may
    become a multiplication by its reciprocal, and multiplications and additions
    of the nest get `fastmath<contract>`, except for scalar sums that a loop
    carries, which would have to wait longer.
    Marked loops are then vectorized and unrolled, and scalar replacement keeps
    loop-invariant elements in registers. Allocations of the function that are
    no longer read are erased with the stores to them.

    A field of a command may be the name of a knob of the same named sequence,
    as a string; `--baco-concretize` replaces it by the value of the knob.

    The operand is consumed; the result is a handle to the loops and other
    operations that replace the nest. Fails silenceably if the nest is not a
    static control part, a command doesn't apply to it, or the order is illegal;
    the nest may then have been lowered to loops, but not reordered.

    Example:
    ```mlir
    %new = transform.baco.restructure %nest [
      #baco.loop_permute<order = [1, 3, 2]>,
      #baco.loop_tile<statement = 0, loop = 3, size = 64>,
      #baco.loop_unroll<statement = 0, loop = 2, factor = "UI">]
      : (!transform.any_op) -> !transform.any_op
    %same = transform.baco.restructure %other
      "permute([1,3,2]) tile(0,3,64) unroll(0,2,UI)"
      : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       ArrayAttr:$commands, UnitAttr:$strict);
  let results = (outs TransformHandleTypeInterface:$result);
  let assemblyFormat = [{
    $target (`strict` $strict^)? custom<LoopCommands>($commands) attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def SplitIteratorOp : Op<Transform_Dialect, "baco.split_iterator",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "splits an iterator of a linalg op on tensors in two";
  let description = [{
    Replaces iterator `iterator` of extent n by two, the outer one of extent
    n / f and behind it the inner one of extent f; later iterators have numbers
    that are greater by one. Operands that it indexes are reshaped, which moves
    no data. Unlike tiling this keeps one op, whose loops MLIR's sparsifier can
    have in any order that the sparse operand allows; so f is the size of a
    tile. With a factor of n the outer iterator has one iteration.

    The factor is an attribute, or a parameter with one value. The handle is
    consumed; the result is a handle to the new op, a `linalg.generic`. Fails
    silenceably, without changes, if the extent isn't static or the factor
    doesn't divide it, if the iterator isn't a whole index of each operand that
    depends on it, or if such an operand is a sparse tensor.

    Example:
    ```mlir
    %split = transform.baco.split_iterator %op {iterator = 2, factor = 64}
      : (!transform.any_op) -> !transform.any_op
    %split = transform.baco.split_iterator %op by %factor {iterator = 2}
      : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       Optional<TransformParamTypeInterface>:$factor_param,
                       I64Attr:$iterator,
                       OptionalAttr<I64Attr>:$factor);
  let results = (outs TransformHandleTypeInterface:$split);
  let assemblyFormat = [{
    $target (`by` $factor_param^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // BACO_TRANSFORMOPS_NESTOPS_TD
