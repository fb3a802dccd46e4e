//===- BacoTransformOps.h - baco's transform ops ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The extension of the transform dialect that NestOps.td describes.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TRANSFORMOPS_BACOTRANSFORMOPS_H
#define BACO_TRANSFORMOPS_BACOTRANSFORMOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpDefinition.h"

#define GET_OP_CLASSES
#include "baco/TransformOps/NestOps.h.inc"

namespace baco {

/// Adds our ops to the transform dialect.
void registerTransformOps(mlir::DialectRegistry &registry);

/// Whether a schedule uses an op of ours, so that stock tools can't run it.
bool needsBaco(mlir::ModuleOp schedule);

} // namespace baco

#endif // BACO_TRANSFORMOPS_BACOTRANSFORMOPS_H
