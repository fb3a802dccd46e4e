//===- TakeSchedule.h - The schedule in a file ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells the schedule from the payload where one file has both.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SCHEDULE_TAKESCHEDULE_H
#define BACO_SCHEDULE_TAKESCHEDULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace baco::schedule {

/// Moves the schedule out of `module`: its named sequences, or a nested module
/// of them. Null if there is none; fails with a diagnostic if there are
/// several.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
takeSchedule(mlir::ModuleOp module);

} // namespace baco::schedule

#endif // BACO_SCHEDULE_TAKESCHEDULE_H
