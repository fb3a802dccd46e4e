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

#ifndef BACO_TARGET_DIALECTS_H
#define BACO_TARGET_DIALECTS_H

#include "mlir/IR/DialectRegistry.h"

namespace baco::target {

/// Adds upstream's dialects with their extensions (transform ops, interfaces)
/// and translations to LLVM IR, and the baco dialect.
void registerDialects(mlir::DialectRegistry &registry);

/// Registers upstream's passes by name, once per process: schedules reach them
/// by `transform.apply_registered_pass`.
void registerPasses();

} // namespace baco::target

#endif // BACO_TARGET_DIALECTS_H
