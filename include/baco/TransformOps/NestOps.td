//===- NestOps.td - Transform ops on loop nests ------------*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules that use such an op need baco to run, as those with the ops of
// GpuOps.td and SparseOps.td do.
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

#endif // BACO_TRANSFORMOPS_NESTOPS_TD
