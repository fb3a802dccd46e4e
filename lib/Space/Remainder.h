//===- Remainder.h - Remainders of conjuncts --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A conjunct some of whose parameters are chosen is a condition on the others.
// Different choices often leave the same condition: for a * b * c <= 500, with
// values up to ten, the hundred choices of a and b leave at most eleven.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_REMAINDER_H
#define BACO_LIB_SPACE_REMAINDER_H

#include "Domain.h"
#include "Rule.h"
#include "UniqueTable.h"

namespace baco {

/// The different conditions that one conjunct leaves to its open parameters,
/// numbered as they are met.
class Remainder {
public:
  /// Whether the conjunct has at most so many choices in all that evaluating
  /// each of them once, at about 50 ns, is worth it.
  static bool isSmall(const Conjunct &conjunct, const Domains &domains,
                      uint64_t maxChoices);

  /// `known` and `open` are the parameters of the conjunct, which must be
  /// small; it and the domains outlive this.
  Remainder(const Conjunct &conjunct, std::vector<size_t> known,
            std::vector<size_t> open, const Domains &domains);

  const Conjunct &conjunct() const { return *source; }
  const std::vector<size_t> &known() const { return knownParameters; }
  /// Numbers of conditions are less than 2^bits().
  unsigned bits() const { return numBits; }

  /// The number of a condition that nothing meets.
  static constexpr uint32_t never = 0;
  /// The number of the condition that is left. `indices[k]` and `slots[k]` are
  /// the index and the value of parameter k, if that is known; the slots of
  /// open ones are overwritten. The first time for each choice, it is evaluated
  /// for all values of the open parameters.
  uint32_t of(const uint32_t *indices, expression::Scalar *slots);

  /// About how many conditions there are: exact for up to 2^15 choices
  /// of all parameters, else extrapolated from so many.
  double estimateCount();

private:
  uint32_t tabulate(expression::Scalar *slots);
  /// Steps the values of some parameters like an odometer, the last one
  /// fastest; false after the last choice.
  bool step(const std::vector<size_t> &parameters,
            std::vector<uint32_t> &indices, expression::Scalar *slots) const;

  const Conjunct *source;
  const Domains *domains;
  std::vector<size_t> knownParameters, openParameters;
  unsigned numBits;
  /// Per choice of the known parameters: the number of its condition, or unset.
  static constexpr uint32_t unset = UINT32_MAX;
  std::vector<uint32_t> numbers;
  /// The conditions, a bit per choice of the open parameters.
  UniqueTable conditions;
  uint32_t numConditions = 1;
};

} // namespace baco

#endif // BACO_LIB_SPACE_REMAINDER_H
