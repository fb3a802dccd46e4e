//===- ConstrainParams.cpp - Read transform.smt.constrain_params ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/ConstrainParams.h"

#include "mlir/Dialect/SMT/IR/SMTOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using transform::smt::ConstrainParamsOp;

static Expression absolute(const Expression &number) {
  return Expression::function("abs", std::vector{number});
}

/// Whether `expression` is a positive literal; then floor division is what
/// SMT-LIB means, and the constraint stays one that can be enumerated.
static bool isPositiveLiteral(const Expression &expression) {
  return expression.asInteger().value_or(0) > 0;
}

/// SMT-LIB divides such that the remainder is never negative.
static Expression euclideanMod(const Expression &a, const Expression &b) {
  return (a % (isPositiveLiteral(b) ? b : absolute(b))).enclosed();
}

static Expression euclideanDiv(const Expression &a, const Expression &b) {
  if (isPositiveLiteral(b))
    return floorDivide(a, b).enclosed();
  return floorDivide((a - euclideanMod(a, b)).enclosed(), b).enclosed();
}

/// All pairs (or only adjacent ones) of `operands` compared.
static Expression compare(StringRef op, ArrayRef<Expression> operands,
                          bool allPairs) {
  SmallVector<Expression> pairs;
  for (size_t i = 0; i < operands.size(); ++i)
    for (size_t j = i + 1; j < operands.size() && (allPairs || j == i + 1); ++j)
      pairs.push_back(
          Expression::infix(operands[i], op, operands[j]).enclosed());
  if (pairs.empty())
    return Expression::literal(true);
  return pairs.size() == 1 ? pairs.front()
                           : Expression::chain("&&", pairs).enclosed();
}

static StringRef spelling(smt::IntPredicate predicate) {
  switch (predicate) {
  case smt::IntPredicate::lt:
    return "<";
  case smt::IntPredicate::le:
    return "<=";
  case smt::IntPredicate::gt:
    return ">";
  case smt::IntPredicate::ge:
    return ">=";
  }
  llvm_unreachable("no other predicates");
}

/// The equation that defines a variable: the first asserted one between it and
/// another value. Null if there is none.
static smt::EqOp definition(Operation *declaration) {
  mlir::Value variable = declaration->getResult(0);
  for (auto eq : declaration->getBlock()->getOps<smt::EqOp>())
    if (eq.getInputs().size() == 2 &&
        llvm::count(eq.getInputs(), variable) == 1 &&
        llvm::any_of(eq->getUsers(), llvm::IsaPred<smt::AssertOp>))
      return eq;
  return {};
}

/// Whether `op` is the definition of a variable; it holds by construction.
static bool definesVariable(Operation *op) {
  return llvm::any_of(op->getOperands(), [&](mlir::Value operand) {
    auto variable = operand.getDefiningOp<smt::DeclareFunOp>();
    return variable && definition(variable) == op;
  });
}

FailureOr<SmallVector<ParamExpressions::Assertion>>
ParamExpressions::assertions(ConstrainParamsOp op) {
  SmallVector<Assertion> result;
  for (Operation &inner : op.getBody().front()) {
    auto assertion = dyn_cast<smt::AssertOp>(inner);
    if (!assertion)
      continue;
    FailureOr<Expression> expression = ofValue(assertion, assertion.getInput());
    if (failed(expression))
      return failure();
    // The definition of a variable is no constraint on the params.
    if (expression->asBool() != true)
      result.push_back({std::move(*expression), assertion.getLoc()});
  }
  return result;
}

FailureOr<Expression> ParamExpressions::result(ConstrainParamsOp op,
                                               unsigned index) {
  auto yield = cast<smt::YieldOp>(op.getBody().front().getTerminator());
  return ofValue(yield, yield.getValues()[index]);
}

bool ParamExpressions::isKnown(mlir::Value param) {
  return isa_and_nonnull<transform::ParamConstantOp, transform::tune::KnobOp,
                         ConstrainParamsOp>(param.getDefiningOp());
}

static Expression literal(int64_t value) {
  Expression literal(value);
  return value < 0 ? literal.enclosed() : literal;
}

/// The literal of an integer attribute (which may be null) of at most 64 bits.
static std::optional<Expression> literal(Attribute attribute) {
  if (!isa_and_nonnull<IntegerAttr>(attribute))
    return std::nullopt;
  baco::ParameterValue value = valueOf(attribute);
  if (const auto *integer = std::get_if<int64_t>(&value))
    return literal(*integer);
  return std::nullopt;
}

FailureOr<Expression> ParamExpressions::ofParam(Operation *user,
                                                mlir::Value param) {
  Operation *def = param.getDefiningOp();
  std::optional<Expression> constant;
  if (auto op = dyn_cast_or_null<transform::ParamConstantOp>(def)) {
    constant = literal(op.getValue());
  } else if (auto knob = dyn_cast_or_null<transform::tune::KnobOp>(def)) {
    if (const Choice *choice = choices.find(knob))
      return Expression::variable(choice->parameter.name());
    constant = literal(knob.getSelected().value_or(nullptr));
  } else if (auto other = dyn_cast_or_null<ConstrainParamsOp>(def)) {
    return result(other, cast<OpResult>(param).getResultNumber());
  }
  if (constant)
    return *constant;
  InFlightDiagnostic diagnostic =
      user->emitError("a constrained param must be a knob, an integer constant "
                      "or the result of another constrain_params, because "
                      "other values are unknown before the schedule runs");
  diagnostic.attachNote(param.getLoc()) << "this param";
  return diagnostic;
}

