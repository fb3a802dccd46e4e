//===- BufferedProducers.h - Ops whose results one op reads -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which linalg ops on memrefs compute only what another one reads: then tiles
// of their results can be computed where they are read.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_ANALYSIS_BUFFEREDPRODUCERS_H
#define BACO_ANALYSIS_BUFFEREDPRODUCERS_H

#include "baco/IR/BacoAttributes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/Error.h"

namespace baco {

/// Whose results are computed where they are read.
enum class ProducerScope {
  /// All inputs', and inputs' of the ops that compute them.
  Inputs,
  /// The first input's, up to a product of matrices, whose own inputs
  /// stay in memory.
  Rows
};

/// The scope of `step`: on tensor cores, rows.
inline ProducerScope scopeOf(GpuChainAttr step) {
  return step.getMma() ? ProducerScope::Rows : ProducerScope::Inputs;
}

struct BufferedProducers {
  /// In their order in the block.
  llvm::SmallVector<mlir::linalg::LinalgOp> ops;
  /// The buffers that they write: allocations that nobody reads but the
  /// consumer and these ops.
  llvm::SetVector<mlir::Value> buffers;
};

/// All such ops in `scope` for the inputs of `consumer`, which is `position` or
/// in it, and for the inputs of these ops, in the block of `position`. Each
/// writes whole buffers, each element once but for a reduction's, and computes
/// the same if it runs at `position`. The error says that there are none, or
/// why one of them can't.
llvm::Expected<BufferedProducers>
findBufferedProducers(mlir::linalg::LinalgOp consumer,
                      mlir::Operation *position,
                      ProducerScope scope = ProducerScope::Inputs);

/// The ops that `recipe` of `op` makes a part of its kernel by `gpu_fuse` or
/// `gpu_chain`; none if it can't.
llvm::SmallVector<mlir::linalg::LinalgOp>
listFusedProducers(mlir::linalg::LinalgOp op, RecipeAttr recipe);

} // namespace baco

#endif // BACO_ANALYSIS_BUFFEREDPRODUCERS_H
