//===- Check.h - One verified call of a kernel ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inputs on which a candidate is called, and the outputs that it must
// compute. A worker makes a list of checks once, from runs of the plain kernel,
// and each candidate passes all of them, one after the other in one process.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_VERIFICATION_CHECK_H
#define BACO_VERIFICATION_CHECK_H

#include "baco/Verification/Heap.h"
#include "baco/Verification/Operands.h"
#include "baco/Verification/Verify.h"

#include <string>
#include <vector>

namespace baco::runtime {

/// The contents of uninitialized memory in a check. As numbers these hold for
/// all float types, from f16 to f64.
enum class Filling {
  Zeros,
  /// Large ones of either sign in turns of eight bytes, positive and odd ones
  /// first; f16: 61000 and -57000.
  Huge,
  /// Negative and even ones first.
  HugeNegative,
  /// NaN; -1.
  NotANumber,
};

/// The filling as bytes, to be repeated.
inline constexpr Pattern patternOf(Filling filling) {
  constexpr uint64_t bytes = 0x0101010101010101;
  switch (filling) {
  case Filling::Zeros:
    return {};
  case Filling::Huge:
    return {0x7b * bytes, 0xfa * bytes};
  case Filling::HugeNegative:
    return {0xfa * bytes, 0x7b * bytes};
  case Filling::NotANumber:
    return {0xff * bytes, 0xff * bytes};
  }
  return {};
}

/// How a candidate is called in a check.
struct CallSetting {
  Addresses addresses = Addresses::Timed;
  /// For the stack, and for the registers that hold nothing for the kernel.
  Filling stack = Filling::Huge;
  /// For new memory; without a value it is as the system and the compiler left
  /// it, which costs nothing.
  std::optional<Filling> heap;
};

struct Check {
  /// How messages say that only this check fails: `in the second check`. Empty
  /// for the first one.
  std::string name;
  /// One entry per argument.
  std::vector<ArgumentData> inputs;
  /// The plain kernel's outputs for them.
  Reference reference;
  /// Not applied to the plain kernel when it makes the reference.
  CallSetting call;
  /// If it isn't 0, so many executions follow each other before the outputs are
  /// compared, in the state in which executions are timed, for code that does
  /// its work only in checks.
  int timedExecutions = 0;
  /// Whether the outputs have their inputs again before each of them, as they
  /// may have while the kernel is timed: another execution on its own results
  /// would be ill-conditioned.
  bool restoresOutputs = false;
  /// Whether a candidate passes it in each comparison, and not just in the
  /// first one: the others would tell no more of the same code.
  bool isRepeated = false;
};

/// The number of checks before a candidate is timed; the others come after. It
/// is timed on the inputs of the first check.
inline constexpr size_t numEarlyChecks = 1;

} // namespace baco::runtime

#endif // BACO_VERIFICATION_CHECK_H
