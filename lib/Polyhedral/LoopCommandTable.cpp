//===- LoopCommandTable.cpp - Which commands there are --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table. docs/generated/LoopCommands.md is made from it.
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/LoopCommand.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;

using Kind = LoopArgument::Kind;

static constexpr LoopArgument argument(std::string_view name, Kind kind,
                                       std::string_view meaning,
                                       std::optional<int64_t> minimum = {}) {
  return {name, kind, meaning, minimum};
}

static constexpr LoopArgument optional(LoopArgument argument,
                                       std::optional<int64_t> absent = {}) {
  argument.isOptional = true;
  argument.absent = absent;
  return argument;
}

template <typename... Arguments>
static constexpr auto list(Arguments... arguments) {
  return std::array<LoopArgument, 8>{arguments...};
}

static constexpr LoopArgument
    statement = argument("statement", Kind::Place, "number of a statement", 0),
    onlyStatement =
        optional(argument("statement", Kind::Place, "only its loops", 0)),
    statements =
        argument("statements", Kind::Places, "numbers of statements", 0),
    loop = argument("loop", Kind::Loop, "number of the loop", 1),
    reference =
        argument("reference", Kind::Place, "number of the reference", 0);

/// In the order of LoopCommandKind.
static constexpr LoopCommandInfo table[] = {
    {LoopCommandKind::Original, "original", "loop_original",
     "keep the nest as it is", "Does nothing. CHiLL's `original()`.", "<>",
     list()},

    {LoopCommandKind::Permute, "permute", "loop_permute",
     "reorder the outermost loops",
     R"(The loop of number `order[p]` comes to place p + 1. Of all statements, or of
the loops around `statement`. A knob with a permutation domain counts from 0.
CHiLL's `permute`.)",
     "<order = [3, 1, 2]>",
     list(onlyStatement, argument("order", Kind::LoopOrder,
                                  "numbers of loops, outermost first")),
     /*isLegalForAnySize=*/true},

    {LoopCommandKind::Tile, "tile", "loop_tile", "tile a loop",
     R"(The loop over tiles becomes loop number `outer`; later numbers move up by
one. Size 0 leaves the loop untiled (the new number then is a loop that runs
once, so that later commands mean the same loops); size 1 moves the loop to
`outer`. CHiLL's `tile`.)",
     R"(<statement = 0, loop = 2, size = "TJ">)",
     list(statement, loop,
          argument("size", Kind::Size, "iterations of a tile", 0),
          optional(argument("outer", Kind::Place,
                            "number of the loop over tiles", 1),
                   1)),
     /*isLegalForAnySize=*/true},

    {LoopCommandKind::Split, "split", "loop_split",
     "split the iterations of a loop",
     R"(The statement keeps the iterations that satisfy `condition`, an affine
condition over the loops `L1`, `L2`, ..., parameters `p0`, `p1`, ..., and knobs.
The others become new statements with the next free numbers. CHiLL's `split`.)",
     R"(<statement = 0, loop = 2, condition = "L3 >= L1 + TK">)",
     list(statement, loop,
          argument("condition", Kind::Condition, "what the statement keeps"))},

    {LoopCommandKind::Nonsingular, "nonsingular", "loop_nonsingular",
     "change the outermost loops linearly",
     R"(The new outermost n loops are `matrix` times the old ones; a further column
holds constants that are added. The matrix must be invertible. The example skews
the second loop by the first. CHiLL's `nonsingular`.)",
     "<matrix = [[1, 0], [1, 1]]>",
     list(onlyStatement, argument("matrix", Kind::Matrix, "rows of integers"))},

    {LoopCommandKind::Skew, "skew", "loop_skew", "skew a loop by others",
     "The loop becomes the sum of `coefficients[l - 1]` times loop l.",
     "<statement = 0, loop = 2, coefficients = [1, 1]>",
     list(
         statement, loop,
         argument("coefficients", Kind::Coefficients, "factors of the loops"))},

    {LoopCommandKind::Shift, "shift", "loop_shift",
     "run a statement earlier or later in a loop",
     "The statement runs `amount` iterations later.",
     "<statement = 1, loop = 1, amount = 1>",
     list(statement, loop, argument("amount", Kind::Number, "iterations"))},

    {LoopCommandKind::Scale, "scale", "loop_scale",
     "multiply the values of a loop",
     "Before statements of different strides are fused.",
     "<statement = 0, loop = 1, factor = 2>",
     list(statement, loop, argument("factor", Kind::Factor, "not 0"))},

    {LoopCommandKind::Reverse, "reverse", "loop_reverse",
     "run a loop backwards", "", "<statement = 0, loop = 1>",
     list(statement, loop)},

    {LoopCommandKind::Distribute, "distribute", "loop_distribute",
     "give statements loops of their own",
     R"(Of the statements that share loop `loop`; all, if the list is empty. CHiLL's
`distribute`.)",
     "<statements = [0, 1], loop = 2>", list(statements, loop)},

    {LoopCommandKind::Fuse, "fuse", "loop_fuse", "let statements share loops",
     "They share loops 1 ... `loop`, in their order; 0: none. CHiLL's `fuse`.",
     "<statements = [0, 1], loop = 1>",
     list(statements, argument("loop", Kind::Loop,
                               "number of the innermost loop, or 0", 0))},

    {LoopCommandKind::Align, "align", "loop_align",
     "make an imperfect nest perfect",
     R"(What comes before (after) an inner loop moves into its first (last)
iteration, under a guard, and neighboring loops are fused.)",
     "<statement = 0, loop = 1>", list(statement, loop)},

    {LoopCommandKind::Unroll, "unroll", "loop_unroll", "unroll and jam a loop",
     R"(The copies of the iterations end up inside of all other loops. Factors 0 and
1 do nothing. CHiLL's `unroll`.)",
     R"(<statement = 0, loop = 4, factor = "UI">)",
     list(statement, loop, argument("factor", Kind::Size, "copies", 0)),
     /*isLegalForAnySize=*/true},

    {LoopCommandKind::Vectorize, "vectorize", "loop_vectorize",
     "run iterations as vectors",
     R"(Iterations of the loop, `width` at a time, run as operations on vectors.
Widths 0 and 1 do nothing.)",
     "<statement = 0, loop = 3, width = 16>",
     list(statement, loop,
          argument("width", Kind::Size, "elements of a vector, a power of two",
                   0)),
     /*isLegalForAnySize=*/true},

    {LoopCommandKind::Parallelize, "parallelize", "loop_parallelize",
     "run iterations at the same time",
     R"(The loop becomes an affine.parallel. Illegal if an iteration depends on
another, unless by a sum (product, minimum, maximum) in a single element: then
each iteration has its own, and these are combined in order behind the loop.)",
     "<statement = 0, loop = 1>", list(statement, loop),
     /*isLegalForAnySize=*/true},

    {LoopCommandKind::DataCopy, "datacopy", "loop_copy",
     "copy what a loop touches to a buffer",
     R"(What a reference of the statement touches in loop `loop` is copied to a
buffer in front of that loop and, if it is written, back behind it. `reference`
counts the statement's references: its writes first, then its reads, in the order
of the program; so `C[i, j] = C[i, j] + A[i, k] * B[k, j]` has C as 0 and 1, A as
2 and B as 3. References of equal subscripts go together. CHiLL's `datacopy`.

The dimensions of the buffer are in the order of the array's by default. `index`
says which of the array's dimensions varies fastest in the buffer, the array's
fastest being 0 (CHiLL, for Fortran: which subscript comes first); `order` lists
all dimensions, slowest first, from 0. One can't give both.

The copy runs in vectors of `width` elements, or one by one if that is 1. One that
transposes does so in squares of `width` rows, at most 16, in registers. With width
0 nothing is copied, so that a knob decides.

With `panel` the buffer's fastest dimension is cut in panels of so many elements,
each of which is contiguous, as products of matrices like it: element (r, c) is
at (c / panel, r, c mod panel). 0 is no panels.

With `whole` 1 the whole array is copied to a buffer of its shape, and all
references to it in the loop use that, of all statements there, also those whose
subscripts aren't affine: argument privatization of high-level synthesis. Nothing
happens if an earlier command has done so. It has no `index`, `order` or `panel`.)",
     "<statement = 0, loop = 3, reference = 2, index = 1>",
     list(
         statement, loop, reference,
         optional(argument("index", Kind::Place, "fastest dimension", 0), 0),
         optional(argument("order", Kind::DimensionOrder, "all dimensions")),
         optional(argument("width", Kind::Number,
                           "elements of a vector, a power of two; 0: no copy",
                           0),
                  1),
         optional(argument("panel", Kind::Number, "columns of a panel", 0), 0),
         optional(argument("whole", Kind::Number, "1: the whole array", 0), 0)),
     /*isLegalForAnySize=*/false,
     /*makesAnyLoops=*/true},

    {LoopCommandKind::Expand, "expand", "loop_expand",
     "give iterations elements of their own",
     R"(All references in loop `loop` of the statement to what `reference` (counted
as by `loop_copy`) refers to go to a buffer with one dimension more, so that each
iteration has elements of its own. Then iterations needn't wait for each other to
have done with a temporary: the loop can be distributed, or moved inside of
others. What the last iteration has left is copied back behind the loop. CHiLL's
scalar expansion, for arrays too. Illegal if an iteration may read what it hasn't
written before.)",
     "<statement = 0, loop = 2, reference = 0>",
     list(statement, loop, reference),
     /*isLegalForAnySize=*/false,
     /*makesAnyLoops=*/true},

    {LoopCommandKind::Contract, "contract", "loop_contract",
     "keep a temporary array in a small buffer",
     R"(All references to what `reference` (counted as by `loop_copy`) refers to, of
the statement and those that share its loops 1 to `loop`, go to a buffer for what
one iteration of these loops touches. After fusion, a temporary that one statement
writes and the next ones read then stays in a cache. Its contents are copied back
unless nothing else may read the array, as with an allocation in the function. 0
loops: nothing. Illegal if an iteration may read what it hasn't written before.)",
     "<statement = 0, loop = 1, reference = 0>",
     list(statement,
          argument("loop", Kind::Loop, "number of the innermost loop, or 0", 0),
          reference),
     /*isLegalForAnySize=*/false,
     /*makesAnyLoops=*/true},

    {LoopCommandKind::Prefetch, "prefetch", "loop_prefetch",
     "prefetch data some iterations ahead",
     R"(What is read in the loop is brought to the level 2 cache `ahead` iterations
of this loop before. Memrefs of which an iteration reads one piece are prefetched
once, spread evenly over the innermost loops. Of others it concerns what
innermost loops load as vectors, each time that they do, if the address moves
with both loops; and what the loop itself loads ahead of an innermost one, as
sums, which is brought to level 1. Hides how slow memory is where data aren't
copied to a buffer, and where there is too little work on them for the machine to
look ahead. 0 does nothing. Comes after the commands that reorder, tile and
vectorize.)",
     "<statement = 0, loop = 1, ahead = 1>",
     list(statement, loop,
          argument("ahead", Kind::Number, "iterations, at most 64", 0)),
     /*isLegalForAnySize=*/true},

    {LoopCommandKind::Auto, "auto", "loop_auto",
     "let isl's scheduler order the loops",
     R"(Replaces the order by one with short reuse distances and loops that may be
tiled, skewed where that is needed. `fusion` is "min", "max" or "smart". First of
the commands that split or copy.)",
     R"(<fusion = "max">)",
     list(argument("fusion", Kind::Fusion, "what shares loops")),
     /*isLegalForAnySize=*/false,
     /*makesAnyLoops=*/true},
};

