//===- BacoRecipe.td - The recipe and its steps ------------*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recipe is a list of steps on the op that carries it. Each field of a step
// is a constant or a knob. BacoDialect.td says how a schedule comes from it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_BACORECIPE_TD
#define BACO_IR_BACORECIPE_TD

include "baco/IR/BacoAttributes.td"

def RecipeAttr : Baco_Attr<"Recipe", "recipe"> {
  let summary = "an ordered list of transformation steps with knobs";
  let description = [{
    The attribute `baco.recipe` of a payload op. `where` lists
    conditions over the knobs, each with an optional reason and an optional
    `advisory`. With `nests = n`, loop commands are for the op and the next
    n - 1 loops or linalg ops of its block together, with all that is between
    them; statements then count through all of these.

    Example:
    ```mlir
    #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"MC", #baco.ordinal<[64, 128]>>, 0, 0]>,
      #baco.tile<sizes = [#baco.knob<"MR", #baco.ordinal<[4, 8]>>, 16, 1]>,
      #baco.vectorize<>, #baco.hoist<>],
     where = ["MR * 16 <= MC", advisory "MC < 100" : "a reason"]>
    ```
    Verified: each element is a step, or all are loop commands but for a
    `bufferize` that comes first; knobs of one name are equal; `where` reads
    knobs of the recipe; `nests` is positive, and more than 1 only for loop
    commands; and, on the op, what each step asks for.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::ArrayAttr", "the steps, in order">:$steps,
    OptionalArrayRefParameter<"::baco::ConstraintAttr",
                              "conditions over the knobs">:$where,
    DefaultValuedParameter<"int64_t", "1",
                           "how many nests it is for">:$nests);
  let assemblyFormat = "`<` custom<Steps>($steps) `` custom<Where>($where, $nests) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The knobs of all steps, each name once, in order of appearance.
    ::llvm::SmallVector<::baco::KnobAttr> getKnobs() const;
    /// Whether `bufferize` is the first step, before which nothing is done.
    bool startsOnMemRefs() const;
    /// The loop commands behind it, if there are any.
    ::mlir::ArrayAttr getCommands() const;
  }];
}

class Baco_Step<string name, string attrMnemonic, list<string> methods = []>
    : Baco_Attr<name, attrMnemonic, [
        DeclareAttrInterfaceMethods<RecipeStepInterface, methods>]>;

def TileAttr : Baco_Step<"Tile", "tile"> {
  let summary = "a step: tile the op by loops";
  let description = [{
    `sizes` has one entry for each iterator of the op: a constant or a knob; 0
    makes no loop, and a knob of value 0 leaves the iterator untiled (its loop
    has one iteration). `order` permutes only the loops that this step makes: a
    constant such as `[1, 0]`, or a knob with a permutation domain.

    `remainders` says, for each iterator, what happens if the size does not
    divide the extent. `"exact"` (the default): it must divide if a later step
    needs full tiles. `"split"`: the remainder after the last full tile becomes
    a separate op with one tile, or, if it is larger than `rest`, with balanced
    tiles of at most `rest` (for example, one vector). `"balance"`: the extent
    is covered by tiles of two sizes that differ by one, neither above the given
    size, each in its own part. All later steps work on every part. Unlike
    partial tiles of a loop, parts have static shapes.

    Example:
    `#baco.tile<sizes = [64, 0, #baco.knob<"KC", #baco.ordinal<[128, 256]>>], order = [1, 0], remainders = ["balance", "exact", "split"]>`.
    Verified: at least one loop; sizes not negative; knobs are integers, none
    negative; `order` is a permutation of the loops; one remainder per
    iterator, `"exact"` where there is no loop; `rest` not negative, and 0 if
    there is no `"split"`. On the op: one size per
    iterator; full tiles if a later step needs them; one knob that may be 0 for
    each iterator, and then a static extent and no remainder; a static extent
    where a remainder is not `"exact"`, and for `"split"` the same extent in all parts.
    Constraints: each `"exact"` tile divides what it tiles, if a later step
    needs it; each other tile is at most what it tiles.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::ArrayAttr", "a size for each iterator">:$sizes,
    OptionalParameter<"::mlir::Attribute", "order of the loops">:$order,
    OptionalParameter<"::mlir::ArrayAttr",
                      "`exact`, `split` or `balance` for each iterator"
                     >:$remainders,
    DefaultValuedParameter<"int64_t", "0",
                           "largest tile of the remainder of a split; 0: any"
                          >:$rest);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// What becomes of the remainder of iterator `iterator`.
    ::baco::Remainder getRemainder(size_t iterator) const;
  }];
}

