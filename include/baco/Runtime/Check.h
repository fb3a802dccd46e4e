//===- Check.h - One verified call of a kernel ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a candidate is called on for its outputs, and what these must be. A
// worker makes a list of checks once, from runs of the plain kernel, and each
// candidate passes all of them, one after the other in one process.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_CHECK_H
#define BACO_RUNTIME_CHECK_H

#include "baco/Runtime/Verify.h"

#include <string>
#include <vector>

namespace baco::runtime {

struct Check {
  /// How messages say that only this check fails: `in the second check`. Empty
  /// for the first one.
  std::string name;
  /// One entry per argument.
  std::vector<ArgumentData> inputs;
  /// What the plain kernel makes of them.
  Reference reference;
};

/// So many checks come before a candidate is timed, all others after that. It
/// is timed on the inputs of the first.
inline constexpr size_t numEarlyChecks = 1;

} // namespace baco::runtime

#endif // BACO_RUNTIME_CHECK_H
