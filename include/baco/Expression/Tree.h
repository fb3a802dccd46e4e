//===- Tree.h - Parsed expressions ------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The syntax tree of an expression, flat and in postorder, and its evaluation.
// Associative operators take any number of operands: a chain of sums is exact
// as a whole, and known operands of a chain can be folded in any order (see
// Residual.h).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_EXPRESSION_TREE_H
#define BACO_EXPRESSION_TREE_H

#include "baco/Expression/Expression.h"
#include "baco/Expression/Scalar.h"

#include <deque>
#include <span>

namespace baco::expression {

enum class Op : uint8_t {
  Literal,
  Variable,
  // Two or more operands; those of Sum may be subtracted, and Sum may have one
  // operand (negation).
  Or,
  And,
  Sum,
  Product,
  Min,
  Max,
  // Two operands.
  Equal,
  Unequal,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Divide,
  FloorDivide,
  Modulo,
  /// divides(a, b): a divides b.
  Divides,
  /// p[i].
  Element,
  /// pos(p, i).
  Position,
  // One operand.
  Not,
  Abs,
  Log2,
  Pow2,
  IsPow2,
  /// Whether the operand is true: false where it fails. Not in the language;
  /// conditions are made of it.
  IsTrue,
  /// The first operand is one of the others.
  In,
  /// Tree::predicate of the operands, any number of them. Not in the language.
  Call
};

struct Operand {
  uint32_t node;
  /// The operand of a Sum is subtracted.
  bool subtracted = false;
};

struct Node {
  Op op;
  /// The node's column in the text, from 1.
  uint32_t column;
  /// The range of its operands in Tree::operands.
  uint32_t firstOperand = 0, numOperands = 0;
  /// Variable: index into Tree::variables.
  uint32_t variable = 0;
  /// Levels of nodes beneath, for the limit of expressions.
  uint32_t depth = 0;
  /// Written between parentheses or as a call: it is an operand of any operator
  /// as it stands.
  bool enclosed = false;
  /// Literal.
  Scalar literal = Scalar::ofBool(false);
};

/// Operands come before their users; the root is last.
struct Tree {
  std::vector<Node> nodes;
  std::vector<Operand> operands;
  std::vector<std::string> variables;
  std::string text;
  /// The storage of literals; deques, because their elements don't move.
  std::deque<std::string> strings;
  std::deque<Permutation> permutations;
  /// The predicates of calls.
  std::shared_ptr<const Expression::Predicate> predicate;

  uint32_t root() const { return static_cast<uint32_t>(nodes.size()) - 1; }
  std::span<const Operand> operandsOf(const Node &node) const {
    return {operands.data() + node.firstOperand, node.numOperands};
  }

  /// These append a node and return its index.
  uint32_t addOperation(Op op, uint32_t column, std::span<const Operand> of);
  /// Copies the string or permutation that `value` points to.
  uint32_t addLiteral(uint32_t column, const Scalar &value);
  uint32_t addVariable(uint32_t column, const std::string &name);
  /// Appends `node` of `from`, whose operands are now at `places`.
  uint32_t addCopy(const Tree &from, const Node &node, uint32_t column,
                   std::span<const uint32_t> places);
  /// Appends the nodes of `from`, whose text starts after `offset` characters;
  /// returns its root.
  uint32_t append(const Tree &from, uint32_t offset);
};

/// The value of a node, where `slots[k]` is the value of variable k. A slot of
/// kind Failed is a variable without value. && and || stop at the first operand
/// that decides; otherwise the first failure, from the left, is the result.
Scalar evaluate(const Tree &tree, uint32_t node, const Scalar *slots);

/// The exact sum or product of integers, the same in any order.
struct ExactAccumulator {
  /// 0 for a sum, 1 for a product.
  __int128 value;
  void add(int64_t x, bool subtracted) {
    value += subtracted ? -static_cast<__int128>(x) : x;
  }
  /// Once out of range it stays so, unless a factor is 0.
  void multiply(int64_t x) {
    if (x == 0)
      value = 0;
    else if (fits() || value == limit)
      value *= x;
  }
  /// Whether the value is an int64_t.
  bool fits() const { return value >= -limit && value < limit; }

private:
  static constexpr __int128 limit = static_cast<__int128>(1) << 63;
};

/// "column 7: division by zero".
std::string describeFailure(const Tree &tree, const Scalar &failed);

/// The kinds that each node may have, given those of the variables. Error: an
/// operator that doesn't take any of its operand's kinds, with the column.
Result<std::vector<uint8_t>> inferKinds(const Tree &tree,
                                        std::span<const uint8_t> variables);

} // namespace baco::expression

#endif // BACO_EXPRESSION_TREE_H