static constexpr bool isInOrderOfKinds() {
  for (size_t i = 0; i < std::size(table); ++i)
    if (table[i].kind != LoopCommandKind(i))
      return false;
  return std::size(table) == size_t(LoopCommandKind::Auto) + 1;
}
static_assert(isInOrderOfKinds(), "a row for each kind, in their order");

std::span<const LoopCommandInfo> baco::polyhedral::loopCommands() {
  return table;
}

const LoopCommandInfo &baco::polyhedral::infoOf(LoopCommandKind kind) {
  return table[size_t(kind)];
}

const LoopCommandInfo *
baco::polyhedral::findByMnemonic(std::string_view mnemonic) {
  const auto *found = std::find_if(
      std::begin(table), std::end(table),
      [&](const LoopCommandInfo &info) { return info.mnemonic == mnemonic; });
  return found == std::end(table) ? nullptr : found;
}

std::span<const LoopArgument> LoopCommandInfo::arguments() const {
  const auto *end =
      std::find_if(allArguments.begin(), allArguments.end(),
                   [](const LoopArgument &a) { return a.name.empty(); });
  return {allArguments.begin(), end};
}

std::optional<size_t> LoopCommandInfo::find(std::string_view argument) const {
  for (size_t a = 0; a < arguments().size(); ++a)
    if (allArguments[a].name == argument)
      return a;
  return std::nullopt;
}

std::string LoopCommandInfo::notation() const {
  std::string text;
  for (const LoopArgument &argument : arguments())
    text += (text.empty() ? "" : ", ") +
            std::string(argument.isOptional ? "?" : "") +
            std::string(argument.name);
  return std::string(name) + "(" + text + ")";
}
