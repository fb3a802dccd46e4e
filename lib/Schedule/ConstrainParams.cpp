//===- ConstrainParams.cpp - Read transform.smt.constrain_params ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/ConstrainParams.h"

#include "baco/Expression/Expression.h"

#include "mlir/Dialect/SMT/IR/SMTOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using transform::smt::ConstrainParamsOp;

static std::string call(StringRef op, ArrayRef<std::string> operands) {
  return "(" + llvm::join(operands, (" " + op + " ").str()) + ")";
}

/// Whether `text` is a positive literal; then floor division is what SMT-LIB
/// means, and the constraint stays one that can be enumerated.
static bool isPositiveLiteral(StringRef text) {
  int64_t value;
  return !text.getAsInteger(10, value) && value > 0;
}

/// SMT-LIB divides such that the remainder is never negative.
static std::string euclideanMod(const std::string &a, const std::string &b) {
  return isPositiveLiteral(b) ? "(" + a + " % " + b + ")"
                              : "(" + a + " % abs(" + b + "))";
}

static std::string euclideanDiv(const std::string &a, const std::string &b) {
  if (isPositiveLiteral(b))
    return "(" + a + " // " + b + ")";
  return "((" + a + " - " + euclideanMod(a, b) + ") // " + b + ")";
}

/// All pairs (or only adjacent ones) of `operands` compared.
static std::string compare(StringRef op, ArrayRef<std::string> operands,
                           bool allPairs) {
  SmallVector<std::string> pairs;
  for (size_t i = 0; i < operands.size(); ++i)
    for (size_t j = i + 1; j < operands.size() && (allPairs || j == i + 1); ++j)
      pairs.push_back(call(op, {operands[i], operands[j]}));
  if (pairs.empty())
    return "true";
  return pairs.size() == 1 ? pairs.front() : call("&&", pairs);
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
    FailureOr<std::string> expression =
        ofValue(assertion, assertion.getInput());
    if (failed(expression))
      return failure();
    // The definition of a variable is no constraint on the params.
    if (*expression != "true")
      result.push_back({std::move(*expression), assertion.getLoc()});
  }
  return result;
}

FailureOr<std::string> ParamExpressions::result(ConstrainParamsOp op,
                                                unsigned index) {
  auto yield = cast<smt::YieldOp>(op.getBody().front().getTerminator());
  return ofValue(yield, yield.getValues()[index]);
}

bool ParamExpressions::isKnown(mlir::Value param) {
  return isa_and_nonnull<transform::ParamConstantOp, transform::tune::KnobOp,
                         ConstrainParamsOp>(param.getDefiningOp());
}

/// A sign binds looser than a call.
static std::string literal(int64_t value) {
  std::string digits = std::to_string(value);
  return value < 0 ? "(" + digits + ")" : digits;
}

/// The literal of an integer attribute (which may be null) of at most 64 bits.
static std::optional<std::string> literal(Attribute attribute) {
  if (!isa_and_nonnull<IntegerAttr>(attribute))
    return std::nullopt;
  baco::Value value = valueOf(attribute);
  if (const auto *integer = std::get_if<int64_t>(&value))
    return literal(*integer);
  return std::nullopt;
}

FailureOr<std::string> ParamExpressions::ofParam(Operation *user,
                                                 mlir::Value param) {
  Operation *def = param.getDefiningOp();
  std::optional<std::string> constant;
  if (auto op = dyn_cast_or_null<transform::ParamConstantOp>(def)) {
    constant = literal(op.getValue());
  } else if (auto knob = dyn_cast_or_null<transform::tune::KnobOp>(def)) {
    if (const Choice *choice = choices.find(knob))
      return variableText(choice->parameter.name());
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

FailureOr<std::string> ParamExpressions::ofValue(Operation *user,
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
  FailureOr<std::string> expression = ofOperation(def);
  active.erase(def);
  if (failed(expression))
    return failure();
  if (expression->size() > maxLength)
    return def->emitError() << "written as one expression, this constraint has "
                               "more than "
                            << maxLength << " characters";
  known[def] = *expression;
  return expression;
}

FailureOr<SmallVector<std::string>>
ParamExpressions::ofOperands(Operation *op) {
  SmallVector<std::string> texts;
  for (mlir::Value operand : op->getOperands()) {
    FailureOr<std::string> text = ofValue(op, operand);
    if (failed(text))
      return failure();
    texts.push_back(std::move(*text));
  }
  return texts;
}

FailureOr<std::string> ParamExpressions::ofOperation(Operation *op) {
  if (isa<smt::DeclareFunOp>(op))
    return ofVariable(op);
  if (definesVariable(op))
    return std::string("true");
  FailureOr<SmallVector<std::string>> operands = ofOperands(op);
  if (failed(operands))
    return failure();
  ArrayRef<std::string> in = *operands;
  using Text = FailureOr<std::string>;
  return TypeSwitch<Operation *, Text>(op)
      .Case([&](smt::IntConstantOp c) -> Text {
        if (!c.getValue().isSignedIntN(64))
          return c.emitError("the integer doesn't fit 64 bits");
        return literal(c.getValue().getSExtValue());
      })
      .Case([&](smt::BoolConstantOp c) -> Text {
        return std::string(c.getValue() ? "true" : "false");
      })
      .Case([&](smt::IntAddOp) -> Text { return call("+", in); })
      .Case([&](smt::IntMulOp) -> Text { return call("*", in); })
      .Case([&](smt::IntSubOp) -> Text { return call("-", in); })
      .Case([&](smt::IntDivOp) -> Text { return euclideanDiv(in[0], in[1]); })
      .Case([&](smt::IntModOp) -> Text { return euclideanMod(in[0], in[1]); })
      .Case([&](smt::IntAbsOp) -> Text { return "abs(" + in[0] + ")"; })
      .Case([&](smt::IntCmpOp c) -> Text {
        return call(spelling(c.getPred()), in);
      })
      .Case([&](smt::EqOp) -> Text { return compare("==", in, false); })
      .Case([&](smt::DistinctOp) -> Text { return compare("!=", in, true); })
      .Case([&](smt::AndOp) -> Text { return call("&&", in); })
      .Case([&](smt::OrOp) -> Text { return call("||", in); })
      .Case([&](smt::XOrOp) -> Text {
        std::string odd = in[0];
        for (const std::string &one : in.drop_front())
          odd = call("!=", {odd, one});
        return odd;
      })
      .Case([&](smt::NotOp) -> Text { return "!" + in[0]; })
      .Case([&](smt::ImpliesOp) -> Text {
        return "(!" + in[0] + " || " + in[1] + ")";
      })
      .Case([&](smt::IteOp ite) -> Text {
        if (!isa<smt::BoolType>(ite.getType()))
          return ite.emitError("a choice between integers is not supported in "
                               "constrain_params: assert each case");
        return "((" + in[0] + " && " + in[1] + ") || (!" + in[0] + " && " +
               in[2] + "))";
      })
      .Default([&](Operation *other) -> Text {
        return other->emitError("not supported in constrain_params: use "
                                "integer and bool operations");
      });
}

/// A variable has the value of an asserted equation.
FailureOr<std::string> ParamExpressions::ofVariable(Operation *declaration) {
  if (smt::EqOp eq = definition(declaration)) {
    bool first = eq.getInputs()[0] == declaration->getResult(0);
    return ofValue(eq, eq.getInputs()[first]);
  }
  return declaration->emitError(
      "variable is not determined by the params: assert that it is equal to an "
      "expression of them");
}
