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
    Stands on a payload op under the name `baco.recipe`. `where` lists
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
    Verified: each element is a step; knobs of one name are equal; `where` reads
    knobs of the recipe; `nests` is positive, and more than 1 only for loop
    commands; and, on the op, what each step asks for.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::ArrayAttr", "the steps, in order">:$steps,
    OptionalArrayRefParameter<"::baco::ConstraintAttr",
                              "conditions over the knobs">:$where,
    DefaultValuedParameter<"int64_t", "1",
                           "how many nests it is for">:$nests);
  let assemblyFormat = "`<` $steps `` custom<Where>($where, $nests) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The knobs of all steps, each name once, in order of appearance.
    ::llvm::SmallVector<::baco::KnobAttr> getKnobs() const;
  }];
}

class Baco_Step<string name, string attrMnemonic, list<string> methods = []>
    : Baco_Attr<name, attrMnemonic, [
        DeclareAttrInterfaceMethods<RecipeStepInterface, methods>]>;

def TileAttr : Baco_Step<"Tile", "tile"> {
  let summary = "a step: tile the op by loops";
  let description = [{
    `sizes` has one entry for each iterator of the op: a constant or a knob; 0
    makes no loop. `order` permutes the loops that the step makes, and only
    these: a constant such as `[1, 0]`, or a knob with a permutation domain.

    `remainders` says, for each iterator, what becomes of a tile that does not
    divide what it tiles. `"exact"` (the default): it must, if a later step
    needs it. `"split"`: what is left after the last full tile becomes an op of
    its own, with one tile of that size, or, if that is larger than `rest`, with
    balanced tiles of at most `rest` (say, one vector). `"balance"`: two sizes that differ by
    one, none larger than the given one, fill the extent; the first take one
    part, the others another. All later steps work on every part. Parts have
    static shapes, where a partial tile of a loop would not.

    Example:
    `#baco.tile<sizes = [64, 0, #baco.knob<"KC", #baco.ordinal<[128, 256]>>], order = [1, 0], remainders = ["balance", "exact", "split"]>`.
    Verified: at least one loop; sizes not negative; knobs are positive
    integers; `order` is a permutation of the loops; one remainder per
    iterator, `"exact"` where there is no loop; `rest` not negative, and 0 if
    there is no `"split"`. On the op: one size per
    iterator; full tiles if a later step needs them; a static extent where a
    remainder is not `"exact"`, and for `"split"` the same extent in all parts.
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
                           "largest tile of what a split leaves; 0: any"
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
    reorders nothing else. Later steps count iterators in the new order.

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
    "a step: copy the parts of operands that a tile uses to buffers";
  let description = [{
    The buffers are allocated and filled in the innermost loop of the step
    before, which thereby packs the data contiguously.

    Example: `#baco.promote<operands = [0]>`,
    `#baco.promote<operands = [0, 1], alignment = 128>`.
    Verified: at least one operand, none negative, none twice; the alignment is
    a power of two. On the op: the operands exist and have dimensions; a `tile`
    comes before.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::DenseI64ArrayAttr", "indices of operands">:$operands,
    DefaultValuedParameter<"int64_t", "64",
                           "of the buffers, in bytes">:$alignment);
  let assemblyFormat = [{
    `<` struct(custom<IndexList>($operands), $alignment) `>`
  }];
  let genVerifyDecl = 1;
}

def VectorizeAttr : Baco_Step<"Vectorize", "vectorize", ["needsFullTiles"]> {
  let summary = "a step: turn the tile into vector operations";
  let description = [{
    The whole tile becomes one operation on vectors; at the end of the schedule
    contractions are lowered to outer products, and transfers to rank 1. With
    `copy_length` (a constant or a knob), the copies made by `promote` are done
    by vectors of that length; without, they are left to the lowering.

    Example: `#baco.vectorize<>`, `#baco.vectorize<copy_length = 16>`.
    Verified: `copy_length` positive. On the op: static shape; no earlier
    `vectorize` or `unroll`; a promoted operand is there if `copy_length` is.
    Constraints: all tiles divide, or have another remainder than `"exact"`;
    `copy_length` divides the rows of buffers, unless the op is in parts: rows
    are then copied by vectors of about equal lengths, none longer.
  }];
  let parameters = (ins
    OptionalParameter<"::mlir::Attribute",
                      "vector length of copies">:$copy_length);
  let assemblyFormat = "`<` struct(custom<Field>($copy_length)) `>`";
  let genVerifyDecl = 1;
}

def HoistAttr : Baco_Step<"Hoist", "hoist"> {
  let summary = "a step: keep accumulators in registers across loops";
  let description = [{
    Folds aliases, canonicalizes, moves invariant code out of the loops and
    removes common subexpressions, all of which the hoisting of vector transfers
    silently depends on; then hoists these.

    Example: `#baco.hoist<>`.
    Verified on the op: a `vectorize` comes before.
  }];
  let assemblyFormat = "`<` `>`";
}

def UnrollAttr : Baco_Step<"Unroll", "unroll"> {
  let summary = "a step: unroll a loop";
  let description = [{
    Unrolls the innermost loop that a `tile` made for iterator `iterator` by
    `factor`, a constant or a knob.

    Example:
    `#baco.unroll<iterator = 2, factor = #baco.knob<"KU", #baco.ordinal<[1, 2, 4]>>>`.
    Verified: factor positive. On the op: an earlier `tile` made that loop; no
    remainder has cut the op in parts; no later step works on the op, of which
    there now are several copies.
    Constraints: the factor is at most the trip count.
  }];
  let parameters = (ins
    AttrParameter<"int64_t", "index of an iterator">:$iterator,
    AttrParameter<"::mlir::Attribute", "copies of the body">:$factor);
  let assemblyFormat = "`<` struct($iterator, custom<Field>($factor)) `>`";
  let genVerifyDecl = 1;
}

def LLVMAttr : Baco_Step<"LLVM", "llvm"> {
  let summary = "a step: say how LLVM compiles the kernel";
  let description = [{
    `options` are target options (see the dialect's description), each with a
    constant or a knob called `llvm.` and the option's name. They hold for the
    whole function, wherever the step stands in the recipe.

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
