//===- Residual.h - Values that open constraints read -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two nodes of a tree have equal subtrees if the constraints that aren't
// decided yet see the same values. They don't see the values of earlier
// parameters as such, but the largest sub-expressions that are known: if a
// constraint reads a*b, only the product matters.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_RESIDUAL_H
#define BACO_LIB_SPACE_RESIDUAL_H

#include "Remainder.h"
#include "Rule.h"

#include <memory>
#include <set>

namespace baco {

/// A conjunct, seen from the levels of a tree.
struct LeveledConjunct {
  const Conjunct *conjunct;
  /// The first node beneath the conjunct's root.
  uint32_t first;
  /// For each node from that to the root, the last level that it reads; -1 if
  /// it reads none. Meaningful beneath the root.
  std::vector<int> levels;

  int level(uint32_t node) const { return levels[node - first]; }
  int lastLevel() const { return levels.back(); }
};

/// The values that open constraints see after one level of a tree.
class Residual {
public:
  Residual() = default;
  /// `conjuncts` are all of the group; those that are complete at `level` or
  /// haven't begun don't count. They must stay where they are, as must the
  /// domains; `levelOf[k]` is the level of parameter k. Conjuncts of up to
  /// `remainderChoices` choices are seen by their remainders. `previous` is the
  /// residual of the level before, or null.
  Residual(const std::vector<LeveledConjunct> &conjuncts, int level,
           const std::vector<int> &levelOf, const Domains &domains,
           uint64_t remainderChoices, const Residual *previous);

  /// Replaces `key` by the values that are seen: equal keys, equal subtrees.
  /// False if nothing can meet some conjunct any more. `indices[k]` and
  /// `slots[k]` are the index and the value of parameter k, for parameters up
  /// to the level; slots of later ones are overwritten.
  bool compute(const uint32_t *indices, expression::Scalar *slots,
               std::vector<uint64_t> &key) const;

private:
  struct Item {
    enum class Kind {
      /// The value of a parameter.
      Parameter,
      /// The value of a known sub-expression.
      Value,
      /// The known integers of a sum or product.
      Fold,
      /// && or || whose first operands are known: either they decide, or the
      /// other operands do.
      Guard
    } kind;
    const expression::Tree *tree;
    /// Parameter: its index; else a node.
    uint32_t node;
    /// Fold, Guard: the known operands.
    std::vector<expression::Operand> known;
    /// Guard: the values that the other operands see.
    std::vector<Item> rest;
  };
  using Seen = std::set<std::string>;

  void collect(const LeveledConjunct &conjunct, uint32_t node, int level,
               Seen &seen, std::vector<Item> &out) const;
  void collectChain(const LeveledConjunct &conjunct, uint32_t node, int level,
                    Seen &seen, std::vector<Item> &out) const;
  void collectKnown(const LeveledConjunct &conjunct, uint32_t node, Seen &seen,
                    std::vector<Item> &out) const;
  bool collectGuard(const LeveledConjunct &conjunct, uint32_t node, int level,
                    const Seen &seen, std::vector<Item> &out) const;
  static void append(const std::vector<Item> &items, const uint32_t *indices,
                     const expression::Scalar *slots,
                     std::vector<uint64_t> &key);

  /// The remainders of small conjuncts; shared between levels.
  std::vector<std::shared_ptr<Remainder>> remainders;
  /// The values that the other conjuncts read.
  std::vector<Item> items;
};

/// The levels of all nodes of a conjunct; `levelOf[k]` is the level of
/// parameter k.
LeveledConjunct assignLevels(const Conjunct &conjunct,
                             const std::vector<int> &levelOf);

} // namespace baco

#endif // BACO_LIB_SPACE_RESIDUAL_H
