//===- Tree.cpp - Nodes of expressions ------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Expression/Tree.h"

#include <algorithm>

using namespace baco;
using namespace baco::expression;

uint32_t Tree::addOperation(Op op, uint32_t column,
                            std::span<const Operand> of) {
  Node node{op, column};
  node.firstOperand = static_cast<uint32_t>(operands.size());
  node.numOperands = static_cast<uint32_t>(of.size());
  for (const Operand &operand : of)
    node.depth = std::max(node.depth, nodes[operand.node].depth + 1);
  operands.insert(operands.end(), of.begin(), of.end());
  nodes.push_back(node);
  return root();
}

uint32_t Tree::addLiteral(uint32_t column, const Scalar &value) {
  Node node{Op::Literal, column};
  node.literal = value;
  if (value.kind == String)
    node.literal.text = &strings.emplace_back(*value.text);
  if (value.kind == Order)
    node.literal.order =
        permutations.emplace_back(value.order, value.order + value.extra)
            .data();
  nodes.push_back(node);
  return root();
}

uint32_t Tree::addVariable(uint32_t column, const std::string &name) {
  auto known = std::find(variables.begin(), variables.end(), name);
  Node node{Op::Variable, column};
  node.variable = static_cast<uint32_t>(known - variables.begin());
  if (known == variables.end())
    variables.push_back(name);
  nodes.push_back(node);
  return root();
}

uint32_t Tree::addCopy(const Tree &from, const Node &node, uint32_t column,
                       std::span<const uint32_t> places) {
  if (node.op == Op::Literal) {
    addLiteral(column, node.literal);
  } else if (node.op == Op::Variable) {
    addVariable(column, from.variables[node.variable]);
  } else {
    std::span<const Operand> old = from.operandsOf(node);
    std::vector<Operand> moved(old.begin(), old.end());
    for (Operand &operand : moved)
      operand.node = places[operand.node];
    addOperation(node.op, column, moved);
  }
  nodes.back().enclosed = node.enclosed;
  return root();
}

uint32_t Tree::append(const Tree &from, uint32_t offset) {
  std::vector<uint32_t> places;
  for (const Node &node : from.nodes)
    places.push_back(addCopy(from, node, node.column + offset, places));
  return root();
}
