//===- CheckedCall.h - A call whose surroundings are hostile ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls a kernel with patterns in registers and on the stack that it must not
// read, and checks that it preserves the state that the calling convention
// requires.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_CHECKEDCALL_H
#define BACO_RUNTIME_CHECKEDCALL_H

#include "baco/Verification/Heap.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace baco::runtime {

/// State that a function must preserve or restore by the calling convention.
/// Each is a bit.
enum AbiState : uint32_t {
  /// Registers that belong to the caller.
  CalleeSaved = 1,
  /// Strings are walked upwards.
  DirectionFlag = 2,
  /// Rounding, exceptions that trap, subnormal numbers. (Flags that tell which
  /// exceptions there were may change.)
  FloatControl = 4,
  /// The control word of the x87 unit, whose stack is empty.
  X87Unit = 8,
};

/// As deep as kernels keep arrays.
inline constexpr size_t poisonedStackBytes = 1 << 20;

/// Fills so many bytes of the stack below the caller's frame with a pattern;
/// fewer where the stack is small.
void poisonStack(Pattern pattern, size_t bytes = poisonedStackBytes);

/// Calls `entry(arguments)` with `pattern`, if there is one, in the registers
/// that hold nothing for it, and on the first page below the stack pointer:
/// what is deeper takes longer to fill, and is the caller's. Afterwards the
/// state is as it must be, whatever the kernel has done to it.
///
/// \returns what was not, as a set of AbiState. Machines other than x86-64: 0,
///          and registers are left alone.
uint32_t callChecked(void (*entry)(void **), void **arguments,
                     std::optional<Pattern> pattern);

/// The same for the present state, without CalleeSaved; restores nothing.
uint32_t findAbiDamage();

/// `left the direction flag set`; of the first one of a set that isn't empty.
std::string describeAbiDamage(uint32_t states);

} // namespace baco::runtime

#endif // BACO_RUNTIME_CHECKEDCALL_H
