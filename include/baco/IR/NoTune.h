//===- NoTune.h - Functions that aren't tuned -------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mark `baco.no_tune`, which older versions wrote as `baco.keep`.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_NOTUNE_H
#define BACO_IR_NOTUNE_H

#include "mlir/IR/Operation.h"

namespace baco {

/// Whether `function` is marked, in the old spelling or the new one.
bool isNoTune(mlir::Operation *function);
void markNoTune(mlir::Operation *function);
/// Removes the mark; returns whether there was one.
bool unmarkNoTune(mlir::Operation *function);

} // namespace baco

#endif // BACO_IR_NOTUNE_H
