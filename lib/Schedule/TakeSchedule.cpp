//===- TakeSchedule.cpp - The schedule in a file --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/ExpandRecipes.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using transform::TransformDialect;

/// Whether `module` is a transform library.
static bool isSchedule(ModuleOp module) {
  return module->hasAttr(TransformDialect::kWithNamedSequenceAttrName);
}

FailureOr<OwningOpRef<ModuleOp>> baco::schedule::takeSchedule(ModuleOp module) {
  auto nested = llvm::to_vector(
      llvm::make_filter_range(module.getOps<ModuleOp>(), isSchedule));
  if (nested.size() > 1) {
    InFlightDiagnostic diagnostic =
        nested[1].emitError("a second schedule: keep one of them");
    diagnostic.attachNote(nested[0].getLoc()) << "the first one";
    return diagnostic;
  }
  if (!nested.empty()) {
    nested.front()->remove();
    return OwningOpRef<ModuleOp>(nested.front());
  }
  if (module.getOps<transform::NamedSequenceOp>().empty())
    return OwningOpRef<ModuleOp>();
  OwningOpRef<ModuleOp> schedule = ModuleOp::create(module.getLoc());
  (*schedule)->setAttr(TransformDialect::kWithNamedSequenceAttrName,
                       UnitAttr::get(module.getContext()));
  for (auto sequence :
       llvm::make_early_inc_range(module.getOps<transform::NamedSequenceOp>()))
    sequence->moveBefore(schedule->getBody(), schedule->getBody()->end());
  module->removeAttr(TransformDialect::kWithNamedSequenceAttrName);
  return schedule;
}
