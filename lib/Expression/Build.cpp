//===- Build.cpp - Expressions without text -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes trees out of trees. The text of the result consists of the texts of its
// operands, so that they stay as their authors wrote them.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"
#include "baco/Expression/Expression.h"

#include <algorithm>
#include <cassert>
#include <cmath>

using namespace baco;
using namespace baco::expression;

static Level levelOf(const Tree &tree) {
  const Node &root = tree.nodes.back();
  if (root.enclosed)
    return Level::Primary;
  switch (root.op) {
  case Op::Literal:
    return root.literal.kind == Int && root.literal.integer < 0
               ? Level::Unary
               : Level::Primary;
  case Op::Not:
    return Level::Unary;
  case Op::Sum:
    return root.numOperands == 1 ? Level::Unary : Level::Sum;
  default:
    const auto *found = std::ranges::find(infixes, root.op, &Infix::op);
    return found == std::end(infixes) ? Level::Primary : found->level;
  }
}

static bool isChainOf(const Tree &tree, Op op) {
  const Node &root = tree.nodes.back();
  return root.op == op && !root.enclosed && root.numOperands > 1;
}

/// Whether the text starts with a division, which would divide whatever stands
/// in front of it, too.
static bool startsWithDivision(const Tree &tree) {
  const Node &first =
      tree.nodes[tree.operandsOf(tree.nodes.back()).front().node];
  return !first.enclosed &&
         (first.op == Op::Divide || first.op == Op::FloorDivide ||
          first.op == Op::Modulo);
}

namespace {
/// Writes the text and the nodes of an expression from left to right.
class Builder {
public:
  void write(std::string_view text) { tree.text += text; }
  uint32_t column() const {
    return static_cast<uint32_t>(tree.text.size()) + 1;
  }

  /// Writes an operand, between parentheses if it binds looser than `least`.
  void operand(const Tree &from, Level least, bool subtracted = false) {
    assert(!from.predicate && "C++ code isn't an operand");
    bool isLoose = levelOf(from) < least;
    if (isLoose)
      write("(");
    operands.push_back({tree.append(from, column() - 1), subtracted});
    write(from.text);
    if (isLoose)
      enclose();
  }

  /// Writes the operands of a chain; returns the column of its operator.
  uint32_t chain(const Tree &from) {
    tree.append(from, column() - 1);
    write(from.text);
    Node root = tree.nodes.back();
    for (const Operand &operand : tree.operandsOf(root))
      operands.push_back(operand);
    tree.operands.resize(root.firstOperand);
    tree.nodes.pop_back();
    return root.column;
  }

  void enclose() {
    write(")");
    tree.nodes.back().enclosed = true;
  }

  Tree finish(Op op, uint32_t column, bool enclosed = false) {
    tree.addOperation(op, column, operands);
    tree.nodes.back().enclosed = enclosed;
    return std::move(tree);
  }

  Tree tree;
  std::vector<Operand> operands;
};
} // namespace

static Tree join(const Infix &infix, std::span<const Expression> parts,
                 bool continuesChains) {
  Builder builder;
  Level tighter = static_cast<Level>(static_cast<int>(infix.level) + 1);
  bool isDivision = infix.level == Level::Product && infix.op != Op::Product;
  uint32_t column = 0;
  for (const Expression &part : parts) {
    const Tree &tree = part.tree();
    bool isFirst = &part == parts.data();
    if (!isFirst) {
      builder.write(" ");
      if (column == 0)
        column = builder.column();
      builder.write(infix.symbol);
      builder.write(" ");
    }
    bool isChain = isChainOf(tree, infix.op) && !isDivision &&
                   infix.level != Level::Comparison;
    if (isFirst && isChain)
      column = builder.chain(tree);
    else if (isFirst)
      builder.operand(tree,
                      infix.level == Level::Product ? infix.level : tighter);
    else if (isChain && continuesChains &&
             !(infix.op == Op::Product && startsWithDivision(tree)))
      builder.chain(tree);
    else
      builder.operand(tree, tighter, infix.symbol == "-");
  }
  return builder.finish(infix.op, column);
}

static const Infix &findInfix(std::string_view symbol) {
  const Infix *found = std::ranges::find(infixes, symbol, &Infix::symbol);
  assert(found != std::end(infixes) && "no operator of the language");
  return *found;
}

static std::shared_ptr<const Tree> share(Tree tree) {
  return std::make_shared<const Tree>(std::move(tree));
}

Expression Expression::literal(const ParameterValue &value) {
  Tree tree;
  tree.text = toString(value);
  const auto *real = std::get_if<double>(&value);
  // The language has no literals of negative reals.
  if (real && std::signbit(*real))
    return -literal(-*real);
  const auto *integer = std::get_if<int64_t>(&value);
  tree.addLiteral(integer && *integer < 0 ? 2 : 1, viewOf(value));
  return Expression(share(std::move(tree)));
}

Expression Expression::variable(std::string_view name) {
  Tree tree;
  tree.text = variableText(name);
  tree.addVariable(1, std::string(name));
  return Expression(share(std::move(tree)));
}

