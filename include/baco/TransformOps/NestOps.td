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
  let summary = "runs a loop nest in another order";
  let description = [{
    Follows `commands` (attributes such as `#baco.loop_tile`, or a CHiLL script
    in their place), in their order, on the nest that `target` means: loops of
    one block with all that is between them, or, for a function with one block,
    everything in it from its first loop to its last. Loops may be imperfectly
    nested, not rectangular, strided, and bounded by values that aren't
    constant; affine.for and, where bounds are affine, scf.for. Linalg ops on
    memrefs among them become loops first, in the order of their iterators; a
    linalg.softmax the six ops that it stands for, with buffers for the results
    of its rows around the nest.

    Statements are counted from 0 in the order of the program; a statement is a
    store with what it stores. Loops are counted from 1, outermost first.

    Whether the new order respects the dependences is checked once, at the end,
    and exactly. Unless `strict` is given, sums, products, minima and maxima may
    be reassociated, and vectors be divided by what doesn't change in their loop
    by a product with the reciprocal; and multiplications and additions of the
    nest get `fastmath<contract>`, as that is how baco measures. Marked loops are
    then vectorized and unrolled, and elements that stay the same in a loop kept
    in registers. Allocations of the function that nothing reads then are erased
    with the stores to them.

    A field of a command may be the name of a knob of the same named sequence,
    as a string; `--baco-concretize` puts its value there.

    The operand is consumed; the result is a handle to the loops and other
    operations that replace the nest. Fails silenceably, with the nest changed
    in form only, if the nest is not a static control part, a command has no
    meaning for it, or the order is illegal.

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

def FuseConsumersOp : Op<Transform_Dialect, "baco.fuse_consumers",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "computes what reads a tiled result tile by tile, too";
  let description = [{
    `loops` are the loops that tiling an op on tensors has made, each in its own
    handle, outermost first: scf.for, or one scf.forall. The linalg ops of their
    block that read what they compute, or what earlier ones of these compute,
    move into the innermost loop: the first `count` of them, in the order of the
    block; without `count`, all up to the first user that can't.

    Returns handles to the new loops and to the fused ops. With a `count` of 0
    nothing is done. Fails silenceably, with nothing changed, if there are fewer
    than `count` such ops, or none; what is in the way of the next is noted:

    * it isn't a linalg op on tensors, it has a recipe, or it writes to what the
      loops compute;
    * it doesn't read by tiles: the index of an operand is more than an iterator,
      operands need tiles of different loops, or it reduces what is tiled;
    * what may write to memory is between it and the loops;
    * a loop reduces: a tile of the result is complete only behind it.

    Example:
    ```mlir
    %tiled, %i, %j = transform.structured.tile_using_for %matmul tile_sizes [8, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %i1, %j1, %fused = transform.baco.fuse_consumers %i, %j {count = 2}
      : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
    ```
  }];
  let arguments = (ins Variadic<TransformHandleTypeInterface>:$loops,
                       OptionalAttr<I64Attr>:$count);
  let results = (outs Variadic<TransformHandleTypeInterface>:$new_loops,
                      TransformHandleTypeInterface:$fused);
  let assemblyFormat = [{
    $loops attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // BACO_TRANSFORMOPS_NESTOPS_TD
