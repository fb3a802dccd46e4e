//===- Concretize.h - Resolve the choices of a schedule ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inverse of extracting a space: schedule + configuration gives the same
// schedule with every choice resolved.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SCHEDULE_CONCRETIZE_H
#define BACO_SCHEDULE_CONCRETIZE_H

#include "baco/Expression/Expression.h"
#include "baco/Expression/Value.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace baco::schedule {

/// Values by parameter name.
using Assignment = std::vector<std::pair<std::string, ParameterValue>>;

/// The value of a parameter; null if it has none.
const ParameterValue *findValue(const Assignment &assignment,
                                std::string_view name);

/// Whether `expression` is true of `assignment`, which has all its variables.
bool isTrue(const Expression &expression, const Assignment &assignment);

/// Resolves every choice that `sequence` of `schedule` reaches, in place: knobs
/// become `transform.param.constant`, an alternative is replaced by the
/// selected region, `baco.bind` sets the attributes that it names, commands on
/// loop nests get the values of the knobs that they name,
/// `constrain_params` is erased after its results were computed, named
/// sequences that are not reached are erased, and no `baco.` attribute is left
/// but one: target options (knobs called `llvm.NAME`, and what the sequences
/// say of them) are gathered in `baco.target_options` of `sequence`, if there
/// are any. Without these, and without transform.baco ops, a stock mlir-opt
/// runs the schedule.
///
/// Fails with a diagnostic at the op if a parameter has no value, a value is
/// not one of the knob's options, or `assignment` names a parameter that the
/// schedule doesn't have.
llvm::LogicalResult concretize(mlir::ModuleOp schedule,
                               llvm::StringRef sequence,
                               const Assignment &assignment);

} // namespace baco::schedule

#endif // BACO_SCHEDULE_CONCRETIZE_H
