//===- BacoGpuSteps.td - Steps of recipes for GPUs ---------*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps that distribute an op over the blocks and threads of a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_BACOGPUSTEPS_TD
#define BACO_IR_BACOGPUSTEPS_TD

include "baco/IR/BacoRecipe.td"

def GpuBlocksAttr : Baco_Step<"GpuBlocks", "gpu_blocks", ["needsFullTiles"]> {
  let summary = "a step: distribute tiles over the blocks of a GPU";
  let description = [{
    `sizes` has the size of a block's tile for each iterator of the op; entries
    are constants or knobs, and 0 does not distribute the iterator. The last
    distributed iterator becomes x of the grid, the one before y, those before
    z together. An entry may be a product: `[4, #baco.knob<...>]`.

    Each tile has a block, or, with `global` and `local`, a block has several
    tiles, one after another: the grid has at most `global` / `local` blocks along
    an iterator, which are the number of all threads along it and that of a
    block's, as in OpenCL.

    Example:
    `#baco.gpu_blocks<sizes = [#baco.knob<"BM", #baco.ordinal<[32, 64, 128]>>, 64, 0]>`.
    Verified: a size is not 0, none is negative; `global` and `local`
    are given together, for up to three iterators, and for the same iterators as sizes. On the op: it is
    on memrefs; one size for each iterator, none for a reduction; nothing has
    distributed it before; `gpu_threads` or `gpu_mma` follows.
    Constraints: sizes divide extents, which `gpu_pad` may have changed; y and z of
    the grid are at most 65535;
    `local` divides `global`, for products factor by factor; all blocks have
    equally many tiles, unless there are fewer tiles than blocks.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::ArrayAttr", "a tile size for each iterator">:$sizes,
    OptionalParameter<"::mlir::ArrayAttr",
                      "threads of the grid along each iterator">:$global,
    OptionalParameter<"::mlir::ArrayAttr",
                      "threads of a block along each iterator">:$local);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def GpuSplitAttr : Baco_Step<"GpuSplit", "gpu_split", ["needsFullTiles"]> {
  let summary = "a step: give parts of a sum to different blocks of a GPU";
  let description = [{
    `sizes` has for one iterator, a reduction, how much of it a block sums up: a
    constant, a knob or a product; the others are 0. The parts of the sum are
    blocks along z. Each has a result of its own, in memory that the function
    allocates; a second kernel adds these to the result, in order, so that the
    result is the same each time. With a size that is the extent, nothing changes.
    This is for ops with fewer tiles than the GPU has multiprocessors.

    Upstream has no transform op for this on memrefs: the schedule uses
    `transform.baco.gpu_split`, and needs baco to run.

    Example:
    `#baco.gpu_split<sizes = [0, 0, #baco.knob<"KS", #baco.ordinal<[1024, 2048, 4096]>>]>`.
    Verified: one size is not 0, none is negative. On the op: it is one sum by
    `arith.addf` or `arith.addi`, without `linalg.index`; the iterator is a
    reduction of static extent that indexes dimensions of operands alone; one size
    for each iterator; `gpu_blocks` comes before, without `global`, and distributes
    at most two iterators; no `tile` and no `gpu_fuse` comes before or between.
    Constraints: the size divides the extent, which `gpu_pad` may have changed;
    there are at most 65535 parts.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::ArrayAttr", "the size of a part for one iterator">
      :$sizes);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def GpuPadAttr : Baco_Step<"GpuPad", "gpu_pad"> {
  let summary = "a step: full tiles for any extents";
  let description = [{
    `extents` has for each iterator of the op an extent that isn't smaller than its
    own, or 0, which leaves it as it is. Later steps see the op with these extents,
    so that tiles whose sizes divide them are full. What the op accesses outside of
    its operands is then not there: reads are zeros, and writes aren't done. Only
    accesses to operands check that; what is computed from shared memory and
    registers doesn't.

    Upstream has no transform op for this: the schedule uses
    `transform.baco.gpu_pad` and `transform.baco.gpu_guard`, and needs baco to run.

    Example: `#baco.gpu_pad<extents = [1024, 1024, 1008]>`.
    Verified: none is negative, and not all are 0. On the op: it is on memrefs of
    static shape with static strides, whose dimensions are indexed by sums of
    multiples of iterators; no step has made loops; an extent isn't smaller than the
    op's; iterators with another extent index a dimension of the result, unless the
    op is a product of matrices, which zeros don't change; `gpu_blocks` follows; if
    `vectorize`, `gpu_shared`, `gpu_fuse` or `gpu_mma` does, zeros can be computed
    with, which an integer can't be divided by.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::DenseI64ArrayAttr",
                  "an extent for each iterator, or 0">:$extents);
  let assemblyFormat = "`<` struct(custom<IndexList>($extents)) `>`";
  let genVerifyDecl = 1;
}

def GpuEpilogueAttr : Baco_Step<"GpuEpilogue", "gpu_epilogue"> {
  let summary = "a step: elementwise ops around a product in its kernel";
  let description = [{
    Elementwise linalg ops next to the op become a part of its kernel: one before
    it that sets its result to a scalar or a broadcast, and those behind it that
    read its result, or what such ops write. They are done on accumulators in
    registers. A buffer that the function allocates and nobody else reads is gone;
    others are written as before.

    Upstream has no transform op for this: the schedule uses
    `transform.baco.gpu_epilogue` and `transform.baco.gpu_inline`, and needs baco to
    run.

    Example: `#baco.gpu_epilogue<>`.
    Verified on the op: it is on memrefs; no step has made loops; there are such
    ops, on memrefs of static shape and without recipes, and nothing accesses memory
    between them; what they write isn't read or written in other iterations; later
    steps are `gpu_threads`, `vectorize` and `hoist`, or `gpu_mma`, but not
    `gpu_pad`.
  }];
  let assemblyFormat = "`<` `>`";
}

def GpuSharedAttr
    : Baco_Step<"GpuShared", "gpu_shared", ["needsFullTiles"]> {
  let summary = "a step: copy operand tiles to shared memory";
  let description = [{
    All threads of a block together copy the tiles of `operands`, which are
    inputs, to shared memory in the innermost loop of the step before: by vectors
    of `width` elements, to rows that are `padding` elements longer, so that
    columns don't meet in the same banks. `width` and `padding` are constants or
    knobs; `padding` may be a list, of one for each operand. `limit` is the shared memory that a block of the GPU may have, in
    bytes; more than 48 KiB are allocated at the launch. With `enabled`, a knob
    over 0 and 1, 0 copies nothing. A `baco.gpu_target` lowers the limit.

    With more than one of `stages`, the tiles of the next `stages` - 1 iterations
    are copied by `cp.async` while the threads compute, into as many buffers.
    This needs an `sm_80`. With two stages, vectors that `cp.async` can't copy are
    loaded to registers for the next iteration, and stored after this one.

    Instead of `width`, `run` says how many elements a thread copies one after
    another, by vectors that are as long as possible.

    Example:
    `#baco.gpu_shared<operands = [0, 1], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4]>>, padding = 4, limit = 232448>`.
    Verified: at least one operand, none negative, none twice; `width`, `run`,
    `stages` and `limit` positive; `run` without `width` and `stages`; `padding`
    not negative, and, if a list, as long as that of operands; `enabled` is 0, 1 or a knob over these. On the op: `gpu_blocks`
    comes before, `gpu_threads` does not; the operands are inputs, and each of
    their dimensions is indexed by iterators of static extent, or by a sum of
    multiples of these, as in a stencil or a convolution, whose tiles have borders;
    with `stages`, a `tile` comes before, and rows of the operands begin at
    constant distances and have no borders.
    Constraints: the tiles of all stages fit `limit`; a vector has at most 16
    bytes, and divides rows and padding; `run` divides the tile of the first
    operand; with more than two stages, a vector has 4, 8 or 16 bytes, and rows of
    the operands begin at whole vectors.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::DenseI64ArrayAttr", "indices of operands">:$operands,
    OptionalParameter<"::mlir::Attribute",
                      "vector length of the copies; 1 if not given">:$width,
    OptionalParameter<"::mlir::Attribute",
                      "elements at the end of each row; 0 if not given"
                     >:$padding,
    OptionalParameter<"::mlir::Attribute",
                      "consecutive elements of a thread, instead of `width`"
                     >:$run,
    OptionalParameter<"::mlir::Attribute",
                      "number of buffers; 1 if not given">:$stages,
    DefaultValuedParameter<"int64_t", "49152",
                           "shared memory of a block, in bytes">:$limit,
    OptionalParameter<"::mlir::Attribute", "whether">:$enabled);
  let assemblyFormat = [{
    `<` struct(custom<IndexList>($operands), custom<Field>($width),
               custom<Field>($padding), custom<Field>($run),
               custom<Field>($stages), $limit, custom<Field>($enabled)) `>`
  }];
  let extraClassDeclaration = [{
    /// The padding of each operand; empty if there is none.
    ::llvm::SmallVector<::mlir::Attribute> listPaddings() const;
  }];
  let genVerifyDecl = 1;
}

def GpuFuseAttr : Baco_Step<"GpuFuse", "gpu_fuse", ["needsFullTiles"]> {
  let summary = "a step: compute what the op reads in shared memory";
  let description = [{
    Ops before the op that compute its inputs, and the inputs of such ops, in
    buffers that the function allocates, become a part of its kernel: the threads
    of a block compute the tiles that the block reads, with their borders, in
    shared memory, and the buffers are gone. Elements of borders are computed by
    several blocks. `limit` is the shared memory that a block of the GPU may have,
    in bytes; a `baco.gpu_target` lowers it.

    Example: `#baco.gpu_fuse<limit = 232448>`.
    Verified: `limit` is positive. On the op: `gpu_blocks` comes before,
    `gpu_threads` and `gpu_shared` do not; a linalg op before it, without a
    recipe, writes a buffer that it reads, and nothing else uses these buffers;
    ops read them by iterators of static extent, or by sums of multiples of these,
    and write each element by one iteration of their parallel iterators; what they
    read isn't written before the op is done. Different ops read equal tiles of a
    buffer.
    Constraints: the tiles fit `limit`.
  }];
  let parameters = (ins
    DefaultValuedParameter<"int64_t", "49152",
                           "shared memory of a block, in bytes">:$limit);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
  let genVerifyDecl = 1;
}

def GpuChainAttr : Baco_Step<"GpuChain", "gpu_chain", ["needsFullTiles"]> {
  let summary = "a step: compute rows that the op reads in shared memory";
  let description = [{
    For an op that reads rows which other ops compute by a product of matrices,
    followed by elementwise ops and reductions of rows, as in attention: these ops
    become a part of its kernel, as by `gpu_fuse`. A block computes whole rows, of
    all columns, in shared memory. For the product, it copies tiles of the inputs to
    shared memory, those of `columns` columns at a time, by vectors of `width`
    elements, to rows that are `padding` elements longer if they are along the sum;
    with two `stages`, it copies the next ones while it computes. A thread has a
    tile of `rows` times `run` sums in registers, and adds `depth` products to each
    at a time. Then `lanes` lanes have a row: they keep its elements, and what is
    computed of them, in registers, and reduce them by shuffles. What these lanes
    alone need is not in shared memory. The fields are constants, knobs, or products
    of these. `limit` is the shared memory that the step may take, in bytes; a
    `baco.gpu_target` lowers it.

    With `mma`, the product is done on tensor cores, as by `gpu_mma`, which is the
    step that distributes the op, too: `rows` times `run` sums are those of a warp.
    All rows in shared memory are `padding` elements longer then, also those of the
    product, so that eight of them are in different banks. Only ops that compute the
    first input become a part, back to the product: the inputs of this one, and the
    op's other one, stay in memory, whoever computes them.

    Upstream has no transform op for this: the schedule uses
    `transform.baco.gpu_fuse`, `gpu_group` and others, and needs baco to run.

    Example:
    `#baco.gpu_chain<columns = 64, rows = 4, run = 4, depth = 4, width = 4, padding = 4, stages = 2, lanes = 32, limit = 200000>`.
    Verified: all numbers are positive, but `padding` may be 0; `stages` is 1 or 2,
    and `lanes` a power of two of at most 32. On the op: as for `gpu_fuse`; one of
    the ops is a product of matrices, the last dimensions of whose result are rows
    and columns; those behind it are arithmetic on elements of its rows, or sums,
    products, maxima or minima of them; the op reads all columns.
    Constraints: `columns` and `run` divide columns, `rows` rows of a block, and
    `depth` the sum; `width` divides the rows of tiles and `padding`, and has at
    most 16 bytes; a lane has at most 64 elements of a row; a block has at most 1024
    threads; the tiles fit `limit`. With `mma`: `rows`, `run` and `depth` are
    multiples of 16, 8 and what one instruction adds up, `padding` of 16 bytes, and
    the product has at most as many warps along rows and columns as the op.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::Attribute", "columns of the product at a time">:$columns,
    AttrParameter<"::mlir::Attribute", "rows of a thread's tile">:$rows,
    AttrParameter<"::mlir::Attribute", "columns of a thread's tile">:$run,
    AttrParameter<"::mlir::Attribute", "elements of the sum at once">:$depth,
    AttrParameter<"::mlir::Attribute", "vector length of the copies">:$width,
    AttrParameter<"::mlir::Attribute", "elements at the end of rows">:$padding,
    AttrParameter<"::mlir::Attribute", "number of buffers">:$stages,
    AttrParameter<"::mlir::Attribute", "lanes of a row">:$lanes,
    DefaultValuedParameter<"int64_t", "49152",
                           "shared memory of the step, in bytes">:$limit,
    DefaultValuedParameter<"bool", "false",
                           "whether tensor cores do the product">:$mma);
  let assemblyFormat = [{
    `<` struct(custom<Field>($columns), custom<Field>($rows),
               custom<Field>($run), custom<Field>($depth),
               custom<Field>($width), custom<Field>($padding),
               custom<Field>($stages), custom<Field>($lanes), $limit,
               $mma) `>`
  }];
  let genVerifyDecl = 1;
}

def GpuThreadsAttr
    : Baco_Step<"GpuThreads", "gpu_threads", ["needsFullTiles"]> {
  let summary = "a step: distribute the tile of a block over its threads";
  let description = [{
    `sizes` has the size of a thread's tile for each iterator of the op; entries
    are constants or knobs, and 0 does not distribute the iterator. Iterators
    become x, y and z as in `gpu_blocks`. The loops over blocks and threads
    become a `gpu.launch`, in which later steps work.

    Each tile has a thread or, with `local`, a thread has several tiles, one after
    another: there are at most `local` threads along an iterator, and neighbors
    have neighboring tiles. Vectors of more than 16 bytes that threads read from
    buffers of `gpu_shared` are in parts there, which have no bank conflicts
    (`transform.baco.gpu_interleave`).

    The size for a reduction is how much of what `gpu_shared` has copied a thread
    adds. Threads along z have the other parts, with sums of their own, which are
    added in shared memory in the end, in order: a block of few elements has more
    warps so. With a size that is all that is copied, there are no parts.

    Upstream has no transform op for this: the schedule uses
    `transform.baco.gpu_map` and, for a reduction, `transform.baco.gpu_slice`, and
    needs baco to run.

    Example:
    `#baco.gpu_threads<sizes = [#baco.knob<"TM", #baco.ordinal<[1, 2, 4, 8]>>, 4, 0]>`.
    Verified: one to three sizes are not 0, none is negative; `local` is given
    for the same iterators. On the op: one size for each iterator; `gpu_blocks`
    comes before, no other `gpu_threads`; extents are static. For a reduction: it is
    the only one with a size, and at most two others have one; the op is one sum as
    for `gpu_split`; `gpu_shared` comes before, and `vectorize` and `hoist` follow;
    there is no `local`, `global`, `gpu_fuse` or `gpu_chain`.
    Constraints: sizes divide the tile of a block; a block has at most 1024
    threads, and at most 64 along z; all threads have equally many tiles, unless
    there are fewer tiles than threads; the number of parts of a sum divides the
    size along y, or along x if that is the only one, and their results fit shared
    memory beside the tiles.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::ArrayAttr", "a tile size for each iterator">:$sizes,
    OptionalParameter<"::mlir::ArrayAttr",
                      "threads of a block along each iterator">:$local);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def GpuReduceAttr : Baco_Step<"GpuReduce", "gpu_reduce"> {
  let summary = "a step: reduce all elements to one on a GPU";
  let description = [{
    For an op whose one iterator is a reduction, such as a sum of all elements. A
    block has `local` threads; at most `global` / `local` blocks share the chunks
    of `chunk` elements, the last of which may have fewer. In a chunk a thread
    adds runs of `run` elements, which lie `stride` elements apart: neighboring
    threads access neighboring elements if `stride` is that of threads. Then a block's threads add their sums in
    shared memory, and one of them adds to the result by an atomic operation. The
    fields are constants, knobs, or products of these. No step but `llvm` can follow.

    Upstream has no transform op for this: the schedule uses
    `transform.baco.gpu_reduce`, and needs baco to run.

    Example:
    `#baco.gpu_reduce<chunk = 4096, run = 8, stride = 512, global = 65536, local = 512>`.
    Verified: all are positive. On the op: it is on memrefs and has one iterator,
    a reduction of static extent.
    Constraints: `run` * `stride` divides `chunk`, and `local` divides `global`;
    a block has at most 1024 threads.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::Attribute", "elements of a chunk">:$chunk,
    AttrParameter<"::mlir::Attribute", "elements of a run">:$run,
    AttrParameter<"::mlir::Attribute", "distance of a run's elements">:$stride,
    AttrParameter<"::mlir::Attribute", "threads of the grid">:$global,
    AttrParameter<"::mlir::Attribute", "threads of a block">:$local);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def GpuRowsAttr : Baco_Step<"GpuRows", "gpu_rows"> {
  let summary = "a step: ops on the rows of a matrix in one kernel";
  let description = [{
    For an op whose last iterator is a reduction, and linalg ops next to it that
    need the same rows, such as those of a softmax or of a layer norm: a block has
    `rows` rows, and `lanes` lanes have one. They load its vectors of `width`
    elements in turns, keep what ops compute of it in registers, and reduce by
    shuffles; several warps of a row go on in workgroup memory. The fields are constants, knobs, or products of these. No step but
    `llvm` can follow.

    Upstream has no transform op for this: the schedule uses
    `transform.baco.gpu_rows`, and needs baco to run.

    Example: `#baco.gpu_rows<rows = 4, lanes = 32, width = 4>`.
    Verified: all are positive. On the op: it is on memrefs of static shape, no step
    has made loops, and its one reduction, the last iterator, is a sum, product,
    maximum or minimum; the other ops have no recipes, have its iterators or those
    of rows, nothing accesses memory between them, and what they write isn't read or
    written in other rows; `lanes` is a power of two of at most 1024.
    Constraints: `width` divides a row; a lane has at most 64 elements; a block has
    whole warps, and at most 1024 threads.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::Attribute", "rows of a block">:$rows,
    AttrParameter<"::mlir::Attribute", "lanes of a row">:$lanes,
    AttrParameter<"::mlir::Attribute", "elements of a vector">:$width);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def GpuMmaAttr : Baco_Step<"GpuMma", "gpu_mma", ["needsFullTiles"]> {
  let summary = "a step: multiply matrices on tensor cores";
  let description = [{
    Instead of `gpu_threads`, for products of matrices, or of a batch of them, and
    convolutions with several filters, with sums in f32, or in f16 of f16: each
    tile of `sizes` has a warp, which does it by `mma.sync`, of 16 x 8 x 16 for f16
    and bf16, and of 16 x 8 x 8 for f32 that are rounded to tf32, which the op must
    allow by `baco.tf32`. The accumulators are registers.
    Entries are constants, knobs or products; that of the sum is 0. This needs an
    `sm_80`. No step but `llvm` can follow.

    Upstream has no transform op for this: the schedule uses
    `transform.baco.gpu_mma`, and needs baco to run.

    Example: `#baco.gpu_mma<sizes = [64, #baco.knob<"WN", #baco.ordinal<[32, 64]>>, 0]>`.
    Verified: one to three sizes are not 0, none is negative. On the op: it is such
    a product, and rows of its result are contiguous; `gpu_blocks`, a `tile` of the
    sum and `gpu_shared` of both operands come before; a warp has one product of a
    batch, and one row of an image.
    Constraints: sizes divide the tile of a block; a warp's tile is of multiples
    of 16, 8 and 16 (8 for tf32); rows in shared memory begin at multiples of 16
    bytes; a block has at most 1024 threads.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::ArrayAttr", "a warp's tile size for each iterator"
                 >:$sizes);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // BACO_IR_BACOGPUSTEPS_TD
