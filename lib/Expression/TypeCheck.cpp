//===- TypeCheck.cpp - Static types of expressions ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Expression/Tree.h"

using namespace baco;
using namespace baco::expression;

/// How an operator is written.
static const char *symbol(Op op) {
  switch (op) {
  case Op::Or:
    return "||";
  case Op::And:
    return "&&";
  case Op::Sum:
    return "+ or -";
  case Op::Product:
    return "*";
  case Op::Min:
    return "min";
  case Op::Max:
    return "max";
  case Op::Less:
    return "<";
  case Op::LessEqual:
    return "<=";
  case Op::Greater:
    return ">";
  case Op::GreaterEqual:
    return ">=";
  case Op::Divide:
    return "/";
  case Op::FloorDivide:
    return "//";
  case Op::Modulo:
    return "%";
  case Op::Divides:
    return "divides";
  case Op::Element:
    return "[]";
  case Op::Position:
    return "pos";
  case Op::Not:
    return "!";
  case Op::Abs:
    return "abs";
  case Op::Log2:
    return "log2";
  case Op::Pow2:
    return "pow2";
  case Op::IsPow2:
    return "is_pow2";
  default:
    return "==";
  }
}

/// The name of a set of kinds in messages.
static std::string kindText(uint8_t kinds) {
  if (!(kinds & ~anyNumber))
    return kinds == Int ? "an integer" : "a number";
  switch (kinds) {
  case Bool:
    return "a truth value";
  case String:
    return "a string";
  case Order:
    return "a permutation";
  default:
    return "a value of several kinds";
  }
}

static Error wrongKind(const Tree &tree, const Operand &operand, Op op,
                       uint8_t wanted, uint8_t found) {
  return {ErrorCode::InvalidArgument,
          "column " + std::to_string(tree.nodes[operand.node].column) + ": '" +
              symbol(op) + "' takes " + kindText(wanted) + ", not " +
              kindText(found)};
}

/// The kinds that operand `k` of an operator may have.
static uint8_t acceptedKinds(Op op, size_t k) {
  switch (op) {
  case Op::Or:
  case Op::And:
  case Op::Not:
    return Bool;
  case Op::Equal:
  case Op::Unequal:
  case Op::In:
  case Op::Call:
    return anyKind;
  case Op::Element:
  case Op::Position:
    return k == 0 ? Order : Int;
  default:
    return anyNumber;
  }
}

/// Whether values of these kinds can be equal.
static bool comparable(uint8_t a, uint8_t b) {
  return (a & b) || ((a & anyNumber) && (b & anyNumber));
}

/// The kinds of an operator's result; `all` and `any` are the kinds that all
/// and that some of its operands may have.
static uint8_t resultKinds(Op op, uint8_t all, uint8_t any) {
  switch (op) {
  case Op::Sum:
  case Op::Product:
  case Op::FloorDivide:
  case Op::Modulo:
    return (all & Int) | (any & Real);
  case Op::Min:
  case Op::Max:
  case Op::Abs:
  case Op::Pow2:
    return any & anyNumber;
  case Op::Divide:
  case Op::Log2:
    return Real;
  case Op::Element:
  case Op::Position:
    return Int;
  default:
    return Bool;
  }
}

Result<std::vector<uint8_t>>
expression::inferKinds(const Tree &tree, std::span<const uint8_t> variables) {
  std::vector<uint8_t> kinds(tree.nodes.size());
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    const Node &node = tree.nodes[i];
    if (node.op == Op::Literal || node.op == Op::Variable) {
      kinds[i] = node.op == Op::Literal ? uint8_t(node.literal.kind)
                                        : variables[node.variable];
      continue;
    }
    std::span<const Operand> operands = tree.operandsOf(node);
    uint8_t all = anyKind, any = 0;
    for (size_t k = 0; k < operands.size(); ++k) {
      uint8_t kind = kinds[operands[k].node];
      uint8_t accepted = acceptedKinds(node.op, k);
      if (!(kind & accepted))
        return wrongKind(tree, operands[k], node.op, accepted, kind);
      // == and in(): the first operand says what the others may be.
      uint8_t first = kinds[operands[0].node];
      if (accepted == anyKind && node.op != Op::Call &&
          !comparable(kind, first))
        return wrongKind(tree, operands[k], node.op, first, kind);
      all &= kind;
      any |= kind;
    }
    kinds[i] = resultKinds(node.op, all, any);
  }
  return kinds;
}
