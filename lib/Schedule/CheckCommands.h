//===- CheckCommands.h - Knobs in the fields of commands --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks that the verifier of an op with loop commands can't make: of the
// values of the knobs that they name.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_CHECKCOMMANDS_H
#define BACO_LIB_SCHEDULE_CHECKCOMMANDS_H

#include "baco/Schedule/Choices.h"

namespace baco::schedule {

/// Checks that loop commands name knobs of their sequence, and that these have
/// values that the fields may hold. Fails with a diagnostic at the op.
mlir::LogicalResult checkCommands(const Choices &choices);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_CHECKCOMMANDS_H
