//===- RestructureBy.h - Loops in the order a function makes ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPNEST_RESTRUCTUREBY_H
#define BACO_LIB_LOOPNEST_RESTRUCTUREBY_H

#include "baco/LoopNest/Extract.h"
#include "baco/LoopNest/Restructure.h"
#include "baco/Polyhedral/LoopSchedule.h"

namespace baco::loopnest {

/// Changes the order of a nest. Fails after an error; may throw isl's
/// exceptions.
using ScheduleChange = llvm::function_ref<mlir::LogicalResult(
    const Nest &, polyhedral::LoopSchedule &)>;

/// Replaces `first` ... `last` by loops in the order that `change` makes of the
/// present one, if that is legal. See restructure.
mlir::FailureOr<RestructuredNest>
restructureBy(mlir::RewriterBase &rewriter, mlir::Operation *first,
              mlir::Operation *last, ScheduleChange change,
              const polyhedral::LoopScheduleOptions &options);

/// Lets `schedule` follow `command`, which implements LoopCommandAttr. An
/// error if it still has knobs, or if the schedule refuses.
Result<void> applyCommand(mlir::Attribute command,
                          polyhedral::LoopSchedule &schedule);

/// The nest in isl's terms.
polyhedral::Program toProgram(isl::ctx context, const Nest &nest);

/// Whether no statement ever runs.
bool isEmpty(const polyhedral::Program &program);

} // namespace baco::loopnest

#endif // BACO_LIB_LOOPNEST_RESTRUCTUREBY_H
