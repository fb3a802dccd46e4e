//===- Isolate.h - One function and what it needs --------------*- C++ -*--===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Extracts a kernel from its module, to analyze and compile it alone.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SCHEDULE_ISOLATE_H
#define BACO_SCHEDULE_ISOLATE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace baco::schedule {

/// A copy of `module` with what function `entry` needs and nothing else, for
/// candidates are compiled over and over. Only `entry` is public. Fails with a
/// diagnostic if upstream's pass does.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
isolate(mlir::ModuleOp module, llvm::StringRef entry);

} // namespace baco::schedule

#endif // BACO_SCHEDULE_ISOLATE_H
