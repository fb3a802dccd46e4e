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
    distributed iterator becomes x of the grid, the one before y, the one before
    z.

    Example:
    `#baco.gpu_blocks<sizes = [#baco.knob<"BM", #baco.ordinal<[32, 64, 128]>>, 64, 0]>`.
    Verified: one to three sizes are not 0, none is negative. On the op: it is
    on memrefs; one size for each iterator, none for a reduction; nothing has
    distributed it before; `gpu_threads` follows.
    Constraints: sizes divide extents; y and z of the grid are at most 65535.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::ArrayAttr", "a tile size for each iterator"
                 >:$sizes);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def GpuSharedAttr
    : Baco_Step<"GpuShared", "gpu_shared", ["needsFullTiles"]> {
  let summary = "a step: copy operand tiles to shared memory";
  let description = [{
    All threads of a block together copy the tiles of `operands`, which are
    inputs, to shared memory in the innermost loop of the step before: by vectors
    of `width` elements, to rows that are `padding` elements longer, so that
    columns don't meet in the same banks. `width` and `padding` are constants or
    knobs. `limit` is the shared memory that a block of the GPU may have, in
    bytes; more than 48 KiB are allocated at the launch. With `enabled`, a knob
    over 0 and 1, 0 copies nothing.

    Example:
    `#baco.gpu_shared<operands = [0, 1], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4]>>, padding = 4, limit = 232448>`.
    Verified: at least one operand, none negative, none twice; `width` and
    `limit` positive; `padding` not negative; `enabled` is 0, 1 or a knob over
    these. On the op: `gpu_blocks` comes before, `gpu_threads` does not; the
    operands are inputs, and each of their dimensions is indexed by one iterator
    of static extent.
    Constraints: the tiles fit `limit`; a vector has at most 16 bytes, and
    divides rows and padding.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::DenseI64ArrayAttr", "indices of operands">:$operands,
    OptionalParameter<"::mlir::Attribute",
                      "vector length of the copies; 1 if not given">:$width,
    OptionalParameter<"::mlir::Attribute",
                      "elements at the end of each row; 0 if not given"
                     >:$padding,
    DefaultValuedParameter<"int64_t", "49152",
                           "shared memory of a block, in bytes">:$limit,
    OptionalParameter<"::mlir::Attribute", "whether">:$enabled);
  let assemblyFormat = [{
    `<` struct(custom<IndexList>($operands), custom<Field>($width),
               custom<Field>($padding), $limit, custom<Field>($enabled)) `>`
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

    Upstream has no transform op for this: the schedule uses
    `transform.baco.gpu_map`, and needs baco to run.

    Example:
    `#baco.gpu_threads<sizes = [#baco.knob<"TM", #baco.ordinal<[1, 2, 4, 8]>>, 4, 0]>`.
    Verified: one to three sizes are not 0, none is negative. On the op: one
    size for each iterator, none for a reduction; `gpu_blocks` comes before, no
    other `gpu_threads`; extents are static.
    Constraints: sizes divide the tile of a block; a block has at most 1024
    threads, and at most 64 along z.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::ArrayAttr", "a tile size for each iterator"
                 >:$sizes);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // BACO_IR_BACOGPUSTEPS_TD
