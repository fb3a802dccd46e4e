//===- SparseOps.h - Transform ops for sparse tensors -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TRANSFORMOPS_SPARSEOPS_H
#define BACO_TRANSFORMOPS_SPARSEOPS_H

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/DialectRegistry.h"

#define GET_OP_CLASSES
#include "baco/TransformOps/SparseOps.h.inc"

namespace baco {

/// Adds transform.baco.sparsify to the transform dialect.
void registerSparseOps(mlir::DialectRegistry &registry);

} // namespace baco

#endif // BACO_TRANSFORMOPS_SPARSEOPS_H
