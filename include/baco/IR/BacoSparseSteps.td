//===- BacoSparseSteps.td - Steps for sparse tensors -------*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps of recipes on ops with a sparse operand.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_BACOSPARSESTEPS_TD
#define BACO_IR_BACOSPARSESTEPS_TD

include "baco/IR/BacoGpuSteps.td"

def SparsifyAttr : Baco_Step<"Sparsify", "sparsify"> {
  let summary = "a step: choose the format of a sparse operand, and its loops";
  let description = [{
    The op has one sparse operand, an argument of its function, which gets
    another format; callers in the module convert theirs. `tiles` has a size for
    each iterator, 0 for none: an iterator with a size
    becomes two, of which the outer one keeps its number, and the inner one, for
    the elements of a tile, gets the next number behind all iterators. `order` permutes
    all of them, and upstream's sparsifier makes loops in this order. If the iterator indexes
    the sparse operand, the operand has a level for tiles (`floordiv`) and one for
    elements (`mod`), and neither of them nor the outer loop if there is only one tile.

    `format` is a name or a knob over names: `csr`, `csc`, `dcsr` and `dcsc` for
    matrices; `csf` (all levels compressed), `coo` (one list of places) and
    `dense` for any rank; `dense-` before one of these for a dense level around
    the others, as in `dense-csf`; and `given`, the levels of the type. The levels of
    `csf`, `coo` and `dense`, those of tiles included, are in the order in which the loops
    visit them; those of the others are fixed, and restrict `order`: both levels of a split
    dimension take the place of one, and are of its kind.

    `positions` and `coordinates` are the bits in which these are stored, 8, 16, 32
    or 64; those of the type by default. `vl` is the length of vectors in the
    innermost loop, 0 for none. `simd32`, 0 or 1, lets vectors of coordinates have
    32 bits. `peel`, 0 or 1, makes a loop over full vectors, which need no masks, and one
    vector with a mask of the elements that are left; both gather by a load for each
    element, but full vectors by the machine's instruction with `simd32`. `factor`, 0 or 1, takes factors that don't change in a loop out of its sum,
    so that they are multiplied once. `parallel` says which outermost loops run on several threads:
    `"none"`, `"dense-outer-loop"` or `"any-storage-outer-loop"`; `threads` how many,
    all by default. `schedule` says how threads share its iterations: `"static"`, in equal
    parts, or, with a `chunk` above 0, in chunks of so many by turns; `"dynamic"`, in
    chunks as threads come; or `"guided"`, in such chunks that begin large. `unroll`
    is how many iterations of the innermost loop over stored coordinates LLVM unrolls, 0
    for what it chooses itself; with `peel`, how many vectors a sum takes at once. All may be
    knobs.

    Upstream has no transform op for this: the schedule uses
    `transform.baco.sparsify`, and needs baco to run. No step but `llvm` can be beside it.

    Example:
    `#baco.sparsify<format = #baco.knob<"format", #baco.categorical<["csr", "csc", "coo"]>>, order = #baco.knob<"order", #baco.permutation<4>>, tiles = [0, #baco.knob<"tile", #baco.ordinal<[8, 64]>>, 0], coordinates = 16, vl = 8>`.
    Verified: widths, sizes, orders and names are possible ones. On the op: formats suit
    the rank; tiles are for iterators of static extent, and of two elements at least if they index the sparse operand; the operand is of static shape, indexed by one loop for each dimension,
    and nothing else uses it but for its extents.
    Constraints: loops visit the levels from the outermost to the innermost, as
    upstream's sparsifier crashes on other orders; tiles divide extents, and the loop over
    tiles is outside of that in a tile, and just there if it would be the only tile of a
    level; if loops run on several threads,
    the outermost one reduces nothing, as upstream doesn't synchronize sums; positions
    and coordinates fit their widths, as too large ones would silently be wrong; dense
    levels have at most 2^26 positions; what a `sparse_tensor.reduce` begins with, and which
    zeros are entries for an op with regions, is as for the format of the type; `simd32` and `peel` are 1, and `vl` is more than 0, only
    where that has an effect; `threads`, `schedule` and `chunk` have their first values where
    one thread runs.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::Attribute", "name of the format">:$format,
    AttrParameter<"::mlir::Attribute", "order of the iterators">:$order,
    OptionalParameter<"::mlir::ArrayAttr",
                      "size of a tile for each iterator">:$tiles,
    OptionalParameter<"::mlir::Attribute", "bits of a position">:$positions,
    OptionalParameter<"::mlir::Attribute", "bits of a coordinate"
                     >:$coordinates,
    OptionalParameter<"::mlir::Attribute", "length of vectors">:$vl,
    OptionalParameter<"::mlir::Attribute", "narrow vectors of coordinates"
                     >:$simd32,
    OptionalParameter<"::mlir::Attribute", "a loop over full vectors">:$peel,
    OptionalParameter<"::mlir::Attribute", "factors behind sums">:$factor,
    OptionalParameter<"::mlir::Attribute", "parallel loops">:$parallel,
    OptionalParameter<"::mlir::Attribute", "number of threads">:$threads,
    OptionalParameter<"::mlir::Attribute", "how threads share iterations"
                     >:$schedule,
    OptionalParameter<"::mlir::Attribute", "iterations of a chunk">:$chunk,
    OptionalParameter<"::mlir::Attribute", "unroll factor">:$unroll);
  let assemblyFormat = [{
    `<` struct($format, $order, $tiles, custom<Field>($positions),
               custom<Field>($coordinates), custom<Field>($vl),
               custom<Field>($simd32), custom<Field>($peel),
               custom<Field>($factor), $parallel, custom<Field>($threads),
               $schedule, custom<Field>($chunk), custom<Field>($unroll)) `>`
  }];
  let genVerifyDecl = 1;
}

#endif // BACO_IR_BACOSPARSESTEPS_TD
