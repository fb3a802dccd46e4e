//===- AnnotateGpu.h - Automatic recipes for GPUs ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_GPUSCHEDULE_ANNOTATEGPU_H
#define BACO_GPUSCHEDULE_ANNOTATEGPU_H

#include "mlir/IR/BuiltinOps.h"

namespace baco {
struct GpuLimits;
} // namespace baco

namespace baco::schedule {

/// Gives each linalg op of static shape in a function of the outermost module a
/// `baco.recipe` for an NVIDIA GPU: matrix products tensor cores, or tiles in
/// shared memory and in registers, reductions of all elements `gpu_reduce`, and
/// others a tile of their parallel iterators per thread, with shared memory for
/// windows of stencils and convolutions. All ops get one, also those that only
/// set elements, because memory of a GPU is only for kernels. An op that has a
/// recipe keeps it. One that can't get any, or a loop that can't become one,
/// gets a remark that gives the reason. Does what decomposeForGpu does first.
/// Returns how many ops got a recipe.
int64_t annotateForGpu(mlir::ModuleOp module, const GpuLimits &gpu);

/// Gets loops that can't become linalg ops, and the reasons.
using RefusedLoop =
    llvm::function_ref<void(mlir::Operation *loop, llvm::StringRef why)>;

/// Bufferizes the module if it has tensors, and then makes linalg ops, which
/// can get recipes for GPUs, of each softmax on memrefs, each `memref.copy` of
/// static shape, and loops (loopnest::raiseToLinalg) in a function of the
/// outermost module; their number. A module that can't be bufferized gets a
/// remark, and stays on tensors; so does, without one, a module with a recipe
/// for tensors.
int64_t decomposeForGpu(mlir::ModuleOp module, RefusedLoop onRefused = {});

} // namespace baco::schedule

#endif // BACO_GPUSCHEDULE_ANNOTATEGPU_H