FailureOr<Expression> ParamExpressions::ofValue(Operation *user,
                                                mlir::Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto op = dyn_cast<ConstrainParamsOp>(argument.getOwner()->getParentOp());
    if (op)
      return ofParam(op, op.getParams()[argument.getArgNumber()]);
  }
  Operation *def = value.getDefiningOp();
  if (!def)
    return user->emitError("this operand is not supported in constrain_params");
  auto it = known.find(def);
  if (it != known.end())
    return it->second;
  if (!active.insert(def).second)
    return def->emitError("value is defined by itself");
  FailureOr<Expression> expression = ofOperation(def);
  active.erase(def);
  if (failed(expression))
    return failure();
  if (expression->text().size() > maxLength || expression->isTooDeep())
    return def->emitError() << "written as one expression, this constraint has "
                               "more than "
                            << maxLength << " characters or "
                            << Expression::maxDepth << " levels";
  known.try_emplace(def, *expression);
  return expression;
}

FailureOr<SmallVector<Expression>> ParamExpressions::ofOperands(Operation *op) {
  SmallVector<Expression> expressions;
  for (mlir::Value operand : op->getOperands()) {
    FailureOr<Expression> expression = ofValue(op, operand);
    if (failed(expression))
      return failure();
    expressions.push_back(std::move(*expression));
  }
  return expressions;
}

FailureOr<Expression> ParamExpressions::ofOperation(Operation *op) {
  if (isa<smt::DeclareFunOp>(op))
    return ofVariable(op);
  if (definesVariable(op))
    return Expression::literal(true);
  FailureOr<SmallVector<Expression>> operands = ofOperands(op);
  if (failed(operands))
    return failure();
  ArrayRef<Expression> in = *operands;
  auto joined = [&](StringRef symbol) {
    return Expression::chain(symbol, in).enclosed();
  };
  using Read = FailureOr<Expression>;
  return TypeSwitch<Operation *, Read>(op)
      .Case([&](smt::IntConstantOp c) -> Read {
        if (!c.getValue().isSignedIntN(64))
          return c.emitError("the integer doesn't fit 64 bits");
        return literal(c.getValue().getSExtValue());
      })
      .Case([&](smt::BoolConstantOp c) -> Read {
        return Expression::literal(c.getValue());
      })
      .Case([&](smt::IntAddOp) -> Read { return joined("+"); })
      .Case([&](smt::IntMulOp) -> Read { return joined("*"); })
      .Case([&](smt::IntSubOp) -> Read { return (in[0] - in[1]).enclosed(); })
      .Case([&](smt::IntDivOp) -> Read { return euclideanDiv(in[0], in[1]); })
      .Case([&](smt::IntModOp) -> Read { return euclideanMod(in[0], in[1]); })
      .Case([&](smt::IntAbsOp) -> Read { return absolute(in[0]); })
      .Case([&](smt::IntCmpOp c) -> Read {
        return compare(spelling(c.getPred()), in, false);
      })
      .Case([&](smt::EqOp) -> Read { return compare("==", in, false); })
      .Case([&](smt::DistinctOp) -> Read { return compare("!=", in, true); })
      .Case([&](smt::AndOp) -> Read { return joined("&&"); })
      .Case([&](smt::OrOp) -> Read { return joined("||"); })
      .Case([&](smt::XOrOp) -> Read {
        Expression odd = in[0];
        for (const Expression &one : in.drop_front())
          odd = (odd != one).enclosed();
        return odd;
      })
      .Case([&](smt::NotOp) -> Read { return !in[0]; })
      .Case(
          [&](smt::ImpliesOp) -> Read { return (!in[0] || in[1]).enclosed(); })
      .Case([&](smt::IteOp ite) -> Read {
        if (!isa<smt::BoolType>(ite.getType()))
          return ite.emitError("a choice between integers is not supported in "
                               "constrain_params: assert each case");
        return ((in[0] && in[1]).enclosed() || (!in[0] && in[2]).enclosed())
            .enclosed();
      })
      .Default([&](Operation *other) -> Read {
        return other->emitError("not supported in constrain_params: use "
                                "integer and bool operations");
      });
}

/// A variable has the value of an asserted equation.
FailureOr<Expression> ParamExpressions::ofVariable(Operation *declaration) {
  if (smt::EqOp eq = definition(declaration)) {
    bool first = eq.getInputs()[0] == declaration->getResult(0);
    return ofValue(eq, eq.getInputs()[first]);
  }
  return declaration->emitError(
      "variable is not determined by the params: assert that it is equal to an "
      "expression of them");
}
