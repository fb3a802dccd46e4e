//===- ExtractSpace.cpp - The search space of a schedule ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/ExtractSpace.h"

#include "CacheRules.h"
#include "CheckCommands.h"
#include "LoopLegality.h"
#include "StockTiles.h"
#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-extract-space"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using transform::smt::ConstrainParamsOp;
using transform::tune::AlternativesOp;

namespace {
/// Collects the constraints of a schedule.
class ConstraintCollector {
public:
  ConstraintCollector(const Choices &choices, ParamExpressions &params,
                      const PathConditions &conditions, bool ignoreAdvisory)
      : choices(choices), params(params), conditions(conditions),
        ignoreAdvisory(ignoreAdvisory) {}

  /// `baco.constraints` of a named sequence.
  LogicalResult addStated(transform::NamedSequenceOp sequence);
  /// The assertions of a `constrain_params`.
  LogicalResult addAsserted(ConstrainParamsOp op);
  /// What dependences forbid to the loop commands of an op, or caches advise
  /// against.
  LogicalResult addCommandRule(Operation *op, const CommandRule &rule);
  /// What caches advise the op against that takes sizes of tiles from knobs.
  LogicalResult addTileRule(Operation *op, ConstraintAttr rule);
  /// An open alternatives op must select one of its regions.
  LogicalResult addSelection(AlternativesOp op);

  std::vector<Constraint> constraints;
  /// Rules that the default may break.
  std::vector<Constraint> advice;

private:
  LogicalResult add(Operation *op, Expression expression, StringRef reason,
                    std::string location, bool advisory);
  FailureOr<Expression> globalize(transform::NamedSequenceOp sequence,
                                  const Expression &expression);

  const Choices &choices;
  ParamExpressions &params;
  const PathConditions &conditions;
  bool ignoreAdvisory;
};
} // namespace

