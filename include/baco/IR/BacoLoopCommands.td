//===- BacoLoopCommands.td - Commands on loop nests --------*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One attribute for each command of `transform.baco.restructure`. Statements
// are counted from 0 in the order of the program, loops around a statement from
// 1, outermost first.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_BACOLOOPCOMMANDS_TD
#define BACO_IR_BACOLOOPCOMMANDS_TD

include "baco/IR/BacoRecipe.td"

class Baco_LoopCommand<string name, string attrMnemonic>
    : Baco_Attr<name, attrMnemonic, [LoopCommandInterface]>;

/// A number: an integer, a knob in a recipe, or the name of a knob in an op.
class Baco_NumberParameter<string what>
    : AttrParameter<"::mlir::Attribute", what>;
/// A list of integers or the same; `[1, 0]`.
class Baco_ListParameter<string what>
    : AttrParameter<"::mlir::Attribute", what>;

def LoopOriginalAttr : Baco_LoopCommand<"LoopOriginal", "loop_original"> {
  let summary = "a loop command: the nest as it is";
  let description = [{
    Does nothing. CHiLL's `original()`.

    Example: `#baco.loop_original<>`.
  }];
  let assemblyFormat = "`<` `>`";
}

def LoopPermuteAttr : Baco_LoopCommand<"LoopPermute", "loop_permute"> {
  let summary = "a loop command: reorder the outermost loops";
  let description = [{
    Loop number `order[p]` becomes loop number p + 1: of all statements, or only
    of `statement`. CHiLL's `permute`.

    Example: `#baco.loop_permute<order = [3, 1, 2]>`. A knob with a permutation
    domain counts from 0.
    Verified: `order` is a permutation of 1, 2, ..., or a knob.
  }];
  let parameters = (ins
    Baco_ListParameter<"numbers of loops, outermost first">:$order,
    OptionalParameter<"::mlir::Attribute", "only its loops">:$statement);
  let assemblyFormat =
    "`<` struct(custom<Field>($order), custom<Field>($statement)) `>`";
  let genVerifyDecl = 1;
}

def LoopTileAttr : Baco_LoopCommand<"LoopTile", "loop_tile"> {
  let summary = "a loop command: tile a loop";
  let description = [{
    The loop over tiles becomes loop number `outer`; later numbers move up by
    one. Size 0 leaves the loop untiled (the new number then is a loop that runs
    once, so that later commands mean the same loops); size 1 moves the loop to
    `outer`. CHiLL's `tile`.

    Example: `#baco.loop_tile<statement = 0, loop = 2, size = "TJ">`.
    Verified: numbers not negative; loops from 1.
  }];
  let parameters = (ins
    Baco_NumberParameter<"number of a statement">:$statement,
    Baco_NumberParameter<"number of the loop">:$loop,
    Baco_NumberParameter<"iterations of a tile">:$size,
    OptionalParameter<"::mlir::Attribute",
                      "number of the loop over tiles, 1 by default">:$outer);
  let assemblyFormat = [{
    `<` struct(custom<Field>($statement), custom<Field>($loop),
               custom<Field>($size), custom<Field>($outer)) `>`
  }];
  let genVerifyDecl = 1;
}

def LoopSplitAttr : Baco_LoopCommand<"LoopSplit", "loop_split"> {
  let summary = "a loop command: split the iterations of a loop";
  let description = [{
    The statement keeps the iterations that satisfy `condition`, an affine
    condition over the loops `L1`, `L2`, ..., and knobs. The others become new
    statements with the next free numbers. CHiLL's `split`.

    Example:
    `#baco.loop_split<statement = 0, loop = 2, condition = "L3 >= L1 + TK">`.
    Verified: numbers not negative; loops from 1; a condition is given; in a
    recipe, it reads only loops, parameters `p0`, `p1`, ..., and knobs.
  }];
  let parameters = (ins
    Baco_NumberParameter<"number of a statement">:$statement,
    Baco_NumberParameter<"number of the loop">:$loop,
    AttrParameter<"::mlir::StringAttr", "what the statement keeps">:$condition);
  let assemblyFormat = [{
    `<` struct(custom<Field>($statement), custom<Field>($loop), $condition) `>`
  }];
  let genVerifyDecl = 1;
}

