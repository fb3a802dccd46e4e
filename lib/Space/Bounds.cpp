//===- Bounds.cpp - Ranges from monotone comparisons ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of Candidates that cuts ranges: where both sides of a comparison are
// monotone in the parameter, a binary search finds the values that satisfy it.
//
//===----------------------------------------------------------------------===//

#include "Candidates.h"

using namespace baco;
using namespace baco::expression;

/// The first index in [low, high) for which a predicate holds that, once true,
/// stays so; `high` if none.
template <typename Predicate>
uint64_t Candidates::firstTrue(Predicate predicate) const {
  uint64_t begin = low, end = high;
  while (begin < end) {
    uint64_t middle = begin + (end - begin) / 2;
    if (predicate(middle))
      end = middle;
    else
      begin = middle + 1;
  }
  return begin;
}

/// Removes the values at one end for which a side fails (overflow, logarithm
/// of 0, ...): in monotone expressions they lie at the ends. False if both ends
/// fail, or a side isn't a number.
bool Candidates::shrinkToDefined(uint32_t left, uint32_t right) {
  auto isDefined = [&](uint64_t index) {
    return valueAt(left, index).isNumber() && valueAt(right, index).isNumber();
  };
  bool isLowDefined = isDefined(low), isHighDefined = isDefined(high - 1);
  if (isLowDefined && !isHighDefined)
    high = firstTrue([&](uint64_t index) { return !isDefined(index); });
  else if (isHighDefined && !isLowDefined)
    low = firstTrue(isDefined);
  return isLowDefined || isHighDefined;
}

void Candidates::restrictRange(Op op, uint32_t left, uint32_t right) {
  Direction a = directionOf(left), b = directionOf(right);
  if (a == Direction::Unknown || b == Direction::Unknown ||
      (a == b && a != Direction::Constant))
    return;
  if (!shrinkToDefined(left, right))
    return;
  // The sign of left - right, negated if that decreases.
  bool decreases = a == Direction::Decreasing || b == Direction::Increasing;
  auto sign = [&](uint64_t index) {
    int order = compareNumbers(valueAt(left, index), valueAt(right, index));
    return decreases ? -order : order;
  };
  if (decreases) {
    switch (op) {
    case Op::Less:
      op = Op::Greater;
      break;
    case Op::LessEqual:
      op = Op::GreaterEqual;
      break;
    case Op::Greater:
      op = Op::Less;
      break;
    case Op::GreaterEqual:
      op = Op::LessEqual;
      break;
    default:
      break;
    }
  }
  if (op == Op::Greater)
    low = firstTrue([&](uint64_t index) { return sign(index) > 0; });
  if (op == Op::GreaterEqual || op == Op::Equal)
    low = firstTrue([&](uint64_t index) { return sign(index) >= 0; });
  if (op == Op::Less)
    high = firstTrue([&](uint64_t index) { return sign(index) >= 0; });
  if (op == Op::LessEqual || op == Op::Equal)
    high = firstTrue([&](uint64_t index) { return sign(index) > 0; });
}

int Candidates::signOf(uint32_t node, bool orZero) const {
  auto sign = [](const Scalar &x) {
    return x.isNumber() ? compareNumbers(x, Scalar::ofInt(0)) : 0;
  };
  if (!reads(node))
    return sign(valueOf(node));
  if (directionOf(node) == Direction::Unknown)
    return 0;
  Scalar atLow = valueAt(node, low), atHigh = valueAt(node, high - 1);
  int first = sign(atLow), last = sign(atHigh);
  if (orZero && atLow.isNumber() && atHigh.isNumber() && first * last == 0)
    return first + last;
  return first == last ? first : 0;
}

/// How the value of a node changes with the index of the parameter's value,
/// within [low, high). Monotone in the weak sense.
Candidates::Direction Candidates::directionOf(uint32_t index) const {
  if (!reads(index))
    return Direction::Constant;
  const Tree &tree = current->conjunct->rule->tree;
  const Node &node = tree.nodes[index];
  switch (node.op) {
  case Op::Variable:
    // Not for lists of integers and reals: sums are exact for the former only.
    return domain->parameter().isNumeric() && domain->kinds() != anyNumber
               ? Direction::Increasing
               : Direction::Unknown;
  case Op::Sum:
  case Op::Min:
  case Op::Max:
    return directionOfAll(index);
  case Op::Product:
    return directionOfProduct(index);
  case Op::Divide:
  case Op::FloorDivide:
    return directionOfQuotient(index);
  case Op::Log2:
  case Op::Pow2:
    return directionOf(tree.operandsOf(node)[0].node);
  default:
    return Direction::Unknown;
  }
}

/// Sums, minima and maxima: all operands in the same direction.
Candidates::Direction Candidates::directionOfAll(uint32_t index) const {
  const Tree &tree = current->conjunct->rule->tree;
  Direction all = Direction::Constant;
  for (const Operand &operand : tree.operandsOf(tree.nodes[index])) {
    Direction one = directionOf(operand.node);
    if (one == Direction::Constant)
      continue;
    if (operand.subtracted && one != Direction::Unknown)
      one = one == Direction::Increasing ? Direction::Decreasing
                                         : Direction::Increasing;
    if (one == Direction::Unknown || (all != Direction::Constant && all != one))
      return Direction::Unknown;
    all = one;
  }
  return all;
}

/// Products whose factors all have a sign: the factors' sizes change in the
/// same direction.
Candidates::Direction Candidates::directionOfProduct(uint32_t index) const {
  const Tree &tree = current->conjunct->rule->tree;
  Direction all = Direction::Constant;
  int total = 1;
  size_t numVarying = 0;
  for (const Operand &operand : tree.operandsOf(tree.nodes[index]))
    numVarying += reads(operand.node);
  for (const Operand &operand : tree.operandsOf(tree.nodes[index])) {
    bool varies = reads(operand.node);
    Direction one = directionOf(operand.node);
    if (one == Direction::Unknown)
      return Direction::Unknown;
    // A single varying factor may change its sign.
    int sign = varies && numVarying == 1 ? 1 : signOf(operand.node, varies);
    if (sign == 0)
      return Direction::Unknown;
    total *= sign;
    if (!varies)
      continue;
    if (sign < 0)
      one = one == Direction::Increasing ? Direction::Decreasing
                                         : Direction::Increasing;
    if (all != Direction::Constant && all != one)
      return Direction::Unknown;
    all = one;
  }
  if (total > 0)
    return all;
  return all == Direction::Increasing ? Direction::Decreasing
                                      : Direction::Increasing;
}

/// x / c and c / x, where c and the divisor have a sign.
Candidates::Direction Candidates::directionOfQuotient(uint32_t index) const {
  const Tree &tree = current->conjunct->rule->tree;
  std::span<const Operand> operands = tree.operandsOf(tree.nodes[index]);
  uint32_t dividend = operands[0].node, divisor = operands[1].node;
  bool varies = reads(dividend);
  Direction direction = directionOf(varies ? dividend : divisor);
  int sign = signOf(divisor);
  if (direction == Direction::Unknown || (varies && reads(divisor)) ||
      sign == 0)
    return Direction::Unknown;
  if (!varies)
    sign = -signOf(dividend);
  if (sign == 0)
    return Direction::Unknown;
  if (sign > 0)
    return direction;
  return direction == Direction::Increasing ? Direction::Decreasing
                                            : Direction::Increasing;
}