/// Adds a constraint that holds where `op` runs and all parameters that it
/// reads are active: an inactive one has its default, which is irrelevant.
LogicalResult ConstraintCollector::add(Operation *op, Expression expression,
                                       StringRef reason, std::string location,
                                       bool advisory) {
  std::string condition = conditions.of(op);
  for (const Choice &choice : choices.all())
    if (llvm::is_contained(expression.variables(), choice.parameter.name()))
      if (std::string other = conditions.of(choice);
          !StringRef(condition).contains(other))
        condition = conjunction(condition, other);
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

/// A stated constraint calls choices by the names that they have in the
/// sequence; a knob whose value is selected is that value.
FailureOr<Expression>
ConstraintCollector::globalize(transform::NamedSequenceOp sequence,
                               const Expression &expression) {
  llvm::StringMap<std::string> constants;
  sequence.walk([&](transform::tune::KnobOp knob) {
    if (knob.getSelected())
      constants[knob.getName()] =
          "(" + toString(valueOf(*knob.getSelected())) + ")";
  });
  for (const std::string &name : expression.variables())
    if (!choices.find(sequence, name) && !constants.contains(name))
      return sequence.emitError()
             << "constraint '" << expression.text() << "' reads unknown knob '"
             << name << "'; known are " << choices.names(sequence);
  Result<Expression> global =
      expression.substituted([&](const std::string &name) {
        if (const Choice *choice = choices.find(sequence, name))
          return variableText(choice->parameter.name());
        return constants.lookup(name);
      });
  if (!global)
    return sequence.emitError(global.error().message);
  return *global;
}

LogicalResult
ConstraintCollector::addStated(transform::NamedSequenceOp sequence) {
  auto stated = sequence->getAttrOfType<ArrayAttr>(BacoDialect::kConstraints);
  if (!stated)
    return success();
  for (auto constraint : stated.getAsRange<ConstraintAttr>()) {
    Result<Expression> expression =
        Expression::parse(constraint.getExpression());
    if (!expression)
      return sequence.emitError(expression.error().message);
    FailureOr<Expression> global = globalize(sequence, *expression);
    if (failed(global) ||
        failed(add(sequence, std::move(*global), constraint.getReason(),
                   describe(sequence.getLoc()), constraint.getAdvisory())))
      return failure();
    // Read it nevertheless, because its errors would otherwise show up later.
    if (ignoreAdvisory && constraint.getAdvisory())
      constraints.pop_back();
  }
  return success();
}

/// Whether every value of `knob` is the number of one of `count` regions.
static bool alwaysSelects(const Choice &knob, int64_t count) {
  return llvm::all_of(llvm::seq<uint64_t>(0, knob.parameter.size()),
                      [&](uint64_t i) {
                        baco::Value value = knob.parameter.value(i);
                        const auto *region = std::get_if<int64_t>(&value);
                        return region && *region >= 0 && *region < count;
                      });
}

LogicalResult ConstraintCollector::addSelection(AlternativesOp op) {
  std::string selector = conditions.selector(op);
  int64_t count = op.getAlternatives().size();
  if (selector.empty() || choices.find(op))
    return success();
  const Choice *knob =
      choices.find(op.getSelectedRegionParam().getDefiningOp());
  if (knob && alwaysSelects(*knob, count))
    return success();
  Result<Expression> expression = Expression::parse(
      selector + " >= 0 && " + selector + " < " + std::to_string(count));
  if (!expression)
    return op.emitError(expression.error().message);
  return add(op, std::move(*expression),
             "selects one of the " + std::to_string(count) + " regions",
             describe(op.getLoc()), /*advisory=*/false);
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
  // Its results must be known, or the schedule can't be concretized.
  for (OpResult result : op->getResults())
    if (failed(params.result(op, result.getResultNumber())))
      return failure();
  return success();
}

LogicalResult ConstraintCollector::addCommandRule(Operation *op,
                                                  const CommandRule &rule) {
  Result<Expression> expression = Expression::parse(rule.expression);
  if (!expression)
    return op->emitError(expression.error().message);
  if (failed(add(op, std::move(*expression), rule.reason,
                 describe(op->getLoc()), rule.advisory)))
    return failure();
  if (rule.advisory) {
    advice.push_back(std::move(constraints.back()));
    constraints.pop_back();
  }
  return success();
}

LogicalResult ConstraintCollector::addTileRule(Operation *op,
                                               ConstraintAttr rule) {
  Result<Expression> expression = Expression::parse(rule.getExpression());
  if (!expression)
    return op->emitError(expression.error().message);
  FailureOr<Expression> global =
      globalize(op->getParentOfType<transform::NamedSequenceOp>(), *expression);
  if (failed(global))
    return failure();
  return addCommandRule(
      op, {global->text(), rule.getReason().str(), /*advisory=*/true});
}

/// Calls `visit` for each op of type OpT that may run.
template <typename OpT, typename Visit>
static LogicalResult forEach(const Choices &choices, Visit visit) {
  for (transform::NamedSequenceOp sequence : choices.sequences()) {
    WalkResult walk = sequence.walk([&](OpT op) {
      return !isDead(op) && failed(visit(op)) ? WalkResult::interrupt()
                                              : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
  }
  return success();
}

/// When each parameter is active.
static FailureOr<std::vector<Condition>>
activity(const Choices &choices, const PathConditions &conditions) {
  std::vector<Condition> active;
  for (const Choice &choice : choices.all()) {
    std::string condition = conditions.of(choice);
    if (condition.empty())
      continue;
    Result<Expression> expression = Expression::parse(condition);
    if (!expression)
      return choice.ops.front()->emitError(expression.error().message);
    active.push_back({choice.parameter.name(), *expression});
  }
  return active;
}

/// `a = 1, b = 2`: those parameters that differ between the configurations.
static std::string describeChanges(const Space &space, const Configuration &old,
                                   const Configuration &now) {
  SmallVector<std::string> changes;
  for (auto [parameter, before, after] :
       llvm::zip_equal(space.parameters(), old, now))
    if (before != after)
      changes.push_back(parameter.name() + " = " + toString(after));
  return llvm::join(changes, ", ");
}

/// Warns where the search doesn't start with the default of a knob.
static void warnOfReplacedDefault(const Choices &choices, const Space &space) {
  Configuration asked;
  for (const Parameter &parameter : space.parameters())
    asked.push_back(parameter.initialValue());
  if (space.violated(asked).empty())
    return;
  Configuration taken = space.toConfiguration(space.defaultPoint());
  for (auto [choice, before, after] :
       llvm::zip_equal(choices.all(), asked, taken)) {
    Operation *knob = choice.ops.front();
    if (before == after || !knob->hasAttr(BacoDialect::kDefault))
      continue;
    knob->emitWarning() << "the default " << toString(before) << " of knob '"
                        << choice.name << "' is infeasible: "
                        << space.check(asked).error().message
                        << "; the default is now "
                        << describeChanges(space, asked, taken);
    return;
  }
}

/// Adds to `constraints` what the default of `space` meets of `advice`, so that
/// the search starts where it would without. Whether that is anything.
static bool follow(const std::vector<Constraint> &advice, const Space &space,
                   std::vector<Constraint> &constraints) {
  size_t numConstraints = constraints.size();
  if (advice.empty())
    return false;
  Configuration start = space.toConfiguration(space.defaultPoint());
  for (const Constraint &rule : advice)
    if (holds(rule.expression, space, start))
      constraints.push_back(rule);
  return constraints.size() > numConstraints;
}

FailureOr<Space> schedule::extractSpace(ModuleOp schedule, StringRef sequence,
                                        const ExtractOptions &options) {
  FailureOr<Choices> choices = Choices::collect(schedule, sequence);
  if (failed(choices))
    return failure();
  if (choices->all().empty())
    return choices->entry().emitError(
        "nothing to tune: the schedule has no unresolved transform.tune.knob "
        "and no transform.tune.alternatives");
  if (failed(checkCommands(*choices)))
    return failure();
  ParamExpressions params(*choices);
  FailureOr<PathConditions> conditions =
      PathConditions::compute(*choices, params);
  if (failed(conditions))
    return failure();
  FailureOr<std::vector<Condition>> active = activity(*choices, *conditions);
  if (failed(active))
    return failure();

  ConstraintCollector collector(*choices, params, *conditions,
                                options.ignoreAdvisory);
  for (transform::NamedSequenceOp one : choices->sequences())
    if (failed(collector.addStated(one)))
      return failure();
  if (failed(forEach<ConstrainParamsOp>(
          *choices, [&](auto op) { return collector.addAsserted(op); })) ||
      failed(forEach<AlternativesOp>(
          *choices, [&](auto op) { return collector.addSelection(op); })))
    return failure();
  bool advises = options.payload && options.host && !options.ignoreAdvisory;
  ProbedSchedule probed{options.payload,
                        schedule,
                        *choices,
                        *conditions,
                        *active,
                        advises ? std::optional(TileCache(*options.host))
                                : std::nullopt};
  if (options.payload &&
      failed(addLoopLegality(probed, collector.constraints,
                             [&](Operation *op, const CommandRule &rule) {
                               return collector.addCommandRule(op, rule);
                             })))
    return failure();

  std::vector<Parameter> parameters;
  for (const Choice &choice : choices->all())
    parameters.push_back(choice.parameter);
  Result<Space> space =
      Space::create(parameters, collector.constraints, *active);
  if (!space)
    return choices->entry().emitError(space.error().message);
  if (advises && options.advisesOnStockTiles &&
      failed(addTileRules(probed, *space, *options.host,
                          [&](Operation *op, ConstraintAttr rule) {
                            return collector.addTileRule(op, rule);
                          })))
    return failure();
  if (follow(collector.advice, *space, collector.constraints))
    // Advice that can't be followed, as its diagrams are too large, is dropped.
    if (Result<Space> advised =
            Space::create(std::move(parameters),
                          std::move(collector.constraints), std::move(*active)))
      space = std::move(advised);
  for (const Constraint &constraint : space->constraints())
    LDBG() << (constraint.advisory ? "advisory: " : "constraint: ")
           << constraint.expression.text();
  warnOfReplacedDefault(*choices, *space);
  return std::move(*space);
}
