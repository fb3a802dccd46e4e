//===- Expression.cpp - The language of constraints -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Expression/Expression.h"
#include "Parser.h"

#include "baco/Expression/Lexer.h"

using namespace baco;
using namespace baco::expression;

Result<Expression> Expression::parse(std::string_view text) {
  auto tree = std::make_shared<Tree>();
  if (auto ok = parseTree(text, *tree); !ok)
    return ok.error();
  return Expression(std::move(tree));
}

Expression Expression::call(std::string_view name,
                            const std::vector<std::string> &reads,
                            Predicate predicate) {
  auto tree = std::make_shared<Tree>();
  tree->text = std::string(name) + "(";
  std::vector<Operand> operands;
  for (const std::string &variable : reads) {
    tree->text += (operands.empty() ? "" : ", ") + variableText(variable);
    operands.push_back({tree->addVariable(1, variable)});
  }
  tree->text += ")";
  tree->addOperation(Op::Call, 1, operands);
  tree->predicate = std::make_shared<const Predicate>(std::move(predicate));
  return Expression(std::move(tree));
}

bool Expression::isCall() const { return shared->predicate != nullptr; }

const std::vector<std::string> &Expression::variables() const {
  return shared->variables;
}

const std::string &Expression::text() const { return shared->text; }

bool Expression::isLike(const Expression &other) const {
  return shared == other.shared ||
         (!isCall() && !other.isCall() && text() == other.text());
}

std::optional<int64_t> Expression::asInteger() const {
  const Node &root = shared->nodes.back();
  if (root.op != Op::Literal || root.literal.kind != Int)
    return std::nullopt;
  return root.literal.integer;
}

std::optional<bool> Expression::asBool() const {
  const Node &root = shared->nodes.back();
  if (root.op != Op::Literal || root.literal.kind != Bool)
    return std::nullopt;
  return root.literal.flag;
}

bool Expression::isTooDeep() const {
  return shared->nodes.back().depth > maxDepth;
}

Result<ParameterValue> Expression::evaluate(const Lookup &lookup) const {
  std::vector<Scalar> slots;
  for (const std::string &name : shared->variables) {
    const ParameterValue *value = lookup(name);
    slots.push_back(value ? viewOf(*value)
                          : Scalar::failed(Failure::NoValue, 0));
  }
  Scalar result = expression::evaluate(*shared, shared->root(), slots.data());
  if (result.isFailed())
    return Error{ErrorCode::InvalidArgument,
                 "in '" + shared->text + "', " +
                     describeFailure(*shared, result)};
  return valueOf(result);
}

std::string baco::variableText(std::string_view name) {
  Result<std::vector<Token>> tokens = tokenize(name);
  // A name and the end.
  if (tokens && tokens->size() == 2 && (*tokens)[0].kind == Token::Kind::Name &&
      !(*tokens)[0].quoted && (*tokens)[0].text == name && name != "true" &&
      name != "false")
    return std::string(name);
  return "`" + std::string(name) + "`";
}
