//===- VectorOps.h - Transform ops for affine loops -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TRANSFORMOPS_VECTOROPS_H
#define BACO_TRANSFORMOPS_VECTOROPS_H

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/DialectRegistry.h"

#define GET_OP_CLASSES
#include "baco/TransformOps/VectorOps.h.inc"

namespace baco {

/// Adds transform.baco.vectorize_loop, unroll_loop and promote_to_registers to
/// the transform dialect.
void registerVectorOps(mlir::DialectRegistry &registry);

} // namespace baco

#endif // BACO_TRANSFORMOPS_VECTOROPS_H
