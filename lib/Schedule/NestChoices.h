//===- NestChoices.h - Choices and the commands on nests --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule's choices may affect the nest that its commands find, and commands
// name knobs, whose values the verifier of an op can't check.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_NESTCHOICES_H
#define BACO_LIB_SCHEDULE_NESTCHOICES_H

#include "baco/Schedule/Choices.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace baco::schedule {

/// Choices in the order in which they come; null for one that isn't known.
using ChoiceSet = llvm::SetVector<const Choice *>;

/// The choices that affect the changes of `op` to the payload.
ChoiceSet choicesOf(mlir::Operation *op, const Choices &choices);

/// The choices but for which `target`, a handle that `op` reads, means the same
/// nest: they decide about the ops that it comes from, or about ops that ran
/// before these have looked for it. Nullopt if a choice isn't known.
/// Restructure ops don't count: the probe watches their results.
std::optional<llvm::SmallVector<const Choice *>>
findDeciders(mlir::Operation *op, mlir::Value target, const Choices &choices);

/// Checks that loop commands name knobs of their sequence, and that these have
/// values that the fields may hold. Fails with a diagnostic at the op.
mlir::LogicalResult checkCommands(const Choices &choices);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_NESTCHOICES_H
