//===- Evaluate.cpp - Evaluation of expressions ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Expression/Tree.h"

#include <bit>
#include <cmath>

using namespace baco;
using namespace baco::expression;

namespace {

/// One evaluation; the node that fails names itself in the result.
class Evaluator {
public:
  Evaluator(const Tree &tree, const Scalar *slots) : tree(tree), slots(slots) {}

  Scalar run(uint32_t node) const;

private:
  Scalar fail(Failure failure, uint32_t node) const {
    return Scalar::failed(failure, node);
  }
  Scalar finite(double x, uint32_t node) const {
    return std::isfinite(x) ? Scalar::ofReal(x) : fail(Failure::Overflow, node);
  }

  Scalar junction(uint32_t node, bool decisive) const;
  Scalar chain(uint32_t node, bool isSum) const;
  Scalar extremum(uint32_t node, int wanted) const;
  Scalar oneOf(uint32_t node) const;
  Scalar call(uint32_t node) const;
  Scalar unary(uint32_t node, const Scalar &x) const;
  Scalar binary(uint32_t node, const Scalar &a, const Scalar &b) const;
  Scalar quotient(uint32_t node, const Scalar &a, const Scalar &b) const;
  Scalar lookUp(uint32_t node, const Scalar &order, const Scalar &key) const;

  const Tree &tree;
  const Scalar *slots;
};

} // namespace

Scalar Evaluator::run(uint32_t index) const {
  const Node &node = tree.nodes[index];
  const Operand *operands = tree.operands.data() + node.firstOperand;
  switch (node.op) {
  case Op::Literal:
    return node.literal;
  case Op::Variable: {
    const Scalar &value = slots[node.variable];
    return value.isFailed() ? fail(Failure::NoValue, index) : value;
  }
  case Op::Or:
    return junction(index, true);
  case Op::And:
    return junction(index, false);
  case Op::Sum:
    return chain(index, true);
  case Op::Product:
    return chain(index, false);
  case Op::Min:
    return extremum(index, -1);
  case Op::Max:
    return extremum(index, 1);
  case Op::In:
    return oneOf(index);
  case Op::Call:
    return call(index);
  case Op::IsTrue:
    return Scalar::ofBool(run(operands[0].node).is(true));
  case Op::Not:
  case Op::Abs:
  case Op::Log2:
  case Op::Pow2:
  case Op::IsPow2: {
    Scalar x = run(operands[0].node);
    return x.isFailed() ? x : unary(index, x);
  }
  default: {
    Scalar a = run(operands[0].node);
    if (a.isFailed())
      return a;
    Scalar b = run(operands[1].node);
    return b.isFailed() ? b : binary(index, a, b);
  }
  }
}

/// || decides on true, && on false.
Scalar Evaluator::junction(uint32_t index, bool decisive) const {
  for (const Operand &operand : tree.operandsOf(tree.nodes[index])) {
    Scalar x = run(operand.node);
    if (x.isFailed())
      return x;
    if (x.kind != Bool)
      return fail(Failure::WrongType, index);
    if (x.flag == decisive)
      return x;
  }
  return Scalar::ofBool(!decisive);
}

/// Integers are combined exactly up to the first real, from there on as
/// doubles from left to right.
Scalar Evaluator::chain(uint32_t index, bool isSum) const {
  ExactAccumulator exact{isSum ? 0 : 1};
  bool isReal = false;
  double total = 0;
  for (const Operand &operand : tree.operandsOf(tree.nodes[index])) {
    Scalar x = run(operand.node);
    if (x.isFailed())
      return x;
    if (!x.isNumber())
      return fail(Failure::WrongType, index);
    if (!isReal && x.kind == Int) {
      if (isSum)
        exact.add(x.integer, operand.subtracted);
      else
        exact.multiply(x.integer);
      continue;
    }
    if (!isReal) {
      if (!exact.fits())
        return fail(Failure::Overflow, index);
      total = static_cast<double>(exact.value);
      isReal = true;
    }
    if (isSum)
      total += operand.subtracted ? -x.asReal() : x.asReal();
    else
      total *= x.asReal();
  }
  if (isReal)
    return finite(total, index);
  if (!exact.fits())
    return fail(Failure::Overflow, index);
  return Scalar::ofInt(static_cast<int64_t>(exact.value));
}

Scalar Evaluator::extremum(uint32_t index, int wanted) const {
  Scalar best = Scalar::ofBool(false);
  for (const Operand &operand : tree.operandsOf(tree.nodes[index])) {
    Scalar x = run(operand.node);
    if (x.isFailed())
      return x;
    if (!x.isNumber())
      return fail(Failure::WrongType, index);
    if (!best.isNumber() || compareNumbers(x, best) == wanted)
      best = x;
  }
  return best;
}

Scalar Evaluator::oneOf(uint32_t index) const {
  std::span<const Operand> operands = tree.operandsOf(tree.nodes[index]);
  Scalar x = run(operands[0].node);
  if (x.isFailed())
    return x;
  for (const Operand &operand : operands.subspan(1)) {
    Scalar member = run(operand.node);
    if (member.isFailed())
      return member;
    if (equal(x, member))
      return Scalar::ofBool(true);
  }
  return Scalar::ofBool(false);
}

