//===- GpuOps.td - Transform ops for GPUs ------------------*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From tiles in `scf.forall` ops with mappings to `gpu.launch`.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TRANSFORMOPS_GPUOPS_TD
#define BACO_TRANSFORMOPS_GPUOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

// `consumes`: the target is no handle to anything any more.
class BacoGpuOp<string mnemonic, bit consumes, list<Trait> traits = []>
    : Op<Transform_Dialect, "baco." # mnemonic, traits # [
        DeclareOpInterfaceMethods<TransformOpInterface>,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let cppNamespace = "::baco";
  let extraClassDefinition = [{
    void $cppClass::getEffects(
        llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects) {
      addTargetEffects(getOperation(), }] # !if(consumes, "true", "false") # [{, effects);
    }
  }];
}

def GpuPromoteOp : BacoGpuOp<"gpu_promote", 0, [AttrSizedOperandSegments]> {
  let summary = "copies operands to shared memory";
  let description = [{
    For each targeted linalg op, allocates a buffer in workgroup memory for each
    of its input operands `operands`, which are memrefs of static shape, copies
    the operand there by a `linalg.copy`, and lets the op read the buffer. Rows
    of a buffer are `padding` elements longer than those of the operand: an
    attribute, or a parameter with one value; 0 if there is neither.

    With more than one of `stages`, which is given in the same way, there are as
    many buffers of each operand, and `transform.baco.gpu_copy` makes copies for
    later iterations of the loop around them.

    The target stays valid. The result is a handle to the copies, for
    `transform.baco.gpu_copy`. An operand that isn't there, isn't an input or
    isn't of static shape is a silenceable error.

    Example:

    ```mlir
    %copies = transform.baco.gpu_promote %op [0, 1]
      : (!transform.any_op) -> !transform.any_op
    %copies = transform.baco.gpu_promote %op [0, 1] padding %p
      : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    %copies = transform.baco.gpu_promote %op [0, 1] {padding = 4, stages = 3}
      : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                   ConfinedAttr<DenseI64ArrayAttr,
                     [DenseArrayNonNegative<DenseI64ArrayAttr>]>:$operands,
                   Optional<TransformParamTypeInterface>:$padding_param,
                   Optional<TransformParamTypeInterface>:$stages_param,
                   OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$padding,
                   OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$stages);
  let results = (outs TransformHandleTypeInterface:$copies);
  let assemblyFormat = [{
    $target $operands (`padding` $padding_param^)?
    (`stages` $stages_param^)? attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def GpuFuseOp : BacoGpuOp<"gpu_fuse", 0> {
  let summary = "computes what an op reads in shared memory";
  let description = [{
    For each targeted linalg op on memrefs, which is in loops: linalg ops before
    these loops that compute its inputs, and the inputs of such ops, in buffers
    that the function allocates, are moved to the op, where they compute the tiles
    that it reads in workgroup memory. The buffers, which nothing else may use,
    are gone. With `rows`, only ops that compute the first input are moved, back to a
    product of matrices, whose inputs stay in memory.

    The target stays valid. The result is a handle to the ops that were moved, for
    `transform.baco.gpu_compute`. A silenceable error if there are none, if one
    can't be moved, or if different tiles of a buffer are read.

    Example:

    ```mlir
    %ops = transform.baco.gpu_fuse %op : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, UnitAttr:$rows);
  let results = (outs TransformHandleTypeInterface:$computed);
  let assemblyFormat = "$target attr-dict `:` functional-type(operands, results)";
}

def GpuComputeOp : BacoGpuOp<"gpu_compute", 1> {
  let summary = "distributes ops over the threads of a block";
  let description = [{
    All threads of the launch around them do the targeted linalg ops on memrefs
    together: elements of results go to threads one by one, neighbors to
    neighbors. Barriers are put behind the ops, between those that read what others
    write, and, if they are in a loop, before them.

    The handle is consumed. A silenceable error if an op isn't in a launch of a
    constant number of threads or isn't of static shape.

    Example:

    ```mlir
    transform.baco.gpu_compute %ops : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat = "$target attr-dict `:` type($target)";
}

def GpuGroupOp : BacoGpuOp<"gpu_group", 1> {
  let summary = "finds a product among ops, and what follows it row by row";
  let description = [{
    The targeted linalg ops on memrefs, which `transform.baco.gpu_fuse` has moved
    into a block, are a chain: one of them multiplies matrices, and those that it
    doesn't need are arithmetic on its rows, or reduce them. These follow it from
    then on. With a `padding`, an attribute or a parameter with one value, rows of
    the product, and those that others read, become that many elements longer.

    The handle is consumed. The results are handles to the ops that compute what
    the product reads and adds to, to the product, and to those on rows. A
    silenceable error if the ops aren't such a chain, or the padding is negative.

    Example:

    ```mlir
    %elements, %product, %rows = transform.baco.gpu_group %ops {padding = 8}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                   Optional<TransformParamTypeInterface>:$padding_param,
                   OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$padding);
  let results = (outs TransformHandleTypeInterface:$elements,
                      TransformHandleTypeInterface:$product,
                      TransformHandleTypeInterface:$rows);
  let assemblyFormat = [{
    $target (`padding` $padding_param^)? attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def GpuHoistOp : BacoGpuOp<"gpu_hoist", 1> {
  let summary = "keeps sums that are in shared memory in registers";
  let description = [{
    In the launches of the targeted functions, vectors that each iteration of an
    `scf.for` reads from the same place in workgroup memory and writes back are
    carried by the loop. It begins with what was written there before, as zeros, if
    no thread can have changed that. Upstream's
    `transform.structured.hoist_redundant_vector_transfers` hoists nothing from
    views, of which that memory consists where it has more than 48 KiB.

    The target is consumed, as loops in it become others; the result is a new handle
    to the functions.

    Example:

    ```mlir
    %hoisted = transform.baco.gpu_hoist %function
      : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs TransformHandleTypeInterface:$transformed);
  let assemblyFormat = "$target attr-dict `:` functional-type(operands, results)";
}

def GpuComputeRowsOp : BacoGpuOp<"gpu_compute_rows", 1> {
  let summary = "distributes ops on rows over the lanes of a block";
  let description = [{
    The targeted linalg ops on memrefs are arithmetic on the rows of a matrix, or
    reduce them, in an `scf.forall` that is mapped to blocks. The threads that
    other loops in it are mapped to do them together: `lanes` lanes have a row, an
    attribute or a parameter with one value. They load its vectors in turns, keep
    all that ops compute of it in registers, and reduce by shuffles. What others
    read is stored at the end; buffers that nothing else uses are gone. Threads that
    don't fill a warp have no rows. Barriers are put before and behind the ops, so
    that `transform.baco.gpu_map` must follow.

    The handle is consumed. A silenceable error if the ops aren't such ops of static
    shape in such a loop, `lanes` isn't a power of two of at most 32, a lane has
    more than 64 elements, or no warp is full.

    Example:

    ```mlir
    transform.baco.gpu_compute_rows %rows {lanes = 32} : !transform.any_op
    transform.baco.gpu_compute_rows %rows by %l
      : !transform.any_op, !transform.param<i64>
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                   Optional<TransformParamTypeInterface>:$lanes_param,
                   OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$lanes);
  let assemblyFormat = [{
    $target (`by` $lanes_param^)? attr-dict `:` type($target)
    (`,` type($lanes_param)^)?
  }];
  let hasVerifier = 1;
}

def GpuEpilogueOp : BacoGpuOp<"gpu_epilogue", 0> {
  let summary = "prepares elementwise ops around an op for its kernel";
  let description = [{
    For each targeted linalg op on memrefs: a linalg op before it that sets its
    result to a scalar or a broadcast, and elementwise ops behind it that read its
    result, or what such ops write. What these ops need is computed before the
    target, and the result gets a name of its own, by which
    `transform.baco.gpu_inline` finds accesses to it; without that the function
    can't run.

    The target stays valid. A silenceable error if there is no such op.

    Example: `transform.baco.gpu_epilogue %op : !transform.any_op`
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat = "$target attr-dict `:` type($target)";
}

def GpuInlineOp : BacoGpuOp<"gpu_inline", 0> {
  let summary = "does elementwise ops where a launch accesses its result";
  let description = [{
    In the targeted functions, ops that `transform.baco.gpu_epilogue` has prepared
    are done in the launch that the op between them has become: each load of its
    result becomes what the op before computes, and each store the ops behind and
    the stores of what they write. The ops are gone, and so are buffers that the
    function allocates and that nothing else uses.

    The target stays valid, handles to ops in it don't. A silenceable error if the
    launch accesses the result by other ops than loads and stores, or stores an
    element several times.

    Example: `transform.baco.gpu_inline %function : !transform.any_op`
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat = "$target attr-dict `:` type($target)";
}

def GpuPadOp : BacoGpuOp<"gpu_pad", 0> {
  let summary = "lets an op have larger extents than its operands";
  let description = [{
    Each targeted linalg op on memrefs gets `extents`, one for each iterator; 0
    leaves that of the op. Its operands become views that are larger than the
    memory behind them, so that the accesses in it must be guarded by
    `transform.baco.gpu_guard` before the function can run.

    The target stays valid. A silenceable error if an extent is smaller than the
    op's, or an operand isn't a memref of static shape and strides whose dimensions
    are indexed by sums of multiples of iterators.

    Example: `transform.baco.gpu_pad %op [1024, 1024, 0] : !transform.any_op`
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                   ConfinedAttr<DenseI64ArrayAttr,
                     [DenseArrayNonNegative<DenseI64ArrayAttr>]>:$extents);
  let assemblyFormat = "$target $extents attr-dict `:` type($target)";
}

def GpuGuardOp : BacoGpuOp<"gpu_guard", 0> {
  let summary = "guards accesses to views that are larger than their memory";
  let description = [{
    In the targeted functions, accesses to views that `transform.baco.gpu_pad` made
    become accesses to the memory behind them: outside of it, zero is read and
    nothing is written. Linalg ops on such views become loops. The views are gone.

    The target stays valid, handles to ops in it don't. A silenceable error if a
    view is used by an op that can't be guarded.

    Example: `transform.baco.gpu_guard %function : !transform.any_op`
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat = "$target attr-dict `:` type($target)";
}

def DropIteratorsOp : BacoGpuOp<"drop_iterators", 1> {
  let summary = "leaves out iterators of extent 1";
  let description = [{
    Each targeted linalg op on memrefs of static shape becomes a `linalg.generic`
    without `iterators`, whose extents are 1, on slices of its operands. Where
    these were iterators of a window, as of a convolution, slices have the distances
    of windows as strides, and each dimension of an operand is indexed by one
    iterator, so that the op can be vectorized.

    The result is a handle to the new ops; the target is consumed. A silenceable
    error if an iterator isn't there or has another extent, if an op needs the
    numbers of iterations, or if a dimension is indexed by several iterators that
    are left.

    Example:

    ```mlir
    %product = transform.baco.drop_iterators %convolution [0, 4, 5]
      : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                   ConfinedAttr<DenseI64ArrayAttr,
                     [DenseArrayNonNegative<DenseI64ArrayAttr>]>:$iterators);
  let results = (outs TransformHandleTypeInterface:$transformed);
  let assemblyFormat = [{
    $target $iterators attr-dict `:` functional-type(operands, results)
  }];
}

def GpuSplitOp : BacoGpuOp<"gpu_split", 0> {
  let summary = "gives parts of a sum to different blocks";
  let description = [{
    Each targeted linalg op on memrefs, in an `scf.forall` that is mapped to blocks
    along x, or x and y, adds only `size` elements along the reduction `iterator`:
    an attribute, or a parameter with one value. The loop gets a dimension along z,
    of the parts of the sum. Each has a result of its own in memory that is
    allocated, and set to zeros; a `gpu.launch` behind the loop adds the parts to
    the result, in order. An op whose extent is `size` stays as it is.

    The target stays valid. The result is a handle to the `linalg.fill` ops for
    `transform.baco.gpu_compute`. A silenceable error if the op isn't one sum by
    `arith.addf` or `arith.addi`, `iterator` isn't a reduction that indexes operands
    alone, shapes aren't static, or `size` doesn't divide the extent.

    Example:

    ```mlir
    %zeros = transform.baco.gpu_split %op iterator 2 {size = 512}
      : (!transform.any_op) -> !transform.any_op
    %zeros = transform.baco.gpu_split %op by %size iterator 2
      : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                   Optional<TransformParamTypeInterface>:$size_param,
                   ConfinedAttr<I64Attr, [IntNonNegative]>:$iterator,
                   OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$size);
  let results = (outs TransformHandleTypeInterface:$zeros);
  let assemblyFormat = [{
    $target (`by` $size_param^)? `iterator` $iterator attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def GpuSliceOp : BacoGpuOp<"gpu_slice", 0> {
  let summary = "gives parts of a sum to different threads of a block";
  let description = [{
    Each targeted linalg op on memrefs, in an `scf.forall` that is mapped to threads
    along x, or x and y, adds only `size` elements along the reduction `iterator`:
    an attribute, or a parameter with one value. The loop gets a dimension along z,
    of the parts of the sum. Each has a result of its own in workgroup memory, for
    the tile of a block, which is set to zeros before the loops that the block has
    around it. Behind these there is a barrier, and the threads add the parts to the
    result, in order. An op whose extent is `size` stays as it is.

    The target stays valid. A silenceable error if the op isn't one sum by
    `arith.addf` or `arith.addi`, `iterator` isn't a reduction that indexes operands
    alone, shapes aren't static, `size` doesn't divide the extent, there is no loop
    that is mapped to blocks, or the number of parts divides no extent of a thread's
    tile.

    Example:

    ```mlir
    transform.baco.gpu_slice %op iterator 2 {size = 8} : (!transform.any_op) -> ()
    transform.baco.gpu_slice %op by %size iterator 2
      : (!transform.any_op, !transform.param<i64>) -> ()
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                   Optional<TransformParamTypeInterface>:$size_param,
                   ConfinedAttr<I64Attr, [IntNonNegative]>:$iterator,
                   OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$size);
  let assemblyFormat = [{
    $target (`by` $size_param^)? `iterator` $iterator attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def GpuMapOp : BacoGpuOp<"gpu_map", 0> {
  let summary = "makes a launch of loops that are mapped to blocks and threads";
  let description = [{
    Each outermost `scf.forall` of the targeted functions that is mapped to
    blocks becomes a `gpu.launch`, with one block for each iteration. Those in
    it that are mapped to threads, or to warps, become its threads: as many as
    the largest needs, the others are for some of the threads only. Allocations of workgroup
    memory in it become memory of the launch: static memory, or dynamic memory if
    they have more than 48 KiB.

    The target, and handles to ops in the loops, stay valid. An extent that isn't
    static, more than 1024 threads, or a function without such a loop is a
    silenceable error.

    Example: `transform.baco.gpu_map %function : !transform.any_op`
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat = "$target attr-dict `:` type($target)";
}

def GpuCopyOp : BacoGpuOp<"gpu_copy", 1> {
  let summary = "distributes copies over the threads of a block";
  let description = [{
    All threads of the launch around them do the targeted `linalg.copy` ops
    together, by vectors of `width` elements, neighbors by neighbors; `width` is
    an attribute or a parameter with one value. Barriers are put behind the
    copies and, if they are in a loop, before them: one of each for copies that
    follow each other. With `consecutive`, a thread copies `width` elements one
    after another, by vectors that are as long as possible and at most 16 bytes.

    Copies to one of `stages` buffers are done by `cp.async`, for a later
    iteration of the loop that they are in: while the threads compute, `stages`
    - 1 tiles are on their way. There is one barrier in an iteration. To one of two
    buffers, vectors that `cp.async` can't copy, of another size than 4, 8 or 16
    bytes or not aligned, go through registers.

    The handle is consumed. A silenceable error if a copy isn't in a launch of
    a constant number of threads, isn't of static shape, or has rows that
    `width` doesn't divide; in stages, if it isn't in a loop with constant bounds,
    and in more than two, if `cp.async` can't copy a vector.

    Example:

    ```mlir
    transform.baco.gpu_copy %copies {width = 4} : !transform.any_op
    transform.baco.gpu_copy %copies by %w : !transform.any_op, !transform.param<i64>
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                   Optional<TransformParamTypeInterface>:$width_param,
                   OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$width,
                   UnitAttr:$consecutive);
  let assemblyFormat = [{
    $target (`by` $width_param^)? (`consecutive` $consecutive^)? attr-dict `:` type($target)
    (`,` type($width_param)^)?
  }];
  let hasVerifier = 1;
}

def GpuReduceOp : BacoGpuOp<"gpu_reduce", 1> {
  let summary = "makes a launch that reduces all elements to one";
  let description = [{
    Replaces each targeted linalg op, which has one iterator, a reduction, by a
    `gpu.launch`. `numbers` are five constants or parameters: `chunk`, `run`,
    `stride`, `global` and `local`. A block has `local` threads, and at most
    `global` / `local` blocks share the chunks of `chunk` elements. In a chunk, a
    thread adds runs of `run` elements at a distance of `stride`: run number r
    begins at element `run * stride * (r / stride) + r % stride`. A block's
    threads add what they have in shared memory, and one of them adds the sum to
    the result by an atomic operation: results of floats depend on the order.

    The handle is consumed. A silenceable error if the op isn't such a reduction
    by `arith.addf`, `addi`, `maximumf`, `minimumf`, `maxsi`, `minsi`, `maxui` or
    `minui` of elements of 32 or 64 bits, its extent isn't static, runs don't
    divide chunks, or a block has more than 1024 threads.

    Example:

    ```mlir
    transform.baco.gpu_reduce %op [4096, 8, 512, 65536, 512] : !transform.any_op
    transform.baco.gpu_reduce %op [%c, 8, 512, %g, 512]
      : !transform.any_op, !transform.param<i64>, !transform.param<i64>
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                   Variadic<TransformParamTypeInterface>:$params,
                   DenseI64ArrayAttr:$numbers);
  let assemblyFormat = [{
    $target custom<DynamicIndexList>($params, $numbers) attr-dict `:`
    type($target) (`,` type($params)^)?
  }];
  let hasVerifier = 1;
}

def GpuRowsOp : BacoGpuOp<"gpu_rows", 1> {
  let summary = "makes a launch of ops on the rows of a matrix";
  let description = [{
    Replaces each targeted linalg op on memrefs, whose last iterator is a reduction,
    and linalg ops next to it that need the same rows, by a `gpu.launch`. `numbers`
    are three constants or parameters: `rows`, `lanes` and `width`. A block has
    `rows` rows, and `lanes` lanes have one: they load its vectors of `width`
    elements in turns, keep all that ops compute of it in registers, and reduce by
    shuffles; several warps of a row go on in workgroup memory. What others read is stored at the end; a buffer that the
    function allocates and that nothing else uses is gone.

    The handle is consumed. A silenceable error if there are no such ops, `lanes`
    isn't a power of two of at most 1024, `width` doesn't divide the row, a lane has
    more than 64 elements, or a block has no whole warps or more than 1024 threads.

    Example:

    ```mlir
    transform.baco.gpu_rows %op [4, 32, 4] : !transform.any_op
    transform.baco.gpu_rows %op [4, %l, 4] : !transform.any_op, !transform.param<i64>
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                   Variadic<TransformParamTypeInterface>:$params,
                   DenseI64ArrayAttr:$numbers);
  let assemblyFormat = [{
    $target custom<DynamicIndexList>($params, $numbers) attr-dict `:`
    type($target) (`,` type($params)^)?
  }];
  let hasVerifier = 1;
}

def GpuInterleaveOp : BacoGpuOp<"gpu_interleave", 0> {
  let summary = "keeps threads' long vectors out of each other's banks";
  let description = [{
    Threads that are next to each other read vectors of a row next to each other
    from workgroup memory. If these are longer than 16 bytes, each load takes 16
    bytes of each, which lie in the same banks. In the launches of the targeted
    functions, rows of such buffers have the first 16 bytes of all vectors before
    the second 16 bytes of all, and so on.

    A buffer stays as it is if its vectors have different lengths, don't begin at
    multiples of their length, or don't fill the rows, or if anything but loads,
    stores and copies accesses it.

    With `rows`, a buffer of which each thread loads some rows next to each other
    has the first rows of all threads before the second ones, and so on, if
    neighbors then use different banks.

    The target stays valid.

    Example: `transform.baco.gpu_interleave %function {rows} : !transform.any_op`
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, UnitAttr:$rows);
  let assemblyFormat = "$target attr-dict `:` type($target)";
}

def GpuMmaOp : BacoGpuOp<"gpu_mma", 1> {
  let summary = "multiplies matrices on tensor cores";
  let description = [{
    Replaces each targeted linalg op, which multiplies matrices or is a
    convolution, the tile of a warp in the loop of a launch over its sum, by
    `nvvm.mma.sync`: of 16 x 8 x 16 for f16 and bf16, of 16 x 8 x 8 for f32, which
    is rounded to tf32. Both inputs are in workgroup memory, from where
    `nvgpu.ldmatrix` loads them, or loads of single elements of 32 bits if the sum
    isn't along rows. The output has f32. The
    accumulators are registers, which the loop carries: the output is read before
    it, and written behind it. With `overwrites`, a `linalg.fill` has set the whole
    buffer of which the output is a part, and nothing else adds to it: accumulators
    begin with that value instead, and the fill is gone.

    The handle is consumed. A silenceable error if the op isn't such a tile, its
    extents aren't multiples of 16, 8 and 16 (8 for tf32), rows of the inputs don't
    begin at multiples of 16 bytes, the op is on f32 without `baco.tf32`, or there is
    no such fill.

    Upstream's `transform.nvgpu.rewrite_matmul_as_mma_sync` knows f16 only with
    sums of f16, and no bf16; it reads and writes the output for each instruction.

    Example: `transform.baco.gpu_mma %tile : !transform.any_op`
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                   UnitAttr:$overwrites);
  let assemblyFormat = "$target attr-dict `:` type($target)";
}

#endif // BACO_TRANSFORMOPS_GPUOPS_TD
