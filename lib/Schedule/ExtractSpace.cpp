//===- ExtractSpace.cpp - The search space of a schedule ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/ExtractSpace.h"

#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"
#include "baco/Schedule/ConstrainParams.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using transform::smt::ConstrainParamsOp;

namespace {
/// Collects constraints and remembers the op that each comes from.
class ConstraintCollector {
public:
  explicit ConstraintCollector(const Choices &choices)
      : choices(choices), params(choices) {}

  /// `baco.constraints` of a named sequence.
  LogicalResult addStated(transform::NamedSequenceOp sequence);
  /// The assertions of a `constrain_params`.
  LogicalResult addAsserted(ConstrainParamsOp op);

  std::vector<Constraint> constraints;

private:
  LogicalResult add(Operation *op, Expression expression, StringRef reason,
                    std::string location, bool advisory);

  const Choices &choices;
  ParamExpressions params;
};
} // namespace

LogicalResult ConstraintCollector::add(Operation *op, Expression expression,
                                       StringRef reason, std::string location,
                                       bool advisory) {
  std::string condition = choices.conditionOf(op);
  if (!condition.empty()) {
    Result<Expression> guarded = Expression::parse("!(" + condition + ") || (" +
                                                   expression.text() + ")");
    if (!guarded)
      return op->emitError(guarded.error().message);
    expression = std::move(*guarded);
  }
  constraints.push_back(
      {std::move(expression), reason.str(), std::move(location), advisory});
  return success();
}

LogicalResult
ConstraintCollector::addStated(transform::NamedSequenceOp sequence) {
  auto stated = sequence->getAttrOfType<ArrayAttr>(BacoDialect::kConstraints);
  if (!stated)
    return success();
  for (auto constraint : stated.getAsRange<ConstraintAttr>()) {
    StringRef text = constraint.getExpression();
    Result<Expression> expression = Expression::parse(text);
    if (!expression)
      return sequence.emitError(expression.error().message);
    // It calls knobs by the names that they have in the sequence.
    for (const std::string &name : expression->variables())
      if (!choices.findKnob(sequence, name))
        return sequence.emitError()
               << "constraint '" << text << "' reads unknown knob '" << name
               << "'; known are " << choices.names();
    Expression global = expression->renamed([&](const std::string &name) {
      return choices.findKnob(sequence, name)->parameter.name();
    });
    if (failed(add(sequence, std::move(global), constraint.getReason(),
                   describe(sequence.getLoc()), constraint.getAdvisory())))
      return failure();
  }
  return success();
}

LogicalResult ConstraintCollector::addAsserted(ConstrainParamsOp op) {
  FailureOr<SmallVector<ParamExpressions::Assertion>> assertions =
      params.assertions(op);
  if (failed(assertions))
    return failure();
  for (const ParamExpressions::Assertion &assertion : *assertions) {
    Result<Expression> expression = Expression::parse(assertion.expression);
    if (!expression)
      return op.emitError(expression.error().message);
    if (failed(add(op, std::move(*expression), "asserted by the schedule",
                   describe(assertion.location), /*advisory=*/false)))
      return failure();
  }
  // What it yields must be known, or the schedule can't be made concrete.
  for (OpResult result : op->getResults())
    if (failed(params.result(op, result.getResultNumber())))
      return failure();
  return success();
}

FailureOr<Space> schedule::extractSpace(ModuleOp schedule, StringRef sequence) {
  FailureOr<Choices> choices = Choices::collect(schedule, sequence);
  if (failed(choices))
    return failure();
  if (choices->all().empty())
    return SymbolTable::lookupSymbolIn(schedule, sequence)
        ->emitError("nothing to tune: the schedule has no unresolved "
                    "transform.tune.knob and no transform.tune.alternatives");

  std::vector<Parameter> parameters;
  std::vector<Condition> conditions;
  for (const Choice &choice : choices->all()) {
    parameters.push_back(choice.parameter);
    if (choice.condition.empty())
      continue;
    Result<Expression> expression = Expression::parse(choice.condition);
    if (!expression)
      return choice.ops.front()->emitError(expression.error().message);
    conditions.push_back({choice.parameter.name(), *expression});
  }

  ConstraintCollector collector(*choices);
  for (transform::NamedSequenceOp one : choices->sequences()) {
    if (failed(collector.addStated(one)))
      return failure();
    WalkResult walk = one.walk([&](ConstrainParamsOp op) {
      return failed(collector.addAsserted(op)) ? WalkResult::interrupt()
                                               : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
  }

  Result<Space> space =
      Space::create(std::move(parameters), std::move(collector.constraints),
                    std::move(conditions));
  if (!space)
    return SymbolTable::lookupSymbolIn(schedule, sequence)
        ->emitError(space.error().message);
  return std::move(*space);
}