Scalar Evaluator::call(uint32_t index) const {
  std::vector<ParameterValue> values;
  for (const Operand &operand : tree.operandsOf(tree.nodes[index])) {
    Scalar x = run(operand.node);
    if (x.isFailed())
      return x;
    values.push_back(valueOf(x));
  }
  return Scalar::ofBool((*tree.predicate)(values));
}

Scalar Evaluator::unary(uint32_t index, const Scalar &x) const {
  Op op = tree.nodes[index].op;
  if (op == Op::Not)
    return x.kind == Bool ? Scalar::ofBool(!x.flag)
                          : fail(Failure::WrongType, index);
  if (!x.isNumber())
    return fail(Failure::WrongType, index);
  switch (op) {
  case Op::Abs:
    if (x.kind == Real)
      return Scalar::ofReal(std::fabs(x.real));
    return x.integer == INT64_MIN ? fail(Failure::Overflow, index)
                                  : Scalar::ofInt(std::abs(x.integer));
  case Op::Log2:
    return x.asReal() > 0 ? Scalar::ofReal(std::log2(x.asReal()))
                          : fail(Failure::LogOfNonPositive, index);
  case Op::Pow2:
    if (x.kind == Real)
      return finite(std::exp2(x.real), index);
    return x.integer < 0 || x.integer > 62
               ? fail(Failure::Overflow, index)
               : Scalar::ofInt(int64_t(1) << x.integer);
  default: {
    if (x.kind == Int)
      return Scalar::ofBool(x.integer > 0 &&
                            std::has_single_bit(uint64_t(x.integer)));
    int exponent;
    return Scalar::ofBool(x.real >= 1 && std::frexp(x.real, &exponent) == 0.5);
  }
  }
}

Scalar Evaluator::binary(uint32_t index, const Scalar &a,
                         const Scalar &b) const {
  Op op = tree.nodes[index].op;
  if (op == Op::Equal)
    return Scalar::ofBool(equal(a, b));
  if (op == Op::Unequal)
    return Scalar::ofBool(!equal(a, b));
  if (op == Op::Element || op == Op::Position)
    return lookUp(index, a, b);
  if (!a.isNumber() || !b.isNumber())
    return fail(Failure::WrongType, index);
  switch (op) {
  case Op::Less:
    return Scalar::ofBool(compareNumbers(a, b) < 0);
  case Op::LessEqual:
    return Scalar::ofBool(compareNumbers(a, b) <= 0);
  case Op::Greater:
    return Scalar::ofBool(compareNumbers(a, b) > 0);
  case Op::GreaterEqual:
    return Scalar::ofBool(compareNumbers(a, b) >= 0);
  case Op::Divides:
    return Scalar::ofBool(divides(a, b));
  default:
    return quotient(index, a, b);
  }
}

/// a / b, a // b (rounded down), a % b (the sign of b).
Scalar Evaluator::quotient(uint32_t index, const Scalar &a,
                           const Scalar &b) const {
  Op op = tree.nodes[index].op;
  if (b.asReal() == 0)
    return fail(Failure::DivisionByZero, index);
  if (op == Op::Divide)
    return finite(a.asReal() / b.asReal(), index);
  if (a.kind == Int && b.kind == Int) {
    // Dividing by -1 is the one case that overflows.
    if (b.integer == -1) {
      if (op == Op::Modulo)
        return Scalar::ofInt(0);
      return a.integer == INT64_MIN ? fail(Failure::Overflow, index)
                                    : Scalar::ofInt(-a.integer);
    }
    int64_t whole = a.integer / b.integer, rest = a.integer % b.integer;
    bool down = rest != 0 && (rest < 0) != (b.integer < 0);
    if (op == Op::Modulo)
      return Scalar::ofInt(down ? rest + b.integer : rest);
    return Scalar::ofInt(down ? whole - 1 : whole);
  }
  double x = a.asReal(), y = b.asReal(), rest = std::fmod(x, y);
  if (rest != 0 && (rest < 0) != (y < 0))
    rest += y;
  if (op == Op::Modulo)
    return Scalar::ofReal(rest);
  // Flooring x / y would be wrong where the division rounds up to an integer.
  return finite(std::round((x - rest) / y), index);
}

/// The element at a position, or the position of an element.
Scalar Evaluator::lookUp(uint32_t index, const Scalar &order,
                         const Scalar &key) const {
  if (order.kind != Order || key.kind != Int)
    return fail(Failure::WrongType, index);
  if (key.integer < 0 || key.integer >= order.extra)
    return fail(Failure::OutOfRange, index);
  if (tree.nodes[index].op == Op::Element)
    return Scalar::ofInt(order.order[key.integer]);
  for (uint32_t place = 0; place < order.extra; ++place)
    if (order.order[place] == key.integer)
      return Scalar::ofInt(place);
  return fail(Failure::OutOfRange, index);
}

Scalar expression::evaluate(const Tree &tree, uint32_t node,
                            const Scalar *slots) {
  return Evaluator(tree, slots).run(node);
}

std::string expression::describeFailure(const Tree &tree,
                                        const Scalar &failed) {
  const Node &node = tree.nodes[failed.extra];
  std::string text = "column " + std::to_string(node.column) + ": ";
  if (failed.failure == Failure::NoValue)
    return text + "'" + tree.variables[node.variable] + "' has no value";
  return text + std::string(failureText(failed.failure));
}
