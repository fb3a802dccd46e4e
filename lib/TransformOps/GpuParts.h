//===- GpuParts.h - Parts of a sum -----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of a sum are iterations of the loop around it, which is mapped to
// blocks or threads, and have results of their own.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TRANSFORMOPS_GPUPARTS_H
#define BACO_LIB_TRANSFORMOPS_GPUPARTS_H

#include "GpuViews.h"
#include "IntegerOperand.h"
#include "TargetError.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/Error.h"

namespace baco {

/// The error says why the sum of `op`, on memrefs, along `iterator` can't be
/// done in parts of `size`.
llvm::Error checkParts(mlir::linalg::LinalgOp op, int64_t iterator,
                       int64_t size);

/// Whether `loop` is mapped to x, or x and y, of `Mapping`, which is blocks or
/// threads, and to nothing along z.
template <typename Mapping>
bool leavesZ(mlir::scf::ForallOp loop) {
  return loop && loop.getMapping() && loop.getOutputs().empty() &&
         llvm::all_of(*loop.getMapping(), [](mlir::Attribute id) {
           auto mapping = llvm::dyn_cast<Mapping>(id);
           return mapping && mapping.getMappingId() <= 1;
         });
}

/// Gives an op, which adds all of `iterator`, parts of it.
class PartWriter : protected IndexWriter {
protected:
  PartWriter(mlir::RewriterBase &builder, mlir::linalg::LinalgOp op,
             int64_t iterator, int64_t size)
      : IndexWriter(builder, op.getLoc()), op(op), iterator(iterator),
        size(size), numParts(op.getStaticLoopRanges()[iterator] / size) {}

  /// The loop around the op with one more dimension, the first one, of parts,
  /// which is mapped to `id`.
  mlir::scf::ForallOp addDimension(mlir::Attribute id);
  /// Lets the op read this part of its inputs.
  void takeParts();
  /// The op's tile of the result in this part of `parts`, which has as many
  /// results as there are parts.
  mlir::Value tileIn(mlir::Value parts);

  mlir::linalg::LinalgOp op;
  int64_t iterator, size, numParts;
  /// The number of the part that an iteration has.
  mlir::Value part;

private:
  void takePart(mlir::OpOperand &operand);
};

/// Finds the size of `op`, a transform op, and those of its targets that have
/// several parts of it. The error of `check` says why a target can't have them.
template <typename Op>
mlir::DiagnosedSilenceableFailure findOpsInParts(
    Op op, mlir::transform::TransformState &state,
    llvm::function_ref<llvm::Error(mlir::Operation *, int64_t, int64_t)> check,
    int64_t &size, llvm::SmallVectorImpl<mlir::linalg::LinalgOp> &ops) {
  std::optional<int64_t> given;
  auto read =
      readInteger(op, "size", op.getSize(), op.getSizeParam(), state, given);
  if (!read.succeeded())
    return read;
  if (*given < 1)
    return op.emitSilenceableError()
           << "the size is " << *given << ", but must be positive";
  size = *given;
  for (mlir::Operation *payload : state.getPayloadOps(op.getTarget())) {
    if (llvm::Error why = check(payload, op.getIterator(), size))
      return refuseTarget(op, payload, std::move(why));
    auto target = llvm::cast<mlir::linalg::LinalgOp>(payload);
    if (target.getStaticLoopRanges()[op.getIterator()] != size)
      ops.push_back(target);
  }
  return mlir::DiagnosedSilenceableFailure::success();
}

} // namespace baco

#endif // BACO_LIB_TRANSFORMOPS_GPUPARTS_H
