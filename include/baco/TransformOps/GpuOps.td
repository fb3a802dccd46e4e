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

class BacoGpuOp<string mnemonic> : Op<Transform_Dialect, "baco." # mnemonic,
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let cppNamespace = "::baco";
}

def GpuPromoteOp : BacoGpuOp<"gpu_promote"> {
  let summary = "copies operands to shared memory";
  let description = [{
    For each targeted linalg op, allocates a buffer in workgroup memory for each
    of its input operands `operands`, which are memrefs of static shape, copies
    the operand there by a `linalg.copy`, and lets the op read the buffer. Rows
    of a buffer are `padding` elements longer than those of the operand: an
    attribute, or a parameter with one value; 0 if there is neither.

    The target stays valid. The result is a handle to the copies, for
    `transform.baco.gpu_copy`. An operand that isn't there, isn't an input or
    isn't of static shape is a silenceable error.

    Example:

    ```mlir
    %copies = transform.baco.gpu_promote %op [0, 1]
      : (!transform.any_op) -> !transform.any_op
    %copies = transform.baco.gpu_promote %op [0, 1] padding %p
      : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                   DenseI64ArrayAttr:$operands,
                   Optional<TransformParamTypeInterface>:$padding_param,
                   OptionalAttr<I64Attr>:$padding);
  let results = (outs TransformHandleTypeInterface:$copies);
  let assemblyFormat = [{
    $target $operands (`padding` $padding_param^)? attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def GpuMapOp : BacoGpuOp<"gpu_map"> {
  let summary = "makes a launch of loops that are mapped to blocks and threads";
  let description = [{
    Each outermost `scf.forall` of the targeted functions that is mapped to
    blocks becomes a `gpu.launch`, with one block for each iteration. Those in
    it that are mapped to threads become its threads: as many as the largest
    needs, the others are for some of the threads only. Allocations of workgroup
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

def GpuCopyOp : BacoGpuOp<"gpu_copy"> {
  let summary = "distributes copies over the threads of a block";
  let description = [{
    All threads of the launch around them do the targeted `linalg.copy` ops
    together, by vectors of `width` elements, neighbors by neighbors; `width` is
    an attribute or a parameter with one value. Barriers are put behind the
    copies and, if they are in a loop, before them: one of each for copies that
    follow each other.

    The handle is consumed. A silenceable error if a copy isn't in a launch of
    a constant number of threads, isn't of static shape, or has rows that
    `width` doesn't divide.

    Example:

    ```mlir
    transform.baco.gpu_copy %copies {width = 4} : !transform.any_op
    transform.baco.gpu_copy %copies by %w : !transform.any_op, !transform.param<i64>
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                   Optional<TransformParamTypeInterface>:$width_param,
                   OptionalAttr<I64Attr>:$width);
  let assemblyFormat = [{
    $target (`by` $width_param^)? attr-dict `:` type($target)
    (`,` type($width_param)^)?
  }];
  let hasVerifier = 1;
}

#endif // BACO_TRANSFORMOPS_GPUOPS_TD
