//===- Commands.h - Attributes as commands on schedules ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPNEST_COMMANDS_H
#define BACO_LIB_LOOPNEST_COMMANDS_H

#include "baco/LoopNest/Extract.h"
#include "baco/Polyhedral/LoopSchedule.h"

#include "mlir/IR/Attributes.h"

namespace baco::loopnest {

/// Applies `command`, which implements LoopCommandAttr, to `schedule`. An
/// error if it still has knobs, or if the schedule refuses.
Result<void> applyCommand(mlir::Attribute command,
                          polyhedral::LoopSchedule &schedule);

/// The nest in isl's terms.
polyhedral::Program toProgram(isl::ctx context, const Nest &nest);

/// Whether no statement ever runs.
bool isEmpty(const polyhedral::Program &program);

} // namespace baco::loopnest

#endif // BACO_LIB_LOOPNEST_COMMANDS_H