def InterchangeAttr : Baco_Step<"Interchange", "interchange"> {
  let summary = "a step: reorder the iterators of the op";
  let description = [{
    `order` permutes all iterators of the op: a constant or a knob with a
    permutation domain. A named op becomes a `linalg.generic`, because upstream
    interchanges only those. Later steps number iterators in the new order.

    Example:
    `#baco.interchange<order = #baco.knob<"loops", #baco.permutation<3>>>`.
    Verified: `order` is a permutation. On the op: of all its iterators.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::Attribute", "order of the iterators">:$order);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def PromoteAttr : Baco_Step<"Promote", "promote"> {
  let summary =
    "a step: copy operand tiles to buffers";
  let description = [{
    The buffers are allocated and filled in the innermost loop of the step
    before, and hold the data contiguously.

    With `enabled`, a knob over 0 and 1, 0 copies nothing.

    Example: `#baco.promote<operands = [0]>`,
    `#baco.promote<operands = [0, 1], alignment = 128, enabled = #baco.knob<"P", #baco.ordinal<[0, 1]>>>`.
    Verified: at least one operand, none negative, none twice; the alignment is
    a power of two; `enabled` is 0, 1 or a knob over these. On the op: it is on memrefs; the operands exist and have
    dimensions; a step that makes loops comes before.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::DenseI64ArrayAttr", "indices of operands">:$operands,
    DefaultValuedParameter<"int64_t", "64",
                           "of the buffers, in bytes">:$alignment,
    OptionalParameter<"::mlir::Attribute", "whether">:$enabled);
  let assemblyFormat = [{
    `<` struct(custom<IndexList>($operands), $alignment,
               custom<Field>($enabled)) `>`
  }];
  let genVerifyDecl = 1;
}

def VectorizeAttr : Baco_Step<"Vectorize", "vectorize", ["needsFullTiles"]> {
  let summary = "a step: vectorize the tile";
  let description = [{
    The whole tile becomes one operation on vectors; at the end of the schedule
    contractions are lowered to outer products, and transfers to rank 1. With
    `copy_length` (a constant or a knob), the copies made by `promote` use
    vectors of that length; without it, the lowering makes them. With `enabled`,
    a knob over 0 and 1, 0 leaves vectorization to LLVM. On memrefs, windows
    whose iterators have extent 1, as those of a tile of a convolution, are
    slices of their operand.

    Example: `#baco.vectorize<>`, `#baco.vectorize<copy_length = 16>`,
    `#baco.vectorize<enabled = #baco.knob<"V", #baco.ordinal<[0, 1]>>>`.
    Verified: `copy_length` positive, and not given where `enabled` may be 0;
    `enabled` is 0, 1 or a knob over these. On the op: static shape; no earlier
    `vectorize`; a promoted operand is there if `copy_length` is.
    Constraints: all tiles divide, or have another remainder than `"exact"`;
    `copy_length` divides the rows of buffers, unless the op is in parts: rows
    are then copied by vectors of nearly equal lengths, at most `copy_length`.
  }];
  let parameters = (ins
    OptionalParameter<"::mlir::Attribute",
                      "vector length of copies">:$copy_length,
    OptionalParameter<"::mlir::Attribute", "whether">:$enabled);
  let assemblyFormat = [{
    `<` struct(custom<Field>($copy_length), custom<Field>($enabled)) `>`
  }];
  let genVerifyDecl = 1;
}

def HoistAttr : Baco_Step<"Hoist", "hoist"> {
  let summary = "a step: keep accumulators in registers across loops";
  let description = [{
    Hoists vector transfers out of loops. First folds aliases, canonicalizes,
    hoists loop-invariant code and removes common subexpressions, because
    upstream's hoisting does nothing without them. On tensors, loops then carry
    vectors instead of tensors. With `enabled`, a knob over 0 and 1, 0 does
    nothing.

    Example: `#baco.hoist<>`,
    `#baco.hoist<enabled = #baco.knob<"H", #baco.ordinal<[0, 1]>>>`.
    Verified: `enabled` is 0, 1 or a knob over these. On the op: a `vectorize`
    comes before.
  }];
  let parameters = (ins
    OptionalParameter<"::mlir::Attribute", "whether">:$enabled);
  let assemblyFormat = "`<` struct(custom<Field>($enabled)) `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Steps on tensors
//===----------------------------------------------------------------------===//

def BufferizeAttr : Baco_Step<"Bufferize", "bufferize"> {
  let summary = "a step: bufferize the function";
  let description = [{
    Bufferizes the whole function, in place where possible; allocations are
    hoisted out of sequential loops and freed at the end of their block. Earlier
    steps work on tensors, later ones on memrefs. Without this step the lowering
    after the schedule bufferizes.

    As the first step of a recipe it runs before all recipes of the function:
    the recipes of all its ops on tensors must then begin with it, and loop
    commands may follow. In this case the function may take and return tensors:
    in all functions of the module, tensor arguments become memrefs of identity
    layout, and results become additional arguments after all others. (The
    schedule of such a module must be in a separate file, because upstream runs
    passes only on ops outside the schedule.)

    Example: `#baco.bufferize<>`.
    Verified on the op: it is on tensors; it is one op, or `vectorize` comes
    before. On expansion, unless recipes begin with it: the
    function takes and returns no tensors; if several ops of it have recipes, only
    that of the first one, which is followed last, has this step.
  }];
  let assemblyFormat = "`<` `>`";
}

def ParallelizeAttr : Baco_Step<"Parallelize", "parallelize"> {
  let summary = "a step: distribute tiles over threads";
  let description = [{
    Makes an `scf.forall`, whose iterations may run in parallel; the lowering to
    the CPU distributes them over OpenMP threads. Either `sizes` has the size of a
    tile for each iterator of the op, or `threads` the number of tiles; entries
    are constants or knobs, and 0 does not distribute the iterator.

    Example:
    `#baco.parallelize<threads = [#baco.knob<"T", #baco.ordinal<[1, 2, 4]>>, 0, 0]>`,
    `#baco.parallelize<sizes = [0, 64, 0]>`.
    Verified: one of the lists is given, with at least one entry that is not 0,
    none negative. On the op: one entry for each iterator; none for a reduction;
    no other `parallelize` comes before.
    Constraints: sizes, and numbers of threads, divide the extent of their
    iterator, if a later step needs full tiles; later tile sizes then divide the
    share of a thread.
  }];
  let parameters = (ins
    OptionalParameter<"::mlir::ArrayAttr", "a tile size for each iterator"
                     >:$sizes,
    OptionalParameter<"::mlir::ArrayAttr", "a number of tiles for each iterator"
                     >:$threads);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def LLVMAttr : Baco_Step<"LLVM", "llvm"> {
  let summary = "a step: set target options, how LLVM compiles the kernel";
  let description = [{
    `options` are target options (see the dialect's description), each with a
    constant or a knob called `llvm.` and the option's name. They apply to the
    whole function, whatever the position of the step in the recipe; the step
    may also follow loop commands.

    Example:
    `#baco.llvm<{opt_level = #baco.knob<"llvm.opt_level", #baco.ordinal<[0, 3]>>, prefer_vector_width = 256}>`.
    Verified: the options exist, constants and the values of knobs are possible,
    and knobs have the name that they must have.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::DictionaryAttr", "options by name">:$options);
  let assemblyFormat = "`<` $options `>`";
  let genVerifyDecl = 1;
}

#endif // BACO_IR_BACORECIPE_TD
