//===- Annotate.h - Recipes for ops that have none ------------ -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Automatic annotation: it writes a recipe, which one can print, edit and go on
// with, and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SCHEDULE_ANNOTATE_H
#define BACO_SCHEDULE_ANNOTATE_H

#include "baco/Schedule/HostInfo.h"

#include "mlir/IR/BuiltinOps.h"

namespace baco::schedule {

/// Gives each `linalg.matmul` of f32 or f64 on memrefs of static shape a
/// `baco.recipe` with knobs whose domains, defaults and constraints suit its
/// shape and `host`. An op that has a recipe keeps it. Other linalg ops and
/// loop nests that can't be scheduled yet get a remark that says why, and are
/// left as they were. Returns how many ops got a recipe.
int64_t annotate(mlir::ModuleOp module, const HostInfo &host);

} // namespace baco::schedule

#endif // BACO_SCHEDULE_ANNOTATE_H
