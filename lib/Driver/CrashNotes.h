//===- CrashNotes.h - Why a plain kernel may have died ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DRIVER_CRASHNOTES_H
#define BACO_LIB_DRIVER_CRASHNOTES_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace baco::driver {

/// Attaches to `error`, which says by which signal the plain kernel died, a
/// note at each op of `function` that may be the reason: integer divisors that
/// may be 0. At most three.
void noteCauseOfCrash(mlir::InFlightDiagnostic &error, llvm::StringRef message,
                      mlir::Operation *function);

} // namespace baco::driver

#endif // BACO_LIB_DRIVER_CRASHNOTES_H
