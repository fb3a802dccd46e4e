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

#include <algorithm>
#include <cassert>

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
  for (const std::string &variable : reads) {
    auto known =
        std::find(tree->variables.begin(), tree->variables.end(), variable);
    Node node{Op::Variable, 1};
    node.variable = static_cast<uint32_t>(known - tree->variables.begin());
    if (known == tree->variables.end())
      tree->variables.push_back(variable);
    tree->text += (tree->nodes.empty() ? "" : ", ") + variableText(variable);
    tree->operands.push_back({static_cast<uint32_t>(tree->nodes.size())});
    tree->nodes.push_back(node);
  }
  tree->text += ")";
  Node root{Op::Call, 1};
  root.numOperands = static_cast<uint32_t>(tree->operands.size());
  tree->nodes.push_back(root);
  tree->predicate = std::make_shared<const Predicate>(std::move(predicate));
  return Expression(std::move(tree));
}

bool Expression::isCall() const { return shared->predicate != nullptr; }

const std::vector<std::string> &Expression::variables() const {
  return shared->variables;
}

const std::string &Expression::text() const { return shared->text; }

Result<Expression> Expression::substituted(
    const std::function<std::string(const std::string &)> &text) const {
  if (isCall())
    return {ErrorCode::Unsupported,
            "'" + shared->text + "' is C++ code, which can't be rewritten"};
  const std::string &old = this->text();
  std::string result;
  size_t copied = 0;
  Result<std::vector<Token>> tokens = tokenize(old);
  assert(tokens && "the text was parsed before");
  for (size_t i = 0; i + 1 < tokens->size(); ++i) {
    const Token &token = (*tokens)[i];
    bool isCall = (*tokens)[i + 1].text == "(" &&
                  (*tokens)[i + 1].kind == Token::Kind::Symbol;
    if (token.kind != Token::Kind::Name || (isCall && !token.quoted) ||
        std::find(variables().begin(), variables().end(), token.text) ==
            variables().end())
      continue;
    size_t begin = token.column - 1;
    result += old.substr(copied, begin - copied);
    result += text(token.text);
    copied = begin + token.text.size() + (token.quoted ? 2 : 0);
  }
  return parse(result + old.substr(copied));
}

Result<Value> Expression::evaluate(const Lookup &lookup) const {
  std::vector<Scalar> slots;
  for (const std::string &name : shared->variables) {
    const Value *value = lookup(name);
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
