//===- SpecialValues.h - Inputs that arithmetic treats apart ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes some elements of inputs that were generated (Inputs.h). All positions
// follow from the seed. If nothing can be changed, inputs stay as they are.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_VERIFICATION_SPECIALVALUES_H
#define BACO_VERIFICATION_SPECIALVALUES_H

#include "baco/Verification/Inputs.h"

#include <cstdint>
#include <vector>

namespace baco::runtime {

/// The values that addNonFinite may insert.
struct NonFinite {
  bool hasNaN = true;
  bool hasInfinity = true;
  bool hasNegative = true;
  bool hasLarge = true;
  /// Nothing but in the memref with the most elements, of several the first.
  bool isInLargestOnly = false;
};

/// Puts a quiet NaN, both infinities and, into the first argument, a power of
/// two near a sixteenth of the largest number into each memref of floats that
/// is read: one of each, so that sums of products have the same ones as results
/// in any order. With sparse arguments, only these change, and no element is
/// infinite. Small
/// memrefs get fewer of them. The first and the last quarter stay as they are,
/// for code that knows its inputs by some of their elements. False if there is
/// no such memref.
bool addNonFinite(const Signature &signature, std::vector<ArgumentData> &inputs,
                  uint64_t seed, NonFinite kinds);

/// Makes one row of each memref of floats negative, one -1 and 1 in turns, and
/// one element in sixteen of another 1. (An element of a vector is a row.) A
/// further row, which has the same number in all memrefs, is subnormal in those
/// that are only read and zero in others: added to larger numbers such numbers
/// make no difference.
void addRareValues(const Signature &signature,
                   std::vector<ArgumentData> &inputs, uint64_t seed);

/// Puts the largest number into the first memref of floats that is read; half
/// of it where the order of summing would decide whether sums with it overflow.
/// False if there is none.
bool addLargest(const Signature &signature, std::vector<ArgumentData> &inputs,
                uint64_t seed);

/// Gives a few elements of each memref that is read another value: floats one
/// that differs in one of the first digits, other types that of another
/// element. False if there is no such memref.
bool changeFew(const Signature &signature, std::vector<ArgumentData> &inputs,
               uint64_t seed);

/// The sizes of floats that addWide draws.
struct Sizes {
  double least, most;
};

/// Gives each memref that is read values of all sizes between these, as far as
/// the type has them: floats of all exponents, more of them between 2^-16 and
/// 2^15, and one in four within a factor of 2 of one of the signature's
/// constants, down to the numbers next to it and itself. Integers, if the
/// signature allows, are as in drawWideInteger, or near a constant.
void addWide(const Signature &signature, std::vector<ArgumentData> &inputs,
             uint64_t seed, Sizes sizes);

/// One of `count` passes over places.
struct SpikePass {
  int64_t number, count;
};

/// Makes one element of each row of each memref that is read larger than
/// others, and one less, if the floats of `inputs` are below 1. (A vector is a
/// row.) The places of the passes of a seed are equally far from each other.
/// Other integers, if the signature allows any, become random ones between.
void addSpikes(const Signature &signature, std::vector<ArgumentData> &inputs,
               uint64_t seed, SpikePass pass);

} // namespace baco::runtime

#endif // BACO_VERIFICATION_SPECIALVALUES_H