Expression Expression::enclosed() const {
  Builder builder;
  builder.write("(");
  builder.operand(tree(), Level::Or);
  builder.enclose();
  return Expression(share(std::move(builder.tree)));
}

Expression Expression::infix(const Expression &a, std::string_view symbol,
                             const Expression &b) {
  return Expression(share(join(findInfix(symbol), std::vector{a, b},
                               /*continuesChains=*/false)));
}

Expression Expression::chain(std::string_view symbol,
                             std::span<const Expression> operands) {
  assert(!operands.empty());
  if (operands.size() == 1)
    return operands.front();
  return Expression(
      share(join(findInfix(symbol), operands, /*continuesChains=*/true)));
}

Expression Expression::where(std::span<const Expression> conditions,
                             const Expression &rule) {
  if (conditions.empty())
    return rule;
  return !chain("&&", conditions).enclosed() || rule;
}

Expression Expression::operator!() const {
  Builder builder;
  builder.write("!");
  builder.operand(tree(), Level::Unary);
  return Expression(share(builder.finish(Op::Not, 1)));
}

Expression Expression::operator-() const {
  // A sign in front of digits is a part of the number.
  if (std::optional<int64_t> integer = asInteger();
      integer && levelOf(tree()) == Level::Primary &&
      !tree().nodes.back().enclosed)
    return literal(-*integer);
  Builder builder;
  builder.write("-");
  builder.operand(tree(), Level::Unary, /*subtracted=*/true);
  return Expression(share(builder.finish(Op::Sum, 1)));
}

Expression Expression::function(std::string_view name,
                                std::span<const Expression> operands) {
  const auto *found = std::ranges::find(functions, name, &Function::name);
  assert(found != std::end(functions) && found->op != Op::In &&
         operands.size() >= found->minOperands &&
         operands.size() <= found->maxOperands &&
         "no function of the language");
  Builder builder;
  builder.write(name);
  for (const Expression &operand : operands) {
    builder.write(builder.operands.empty() ? "(" : ", ");
    builder.operand(operand.tree(), Level::Or);
  }
  builder.write(")");
  if (found->swapped)
    std::swap(builder.operands[0], builder.operands[1]);
  return Expression(share(builder.finish(found->op, 1, /*enclosed=*/true)));
}

Expression Expression::in(const Expression &value,
                          std::span<const Expression> elements) {
  assert(!elements.empty());
  Builder builder;
  builder.write("in(");
  builder.operand(value.tree(), Level::Or);
  for (const Expression &element : elements) {
    builder.write(&element == elements.data() ? ", {" : ", ");
    builder.operand(element.tree(), Level::Or);
  }
  builder.write("})");
  return Expression(share(builder.finish(Op::In, 1, /*enclosed=*/true)));
}

Expression Expression::element(const Expression &order,
                               const Expression &index) {
  Builder builder;
  builder.operand(order.tree(), Level::Primary);
  uint32_t column = builder.column();
  builder.write("[");
  builder.operand(index.tree(), Level::Or);
  builder.write("]");
  return Expression(share(builder.finish(Op::Element, column)));
}

Result<Expression> Expression::substituted(
    const std::function<Expression(const std::string &)> &replace) const {
  const Tree &old = tree();
  if (isCall())
    return {ErrorCode::Unsupported,
            "'" + old.text + "' is C++ code, which can't be rewritten"};
  // First the text: variables come in its order. A node that isn't one moves as
  // far as the variables in front of it have grown.
  Builder builder;
  std::vector<Expression> replacements;
  std::vector<std::pair<uint32_t, int64_t>> growth = {{0, 0}};
  size_t copied = 0;
  for (const Node &node : old.nodes) {
    if (node.op != Op::Variable)
      continue;
    const std::string &name = old.variables[node.variable];
    size_t begin = node.column - 1;
    size_t length = name.size() + (old.text[begin] == '`' ? 2 : 0);
    Expression other = replace(name);
    if (levelOf(other.tree()) < Level::Primary)
      other = other.enclosed();
    builder.write(std::string_view(old.text).substr(copied, begin - copied));
    builder.write(other.text());
    replacements.push_back(std::move(other));
    copied = begin + length;
    growth.emplace_back(copied + 1,
                        int64_t(builder.column()) - int64_t(copied + 1));
  }
  builder.write(std::string_view(old.text).substr(copied));

  std::vector<uint32_t> places;
  size_t next = 0;
  for (const Node &node : old.nodes) {
    // The growth of all that ends in front of the node.
    auto moved = std::ranges::upper_bound(growth, node.column, {},
                                          &std::pair<uint32_t, int64_t>::first);
    uint32_t column =
        static_cast<uint32_t>(node.column + std::prev(moved)->second);
    if (node.op == Op::Variable) {
      places.push_back(
          builder.tree.append(replacements[next++].tree(), column - 1));
      builder.tree.nodes.back().enclosed |= node.enclosed;
    } else {
      places.push_back(builder.tree.addCopy(old, node, column, places));
    }
  }
  return Expression(share(std::move(builder.tree)));
}
