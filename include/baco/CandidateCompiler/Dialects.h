//===- Dialects.h - The dialects that candidates use ---------- -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One place that pulls in upstream's dialects, extensions, passes and
// translations, so that nothing else includes them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_CANDIDATECOMPILER_DIALECTS_H
#define BACO_CANDIDATECOMPILER_DIALECTS_H

#include "mlir/IR/DialectRegistry.h"

namespace baco::target {

/// Adds upstream's dialects with their extensions (transform ops, interfaces)
/// and translations to LLVM IR, and the baco dialect.
void registerDialects(mlir::DialectRegistry &registry);

/// Registers upstream's passes and baco-forward-copies by name, once per
/// process: schedules reach them by `transform.apply_registered_pass`.
void registerPasses();

/// Registers the pipelines and passes of lowering by name: `baco-lower-to-cpu`,
/// those of Target/Passes.td and, which shows in what order the reference
/// outputs are made, `baco-locality-interchange`.
void registerTargetPipelines();

} // namespace baco::target

#endif // BACO_CANDIDATECOMPILER_DIALECTS_H
