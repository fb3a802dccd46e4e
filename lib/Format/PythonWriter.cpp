//===- PythonWriter.cpp - Values and conditions in Python -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A condition is written from its tree, with the parentheses that Python needs.
//
//===----------------------------------------------------------------------===//

#include "baco/Expression/Permutation.h"
#include "baco/Expression/Tree.h"
#include "baco/Format/Python.h"

#include <algorithm>

using namespace baco;
using namespace baco::expression;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static constexpr std::string_view orderDigits = "0123456789abcdefghij";
static_assert(orderDigits.size() == maxPermutationSize);

std::string baco::orderText(const Permutation &order) {
  std::string text;
  for (int element : order)
    text += orderDigits[static_cast<size_t>(element)];
  return text;
}

std::optional<Permutation> baco::parseOrder(std::string_view text) {
  Permutation order;
  for (char c : text) {
    size_t digit = orderDigits.find(c);
    if (digit == std::string_view::npos)
      return std::nullopt;
    order.push_back(static_cast<int>(digit));
  }
  if (order.empty() || order.size() > orderDigits.size() ||
      !isPermutation(order))
    return std::nullopt;
  return order;
}

std::string baco::pythonText(const ParameterValue &value) {
  if (const bool *flag = std::get_if<bool>(&value))
    return *flag ? "True" : "False";
  if (const std::string *text = std::get_if<std::string>(&value))
    return *text;
  if (const Permutation *order = std::get_if<Permutation>(&value))
    return orderText(*order);
  return toString(value);
}

std::string baco::pythonLiteral(const ParameterValue &value) {
  const std::string *text = std::get_if<std::string>(&value);
  if (!text && !std::holds_alternative<Permutation>(value))
    return pythonText(value);
  std::string literal = "'";
  for (char c : pythonText(value)) {
    if (c == '\'' || c == '\\')
      literal += '\\';
    literal += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c);
  }
  return literal + "'";
}

bool baco::isPythonName(std::string_view name) {
  static constexpr std::string_view keywords[] = {
      "False",  "None",   "True",    "and",      "as",    "assert",   "async",
      "await",  "break",  "class",   "continue", "def",   "del",      "elif",
      "else",   "except", "finally", "for",      "from",  "global",   "if",
      "import", "in",     "is",      "lambda",   "not",   "nonlocal", "or",
      "pass",   "raise",  "return",  "try",      "while", "with",     "yield"};
  auto isLetter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && isLetter(name[0]) &&
         std::ranges::all_of(
             name,
             [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); }) &&
         std::ranges::find(keywords, name) == std::end(keywords);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

namespace {

/// Precedence in Python, loosest first.
enum class Binding { Or, And, Not, Comparison, Sum, Product, Unary, Primary };

struct Part {
  std::string text;
  Binding binding;

  std::string at(Binding least) const {
    return binding < least ? "(" + text + ")" : text;
  }
};

class Writer {
public:
  Writer(const Expression &expression, const std::vector<Parameter> &parameters)
      : expression(expression), tree(expression.tree()),
        parameters(parameters) {}

  Result<std::string> run();

private:
  Result<Part> write(const Node &node);
  Part joined(const Node &node, std::string_view symbol, Binding binding);
  Part binary(const Node &node, std::string_view symbol, Binding binding);
  Part sum(const Node &node);
  Part divides(const Node &node);
  Part call(const Node &node, std::string_view name);
  Result<Part> variable(const Node &node);
  Result<Part> isPowerOfTwo(const Node &node);
  std::string list(const Node &node, size_t first);

  const Part &operand(const Node &node, size_t k) const {
    return parts[tree.operandsOf(node)[k].node];
  }
  const Parameter *find(std::string_view name) const {
    auto found = std::ranges::find(parameters, name, &Parameter::name);
    return found == parameters.end() ? nullptr : &*found;
  }
  /// Whether the value of a node can't be 0: a literal, or products of
  /// literals and of parameters with positive values.
  bool isPositive(const Node &node) const;
  Error unsupported(const std::string &what) const {
    return {ErrorCode::Unsupported,
            "'" + expression.text() + "' can't be written in Python: " + what};
  }

  const Expression &expression;
  const Tree &tree;
  const std::vector<Parameter> &parameters;
  /// The text of each node that is written so far.
  std::vector<Part> parts;
};

} // namespace

Result<std::string> Writer::run() {
  if (expression.isCall())
    return unsupported("it is C++ code");
  // Operands come first.
  for (const Node &node : tree.nodes) {
    Result<Part> part = write(node);
    if (!part)
      return part.error();
    parts.push_back(std::move(*part));
  }
  return parts.back().text;
}

Result<Part> Writer::variable(const Node &node) {
  const std::string &name = tree.variables[node.variable];
  if (!isPythonName(name))
    return unsupported("'" + name + "' isn't a name there; rename it");
  return Part{name, Binding::Primary};
}

Part Writer::joined(const Node &node, std::string_view symbol,
                    Binding binding) {
  std::string text = operand(node, 0).at(binding);
  // Python has no other order of evaluation than from the left.
  Binding next = static_cast<Binding>(static_cast<int>(binding) + 1);
  for (size_t k = 1; k < node.numOperands; ++k)
    text += " " + std::string(symbol) + " " + operand(node, k).at(next);
  return {std::move(text), binding};
}

