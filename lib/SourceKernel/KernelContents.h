//===- KernelContents.h - Contents of arguments -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SOURCEKERNEL_KERNELCONTENTS_H
#define BACO_LIB_SOURCEKERNEL_KERNELCONTENTS_H

#include "baco/Format/KernelTask.h"

#include <span>

namespace baco::kernels {

/// Fills `bytes` with elements that the seed and the number of the argument
/// determine: in its range, or else floats in [-1, 1) and integers in
/// {0, ..., 15}.
void fillRandomly(const KernelArgument &argument, uint64_t seed, size_t number,
                  std::span<std::byte> bytes);

/// Stores a number as an element of `type`; false if it isn't one, as 1.5 for
/// an integer.
bool storeScalar(KernelScalar type, const ParameterValue &value,
                 std::span<std::byte> bytes);

/// Reads elements of `type`: from a .npy file, or else as the bytes of `file`.
/// InvalidArgument if the file has others, or another number of them.
Result<void> readContents(const std::string &file, KernelScalar type,
                          std::span<std::byte> bytes);

/// What is wrong with an output: the first wrong element, and how many there
/// are; nothing if none is. Integers have to be equal; floats may be off by
/// `tolerance` times the right value, or the root mean square of the right
/// values if that is more. NaN and infinity have to be the same. O(n).
///
/// \param tolerance  unset: 1e-4, or 1e-10 of doubles
std::optional<std::string> findWrong(KernelScalar type,
                                     std::span<const std::byte> got,
                                     std::span<const std::byte> right,
                                     std::optional<double> tolerance);

} // namespace baco::kernels

#endif // BACO_LIB_SOURCEKERNEL_KERNELCONTENTS_H
