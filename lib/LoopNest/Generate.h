//===- Generate.h - Loops of a schedule -------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPNEST_GENERATE_H
#define BACO_LIB_LOOPNEST_GENERATE_H

#include "baco/LoopNest/Restructure.h"
#include "baco/Polyhedral/LoopSchedule.h"

#include "mlir/IR/Builders.h"

namespace baco::loopnest {

/// Writes `code`, generated from `schedule` of `nest`, at the insertion point
/// of `builder`, which is in front of the nest; buffers are allocated at the
/// start of the function. Fails with an error at the nest if a loop has bounds
/// that affine.for can't express, or throws what isl throws; nothing that was
/// written is left then.
mlir::FailureOr<RestructuredNest>
generate(mlir::OpBuilder &builder, mlir::Location loc, const Nest &nest,
         const polyhedral::LoopSchedule &schedule,
         const polyhedral::GeneratedCode &code);

} // namespace baco::loopnest

#endif // BACO_LIB_LOOPNEST_GENERATE_H