Part Writer::binary(const Node &node, std::string_view symbol,
                    Binding binding) {
  // Comparisons don't chain in our language.
  Binding next = static_cast<Binding>(static_cast<int>(binding) + 1);
  Binding first = binding == Binding::Comparison ? next : binding;
  return {operand(node, 0).at(first) + " " + std::string(symbol) + " " +
              operand(node, 1).at(next),
          binding};
}

Part Writer::sum(const Node &node) {
  std::span<const Operand> operands = tree.operandsOf(node);
  if (node.numOperands == 1)
    return {"-" + operand(node, 0).at(Binding::Unary), Binding::Unary};
  std::string text;
  for (size_t k = 0; k < operands.size(); ++k) {
    bool isSubtracted = operands[k].subtracted;
    if (k > 0)
      text += isSubtracted ? " - " : " + ";
    else if (isSubtracted)
      text += "-";
    text += operand(node, k).at(k == 0 && isSubtracted ? Binding::Unary
                                                       : Binding::Product);
  }
  return {std::move(text), Binding::Sum};
}

bool Writer::isPositive(const Node &node) const {
  std::span<const Operand> operands = tree.operandsOf(node);
  if (node.op == Op::Literal)
    return node.literal.isNumber() && node.literal.asReal() > 0;
  if (node.op == Op::Product)
    return std::ranges::all_of(operands, [&](const Operand &operand) {
      return isPositive(tree.nodes[operand.node]);
    });
  if (node.op != Op::Variable)
    return false;
  const Parameter *parameter = find(tree.variables[node.variable]);
  return parameter && parameter->isNumeric() && parameter->lower() > 0;
}

/// 0 divides 0 only, where Python would fail.
Part Writer::divides(const Node &node) {
  const Part &divisor = operand(node, 0), &number = operand(node, 1);
  std::string rest = number.at(Binding::Product) + " % " +
                     divisor.at(Binding::Unary) + " == 0";
  if (isPositive(tree.nodes[tree.operandsOf(node)[0].node]))
    return {std::move(rest), Binding::Comparison};
  return {number.at(Binding::Sum) + " == 0 or " + divisor.at(Binding::Sum) +
              " != 0 and " + rest,
          Binding::Or};
}

std::string Writer::list(const Node &node, size_t first) {
  std::string text;
  for (size_t k = first; k < node.numOperands; ++k)
    text += (text.empty() ? "" : ", ") + operand(node, k).text;
  return text;
}

Part Writer::call(const Node &node, std::string_view name) {
  return {std::string(name) + "(" + list(node, 0) + ")", Binding::Primary};
}

Result<Part> Writer::isPowerOfTwo(const Node &node) {
  std::string powers;
  for (int exponent = 0; exponent < 63; ++exponent)
    powers += (exponent ? ", " : "") + std::to_string(int64_t(1) << exponent);
  return Part{operand(node, 0).at(Binding::Sum) + " in [" + powers + "]",
              Binding::Comparison};
}

Result<Part> Writer::write(const Node &node) {
  switch (node.op) {
  case Op::Literal: {
    std::string text = pythonLiteral(valueOf(node.literal));
    return Part{text,
                text.starts_with('-') ? Binding::Unary : Binding::Primary};
  }
  case Op::Variable:
    return variable(node);
  case Op::Or:
    return joined(node, "or", Binding::Or);
  case Op::And:
    return joined(node, "and", Binding::And);
  case Op::Sum:
    return sum(node);
  case Op::Product:
    return joined(node, "*", Binding::Product);
  case Op::Min:
    return call(node, "min");
  case Op::Max:
    return call(node, "max");
  case Op::Equal:
    return binary(node, "==", Binding::Comparison);
  case Op::Unequal:
    return binary(node, "!=", Binding::Comparison);
  case Op::Less:
    return binary(node, "<", Binding::Comparison);
  case Op::LessEqual:
    return binary(node, "<=", Binding::Comparison);
  case Op::Greater:
    return binary(node, ">", Binding::Comparison);
  case Op::GreaterEqual:
    return binary(node, ">=", Binding::Comparison);
  case Op::Divide:
    return binary(node, "/", Binding::Product);
  case Op::FloorDivide:
    return binary(node, "//", Binding::Product);
  case Op::Modulo:
    return binary(node, "%", Binding::Product);
  case Op::Divides:
    return divides(node);
  case Op::Element:
  case Op::Position: {
    const Node &index = tree.nodes[tree.operandsOf(node)[1].node];
    if (index.op != Op::Literal || index.literal.kind != Int)
      return unsupported("a permutation is read at a constant only");
    const Part &order = operand(node, 0);
    std::string at = operand(node, 1).text;
    if (node.op == Op::Element)
      return Part{"int(" + order.text + "[" + at + "])", Binding::Primary};
    return Part{order.text + ".index('" + at + "')", Binding::Primary};
  }
  case Op::Not:
    return Part{"not " + operand(node, 0).at(Binding::Not), Binding::Not};
  case Op::Abs:
    return call(node, "abs");
  case Op::Pow2:
    return Part{"2 ** " + operand(node, 0).at(Binding::Primary),
                Binding::Unary};
  case Op::IsPow2:
    return isPowerOfTwo(node);
  case Op::In:
    return Part{operand(node, 0).at(Binding::Sum) + " in [" + list(node, 1) +
                    "]",
                Binding::Comparison};
  case Op::Log2:
    return unsupported("logarithms need a module of Python");
  case Op::IsTrue:
  case Op::Call:
    break;
  }
  return unsupported("it isn't in the language of constraints");
}

Result<std::string>
baco::writePython(const Expression &expression,
                  const std::vector<Parameter> &parameters) {
  return Writer(expression, parameters).run();
}
