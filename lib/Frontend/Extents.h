//===- Extents.h - Extents of a function's arguments ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_EXTENTS_H
#define BACO_LIB_FRONTEND_EXTENTS_H

#include "baco/Frontend/RequestedShapes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

namespace baco::frontend {

/// The extents of each argument of a function, ShapedType::kDynamic where they
/// are unknown, and openExtent(N) where they stay dynamic. Arguments that are
/// neither memrefs nor ranked tensors have none.
using Extents = llvm::SmallVector<llvm::SmallVector<int64_t>>;

/// The number of extents that stay dynamic.
int64_t countOpenExtents(const Extents &extents);

/// The extents in the types of the arguments.
Extents extentsOf(mlir::func::FuncOp function);

/// Whether `value` is a memref or tensor that has a rank, but not all extents.
bool isDynamic(mlir::Value value);

/// Whether all are known.
bool areKnown(const Extents &extents);

/// Adds the extents that linalg ops on the arguments require: both operands of
/// a product have as many terms, for example. The error names the
/// contradiction.
llvm::Error deduceExtents(mlir::func::FuncOp function, Extents &extents);

/// The product of all known extents, as far as it fits.
int64_t sizeOf(const Extents &extents);

/// The extents of the arguments of dynamic shape, unknown and open ones
/// included.
RequestedShape shapeOf(mlir::func::FuncOp function, const Extents &extents);

/// The option that requests these: `--shape=f:0=512x64,1=64x?,2=128?x8`.
std::string writeOption(mlir::func::FuncOp function, const Extents &extents);

/// `extents` with examples for the unknown ones: `scale` times usual extents.
Extents exampleExtents(mlir::func::FuncOp function, Extents extents,
                       int64_t scale);

/// The type of an argument of type `type` that has these extents: contiguous if
/// `type` allows it.
mlir::Type withExtents(mlir::Type type, llvm::ArrayRef<int64_t> extents);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_EXTENTS_H
