//===- Epilogue.h - Ops around another one, by elements --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which linalg ops on memrefs set what another one adds to, or read its result,
// element by element: who has an element of the result in a register can do
// them there.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_ANALYSIS_EPILOGUE_H
#define BACO_ANALYSIS_EPILOGUE_H

#include "baco/Analysis/PlacedOp.h"

namespace baco {

/// The elementwise ops of the op with the result `result`.
struct Epilogue {
  /// The memref, without the casts of `transform.baco.gpu_pad`.
  mlir::Value result;
  /// Sets the result, which the op then adds to, to a scalar or a broadcast.
  std::optional<PlacedOp> before;
  /// Read the result, or what an op before in this list writes.
  llvm::SmallVector<PlacedOp> after;

  bool isEmpty() const { return !before && after.empty(); }
  /// All ops, in their order.
  llvm::SmallVector<mlir::linalg::LinalgOp> list() const;
};

/// The ops without recipes next to `op` in its block that can be done where
/// elements of the result of `op` are: nothing accesses memory between them,
/// and iterations other than their own don't access what they write. Empty if
/// `op` hasn't one result that is a whole buffer of static shape. An op is part
/// of one epilogue at most.
Epilogue findEpilogue(mlir::linalg::LinalgOp op);

/// The same for an op that has become `kernel`, whose regions read and write
/// `result`, and read other memrefs.
Epilogue findEpilogue(mlir::Operation *kernel, mlir::Value result);

} // namespace baco

#endif // BACO_ANALYSIS_EPILOGUE_H