def LoopNonsingularAttr
    : Baco_LoopCommand<"LoopNonsingular", "loop_nonsingular"> {
  let summary = "a loop command: apply an invertible matrix to the loops";
  let description = [{
    The new outermost n loops are `matrix` times the old ones; a further column
    holds constants that are added. The matrix must be invertible. CHiLL's
    `nonsingular`.

    Example (skews the second loop by the first):
    `#baco.loop_nonsingular<matrix = [[1, 0], [1, 1]]>`.
    Verified: n rows of equally many integers, n or n + 1.
  }];
  let parameters = (ins
    Baco_ListParameter<"rows of integers">:$matrix,
    OptionalParameter<"::mlir::Attribute", "only its loops">:$statement);
  let assemblyFormat =
    "`<` struct(custom<Field>($matrix), custom<Field>($statement)) `>`";
  let genVerifyDecl = 1;
}

def LoopSkewAttr : Baco_LoopCommand<"LoopSkew", "loop_skew"> {
  let summary = "a loop command: skew a loop by others";
  let description = [{
    The loop becomes the sum of `coefficients[l - 1]` times loop l.

    Example: `#baco.loop_skew<statement = 0, loop = 2, coefficients = [1, 1]>`.
    Verified: numbers not negative; loops from 1; coefficients are integers.
  }];
  let parameters = (ins
    Baco_NumberParameter<"number of a statement">:$statement,
    Baco_NumberParameter<"number of the loop">:$loop,
    Baco_ListParameter<"factors of the loops">:$coefficients);
  let assemblyFormat = [{
    `<` struct(custom<Field>($statement), custom<Field>($loop),
               custom<Field>($coefficients)) `>`
  }];
  let genVerifyDecl = 1;
}

def LoopShiftAttr : Baco_LoopCommand<"LoopShift", "loop_shift"> {
  let summary = "a loop command: run a statement earlier or later in a loop";
  let description = [{
    The statement runs `amount` iterations later.

    Example: `#baco.loop_shift<statement = 1, loop = 1, amount = 1>`.
    Verified: numbers not negative, but for the amount; loops from 1.
  }];
  let parameters = (ins
    Baco_NumberParameter<"number of a statement">:$statement,
    Baco_NumberParameter<"number of the loop">:$loop,
    Baco_NumberParameter<"iterations">:$amount);
  let assemblyFormat = [{
    `<` struct(custom<Field>($statement), custom<Field>($loop),
               custom<Field>($amount)) `>`
  }];
  let genVerifyDecl = 1;
}

def LoopScaleAttr : Baco_LoopCommand<"LoopScale", "loop_scale"> {
  let summary = "a loop command: multiply the values of a loop";
  let description = [{
    Useful before statements with different strides are fused.

    Example: `#baco.loop_scale<statement = 0, loop = 1, factor = 2>`.
    Verified: statement not negative; loops from 1; the factor isn't 0.
  }];
  let parameters = (ins
    Baco_NumberParameter<"number of a statement">:$statement,
    Baco_NumberParameter<"number of the loop">:$loop,
    Baco_NumberParameter<"not 0">:$factor);
  let assemblyFormat = [{
    `<` struct(custom<Field>($statement), custom<Field>($loop),
               custom<Field>($factor)) `>`
  }];
  let genVerifyDecl = 1;
}

def LoopReverseAttr : Baco_LoopCommand<"LoopReverse", "loop_reverse"> {
  let summary = "a loop command: run a loop backwards";
  let description = [{
    Example: `#baco.loop_reverse<statement = 0, loop = 1>`.
    Verified: statement not negative; loops from 1.
  }];
  let parameters = (ins
    Baco_NumberParameter<"number of a statement">:$statement,
    Baco_NumberParameter<"number of the loop">:$loop);
  let assemblyFormat =
    "`<` struct(custom<Field>($statement), custom<Field>($loop)) `>`";
  let genVerifyDecl = 1;
}

def LoopDistributeAttr
    : Baco_LoopCommand<"LoopDistribute", "loop_distribute"> {
  let summary = "a loop command: distribute a loop";
  let description = [{
    Distributes loop `loop`, which the statements share, so that each of them
    has its own loop. CHiLL's `distribute`.

    Example: `#baco.loop_distribute<statements = [0, 1], loop = 2>`.
    Verified: statements not negative; loops from 1.
  }];
  let parameters = (ins
    Baco_ListParameter<"numbers of statements; all if empty">:$statements,
    Baco_NumberParameter<"number of the loop">:$loop);
  let assemblyFormat =
    "`<` struct(custom<Field>($statements), custom<Field>($loop)) `>`";
  let genVerifyDecl = 1;
}

