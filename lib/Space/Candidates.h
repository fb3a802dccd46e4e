//===- Candidates.h - Values worth trying at a node -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divisors, multiples, bounds and equalities generate candidates for a
// parameter where trying all of its values would be too slow. The candidates
// are a superset of the feasible values; every candidate is then checked.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_CANDIDATES_H
#define BACO_LIB_SPACE_CANDIDATES_H

#include "Domain.h"
#include "Residual.h"

#include <optional>
#include <unordered_map>

namespace baco {

/// The budget of work for building a diagram, which bounds its time for any
/// input.
struct WorkBudget {
  uint64_t left;
  /// Takes `amount`; false if there isn't as much.
  bool take(uint64_t amount) {
    if (amount > left)
      return false;
    left -= amount;
    return true;
  }
};

/// The divisors of integers, remembered.
class DivisorTable {
public:
  /// Positive divisors of n > 0, increasing, by trial division up to its square
  /// root, which is taken from the budget; null if that isn't enough.
  const std::vector<int64_t> *of(int64_t n, WorkBudget &budget);
  bool has(int64_t n) const { return table.count(n); }

private:
  std::unordered_map<int64_t, std::vector<int64_t>> table;
};

/// Generates the candidates of the parameter at one level.
class Candidates {
public:
  /// `conjuncts` are those of the group; they must stay where they are, as must
  /// `domain`.
  Candidates(const Domain &domain, size_t parameter, int level,
             const std::vector<LeveledConjunct> &conjuncts);

  /// Replaces `out` by indices of values, increasing: all that satisfy the
  /// conjuncts that the level completes are among them, and so are all from
  /// which later levels can satisfy the others. `slots` holds the values of
  /// earlier levels; its entry of this parameter is overwritten. False if the
  /// budget is used up.
  bool generate(expression::Scalar *slots, DivisorTable &divisors,
                WorkBudget &budget, std::vector<uint32_t> &out);

private:
  using Scalar = expression::Scalar;

  enum class Direction { Constant, Increasing, Decreasing, Unknown };

  bool reads(uint32_t node) const { return current->level(node) == level; }
  Scalar valueOf(uint32_t node) const;
  Scalar valueAt(uint32_t node, uint64_t index) const;
  bool isVariable(uint32_t node) const;

  void restrict(uint32_t node, bool wanted);
  void restrictOpen();
  void restrictJunction(uint32_t node, bool wanted);
  void restrictComparison(expression::Op op, uint32_t left, uint32_t right);
  void restrictRange(expression::Op op, uint32_t left, uint32_t right);
  void restrictDivisibility(uint32_t divisor, uint32_t dividend);
  void restrictMembership(uint32_t node);
  void pin(const std::vector<ParameterValue> &values);

  Direction directionOf(uint32_t node) const;
  Direction directionOfProduct(uint32_t node) const;
  Direction directionOfQuotient(uint32_t node) const;
  Direction directionOfAll(uint32_t node) const;
  /// The sign of a known or monotone node over the range, or of its values but
  /// for 0 if `orZero`; 0 if it has none.
  int signOf(uint32_t node, bool orZero = false) const;
  bool shrinkToDefined(uint32_t left, uint32_t right);
  template <typename Predicate>
  uint64_t firstTrue(Predicate predicate) const;
  std::optional<int64_t> factorOf(uint32_t node) const;

  bool appendDivisors(DivisorTable &table, WorkBudget &budget,
                      std::vector<uint32_t> &out);
  bool appendMultiples(WorkBudget &budget, std::vector<uint32_t> &out);

  const Domain *domain;
  size_t parameter;
  int level;
  /// The conjuncts that the level completes, and those that it leaves open but
  /// that tell of divisors.
  std::vector<const LeveledConjunct *> complete, open;

  // The state of one call of `generate`.
  const LeveledConjunct *current = nullptr;
  Scalar *slots = nullptr;
  /// Candidates lie in [low, high).
  uint64_t low = 0, high = 0;
  /// Candidates are among these, increasing.
  std::optional<std::vector<uint64_t>> pinned;
  /// Candidates divide this; 0: no restriction.
  int64_t divisorOf = 0;
  /// Candidates are multiples of this; 1: no restriction.
  int64_t multipleOf = 1;
};

} // namespace baco

#endif // BACO_LIB_SPACE_CANDIDATES_H
