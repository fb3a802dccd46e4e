//===- StepRecipes.h - Recipes that need nothing of baco --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules for a stock mlir-opt. They are made to apply everywhere, not to be
// fast.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_STEPRECIPES_H
#define BACO_BENCHMARKS_CODEGEN_STEPRECIPES_H

#include "llvm/Support/Error.h"

#include <string>

namespace baco::benchmarks {

/// Writes the payload in `file` to `output`, with a recipe of steps on each
/// linalg op that computes something. Returns false, and writes nothing, if
/// there is no such op, or if the payload has a schedule or a sparse operand.
llvm::Expected<bool> writeWithSteps(const std::string &file,
                                    const std::string &output);

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_STEPRECIPES_H