def LoopFuseAttr : Baco_LoopCommand<"LoopFuse", "loop_fuse"> {
  let summary = "a loop command: fuse loops of statements";
  let description = [{
    Afterwards the statements share loops 1 to `loop`, in the order in which
    they are listed; with 0 they share none. CHiLL's `fuse`.

    Example: `#baco.loop_fuse<statements = [0, 1], loop = 1>`.
    Verified: statements not negative; loops from 0.
  }];
  let parameters = (ins
    Baco_ListParameter<"numbers of statements">:$statements,
    Baco_NumberParameter<"number of the innermost loop, or 0">:$loop);
  let assemblyFormat =
    "`<` struct(custom<Field>($statements), custom<Field>($loop)) `>`";
  let genVerifyDecl = 1;
}

def LoopAlignAttr : Baco_LoopCommand<"LoopAlign", "loop_align"> {
  let summary = "a loop command: make an imperfect nest perfect";
  let description = [{
    Statements before (after) an inner loop move into its first (last)
    iteration, under a guard, and adjacent loops are fused.

    Example: `#baco.loop_align<statement = 0, loop = 1>`.
    Verified: statement not negative; loops from 1.
  }];
  let parameters = (ins
    Baco_NumberParameter<"number of a statement">:$statement,
    Baco_NumberParameter<"number of the outermost loop">:$loop);
  let assemblyFormat =
    "`<` struct(custom<Field>($statement), custom<Field>($loop)) `>`";
  let genVerifyDecl = 1;
}

def LoopUnrollAttr : Baco_LoopCommand<"LoopUnroll", "loop_unroll"> {
  let summary = "a loop command: unroll and jam a loop";
  let description = [{
    Unroll and jam: the copies of the body are placed inside all inner loops.
    Factors 0 and 1 do nothing. CHiLL's `unroll`.

    Example: `#baco.loop_unroll<statement = 0, loop = 4, factor = "UI">`.
    Verified: numbers not negative; loops from 1.
  }];
  let parameters = (ins
    Baco_NumberParameter<"number of a statement">:$statement,
    Baco_NumberParameter<"number of the loop">:$loop,
    Baco_NumberParameter<"copies">:$factor);
  let assemblyFormat = [{
    `<` struct(custom<Field>($statement), custom<Field>($loop),
               custom<Field>($factor)) `>`
  }];
  let genVerifyDecl = 1;
}

def LoopVectorizeAttr : Baco_LoopCommand<"LoopVectorize", "loop_vectorize"> {
  let summary = "a loop command: vectorize a loop";
  let description = [{
    Runs `width` iterations of the loop at a time as operations on vectors.
    Widths 0 and 1 do nothing.

    Example: `#baco.loop_vectorize<statement = 0, loop = 3, width = 16>`.
    Verified: numbers not negative; loops from 1.
  }];
  let parameters = (ins
    Baco_NumberParameter<"number of a statement">:$statement,
    Baco_NumberParameter<"number of the loop">:$loop,
    Baco_NumberParameter<"elements of a vector, a power of two">:$width);
  let assemblyFormat = [{
    `<` struct(custom<Field>($statement), custom<Field>($loop),
               custom<Field>($width)) `>`
  }];
  let genVerifyDecl = 1;
}

def LoopParallelizeAttr
    : Baco_LoopCommand<"LoopParallelize", "loop_parallelize"> {
  let summary = "a loop command: run a loop in parallel";
  let description = [{
    The loop becomes an `affine.parallel`. Illegal if it carries a dependence.

    Example: `#baco.loop_parallelize<statement = 0, loop = 1>`.
    Verified: statement not negative; loops from 1.
  }];
  let parameters = (ins
    Baco_NumberParameter<"number of a statement">:$statement,
    Baco_NumberParameter<"number of the loop">:$loop);
  let assemblyFormat =
    "`<` struct(custom<Field>($statement), custom<Field>($loop)) `>`";
  let genVerifyDecl = 1;
}

