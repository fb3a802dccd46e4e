//===- ExpandRecipes.h - From recipes to a schedule ------------*- C++ -*--===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the recipes on the ops of a payload into transform IR with knobs.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SCHEDULE_EXPANDRECIPES_H
#define BACO_SCHEDULE_EXPANDRECIPES_H

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

} // namespace baco::schedule

#endif // BACO_SCHEDULE_EXPANDRECIPES_H
