//===- GeneratedDialects.h - Dialects that new loops consist of -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only list of the dialects whose operations raising, planning and
// restructuring create. A context has them loaded before: passes and transform
// ops declare them, other callers load them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_GENERATEDDIALECTS_H
#define BACO_LOOPNEST_GENERATEDDIALECTS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"

namespace baco::loopnest {

/// Calls `visit` with each dialect as template argument.
template <typename Visit>
void forEachGeneratedDialect(Visit visit) {
  visit.template operator()<mlir::affine::AffineDialect>();
  visit.template operator()<mlir::arith::ArithDialect>();
  visit.template operator()<mlir::math::MathDialect>();
  visit.template operator()<mlir::memref::MemRefDialect>();
  visit.template operator()<mlir::scf::SCFDialect>();
  visit.template operator()<mlir::ub::UBDialect>();
  visit.template operator()<mlir::vector::VectorDialect>();
}

/// For getDependentDialects of passes.
inline void registerGeneratedDialects(mlir::DialectRegistry &registry) {
  forEachGeneratedDialect(
      [&]<typename Dialect>() { registry.insert<Dialect>(); });
}

/// Not while several threads use `context`, unless all are loaded already.
inline void loadGeneratedDialects(mlir::MLIRContext *context) {
  forEachGeneratedDialect(
      [&]<typename Dialect>() { context->getOrLoadDialect<Dialect>(); });
}

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_GENERATEDDIALECTS_H
