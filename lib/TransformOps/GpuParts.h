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

} // namespace baco

#endif // BACO_LIB_TRANSFORMOPS_GPUPARTS_H