def LoopCopyAttr : Baco_LoopCommand<"LoopCopy", "loop_copy"> {
  let summary = "a loop command: copy accessed elements to a buffer";
  let description = [{
    The elements that a reference of the statement accesses in loop `loop` are
    copied to a buffer before that loop and, if they are written, copied back
    after it. `reference` numbers the statement's references from 0: writes,
    then reads, in program order. In `C[i, j] = C[i, j] + A[i, k] *
    B[k, j]` C is 0 and 1, A is 2 and B is 3. References with equal subscripts
    are copied together. CHiLL's `datacopy`.

    The dimensions of the buffer are in the order of the array's by default.
    `index` says which of the array's dimensions varies fastest in the buffer,
    the array's fastest being 0 (CHiLL, for Fortran: which subscript comes
    first); `order` lists all dimensions, slowest first, from 0.

    The copy uses vectors of `width` elements, or scalars if `width` is 1 or not
    given. With width 0 nothing is copied, so that a knob can switch the copy
    off.

    With `panel` the buffer's fastest dimension is cut into contiguous panels of
    that many elements, as matrix products need: element (r, c) is at (c /
    panel, r, c mod panel). 0 means no panels.

    Example: `#baco.loop_copy<statement = 0, loop = 3, reference = 2, index = 1>`.
    Verified: numbers not negative; loops from 1; not both `index` and `order`.
  }];
  let parameters = (ins
    Baco_NumberParameter<"number of a statement">:$statement,
    Baco_NumberParameter<"number of the loop">:$loop,
    Baco_NumberParameter<"number of the reference">:$reference,
    OptionalParameter<"::mlir::Attribute", "fastest dimension">:$index,
    OptionalParameter<"::mlir::Attribute", "all dimensions">:$order,
    OptionalParameter<"::mlir::Attribute",
                      "elements of a vector, a power of two">:$width,
    OptionalParameter<"::mlir::Attribute", "columns of a panel">:$panel);
  let assemblyFormat = [{
    `<` struct(custom<Field>($statement), custom<Field>($loop),
               custom<Field>($reference), custom<Field>($index),
               custom<Field>($order), custom<Field>($width),
               custom<Field>($panel)) `>`
  }];
  let genVerifyDecl = 1;
}

def LoopExpandAttr : Baco_LoopCommand<"LoopExpand", "loop_expand"> {
  let summary = "a loop command: expand an array along a loop";
  let description = [{
    Array expansion: the array of `reference` (numbered as in `loop_copy`) is
    replaced in loop `loop` by a buffer with one more dimension, so that each
    iteration has its own elements. This removes the dependences that reuse of a
    temporary causes; the loop can then be distributed, or moved inside others.
    The values of the last iteration are copied back after the loop. CHiLL's
    scalar expansion, for arrays too. Illegal if an iteration may read an
    element that it hasn't written.

    Example: `#baco.loop_expand<statement = 0, loop = 2, reference = 0>`.
    Verified: numbers not negative; loops from 1.
  }];
  let parameters = (ins
    Baco_NumberParameter<"number of a statement">:$statement,
    Baco_NumberParameter<"number of the loop">:$loop,
    Baco_NumberParameter<"number of the reference">:$reference);
  let assemblyFormat = [{
    `<` struct(custom<Field>($statement), custom<Field>($loop),
               custom<Field>($reference)) `>`
  }];
  let genVerifyDecl = 1;
}

def LoopPrefetchAttr : Baco_LoopCommand<"LoopPrefetch", "loop_prefetch"> {
  let summary = "a loop command: prefetch data some iterations ahead";
  let description = [{
    Prefetches data that the loop reads into the level 2 cache, `ahead`
    iterations of this loop early. If an iteration reads one contiguous piece of
    a memref, that piece is prefetched once, evenly distributed over the
    innermost loops. Of other memrefs, vector loads in innermost loops are
    prefetched each time, if their address changes in both loops; and loads of
    the loop itself before an innermost loop, such as those of sums, go to level
    1. Prefetching hides memory latency where data aren't copied to a buffer and
    the hardware can't look far enough ahead. 0 does nothing. Must come after
    the commands that reorder, tile and vectorize.

    Example: `#baco.loop_prefetch<statement = 0, loop = 1, ahead = 1>`.
    Verified: numbers not negative; loops from 1.
  }];
  let parameters = (ins
    Baco_NumberParameter<"number of a statement">:$statement,
    Baco_NumberParameter<"number of the loop">:$loop,
    Baco_NumberParameter<"iterations">:$ahead);
  let assemblyFormat = [{
    `<` struct(custom<Field>($statement), custom<Field>($loop),
               custom<Field>($ahead)) `>`
  }];
  let genVerifyDecl = 1;
}

def LoopAutoAttr : Baco_LoopCommand<"LoopAuto", "loop_auto"> {
  let summary = "a loop command: let isl's scheduler order the loops";
  let description = [{
    Replaces the order by one that isl's scheduler finds: short reuse distances
    and tilable loops, skewed where necessary. `fusion` is "min", "max" or
    "smart". Must come before commands that split or copy.

    Example: `#baco.loop_auto<fusion = "max">`.
    Verified: `fusion` is one of these or, in an op, the name of a knob.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::StringAttr", "what shares loops">:$fusion);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // BACO_IR_BACOLOOPCOMMANDS_TD
