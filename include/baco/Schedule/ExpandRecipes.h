//===- ExpandRecipes.h - From recipes to schedules --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recipes on the ops of a payload become transform IR with knobs, from which a
// space is extracted; its inverse gives, for a schedule and a configuration,
// the schedule with every choice resolved.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SCHEDULE_EXPANDRECIPES_H
#define BACO_SCHEDULE_EXPANDRECIPES_H

#include "baco/Expression/Expression.h"
#include "baco/Expression/Value.h"
#include "baco/Schedule/HostInfo.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace baco::schedule {

/// A module with the schedule of all ops of `payload` that have a
/// `baco.recipe`; without any, the module is empty. `payload` isn't changed.
///
/// The schedule starts at `@__transform_main` and finds each op by stock means:
/// the name of its function, its own name, and its place among ops of this name
/// in the function. With one recipe, everything is in `@__transform_main`; with
/// several, that includes one named sequence for each op; what neighbors in a
/// function do to all of it at their ends is done once, behind them, where it
/// is the same. Constraints, those of
/// `where` and those that the steps derive, are `baco.constraints` of the
/// sequence that has the knobs. Everything carries the location of its op.
///
/// With a `host`, advisory constraints say which tiles don't fit its caches.
///
/// Fails with a diagnostic if the payload has a `@__transform_main`, an op
/// isn't in a function of the module, or a recipe isn't suitable for its op.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
expandRecipes(mlir::ModuleOp payload, const HostInfo *host = nullptr);

/// Removes the `baco.recipe` and the `baco.no_tune` of all ops.
void removeRecipes(mlir::ModuleOp payload);

/// Moves the schedule out of `module`: its named sequences, or a nested module
/// of them. Null if there is none; fails with a diagnostic if there are
/// several.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
takeSchedule(mlir::ModuleOp module);

/// A copy of `module` with what function `entry` needs and nothing else, for
/// candidates are compiled over and over. Only `entry` is public. Fails with a
/// diagnostic if upstream's pass does.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
isolate(mlir::ModuleOp module, llvm::StringRef entry);

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

#endif // BACO_SCHEDULE_EXPANDRECIPES_H
