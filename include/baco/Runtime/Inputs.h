//===- Inputs.h - What a kernel is run on -----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The initial contents of a kernel's arguments, seeded and bounded, and the
// place of its outputs in a block of memory.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_INPUTS_H
#define BACO_RUNTIME_INPUTS_H

#include "baco/Runtime/Candidate.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace baco::runtime {

/// The bytes of one argument's elements, in row-major order.
using ArgumentData = std::vector<std::byte>;

/// One entry per argument; outputs have initial contents, too, as kernels may
/// accumulate into them. Floats are multiples of 1/8 in (-1, 1), but never
/// zero; integers are in {-4, ..., 4} (integer scalars in {1, ..., 4}, as they
/// may be sizes), i1 in {0, 1}. The same seed gives the same bytes; the
/// arguments are independent of each other.
///
/// Products of two such floats are multiples of 1/64, so that sums of them are
/// exact in any order for as long as they stay below 2^18 in f32 (f16 and bf16
/// hold the inputs and bf16 the products, too): a comparison may then insist on
/// every term. Without zero no term is left out unnoticed, and quotients are
/// finite; without 1 so are most functions with a pole there.
std::vector<ArgumentData> generateInputs(const Signature &signature,
                                         uint64_t seed);

/// Replaces floats by their absolute values; integers stay.
void makeAbsolute(ElementType type, std::byte *data, size_t byteSize);
/// The same for all arguments.
void makeAbsolute(const Signature &signature,
                  std::vector<ArgumentData> &inputs);

/// Where the output arguments lie when they are stored one after the other.
class OutputLayout {
public:
  explicit OutputLayout(const Signature &signature);

  /// The byte offset of an output argument, a multiple of 64.
  size_t offset(size_t argument) const { return offsets[argument]; }
  /// Bytes of all outputs.
  size_t byteSize() const { return size; }

private:
  std::vector<size_t> offsets;
  size_t size = 0;
};

} // namespace baco::runtime

#endif // BACO_RUNTIME_INPUTS_H
