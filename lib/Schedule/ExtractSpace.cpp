//===- ExtractSpace.cpp - The search space of a schedule ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/ExtractSpace.h"

#include "LoopLegality.h"
#include "NestChoices.h"
#include "TransformTileExtents.h"
#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/Walk.h"

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
  /// A rule for the loop commands of an op: dependences demand it, or caches
  /// advise it.
  void addCommandRule(Operation *op, Constraint rule);
  /// A rule that caches advise for an op that takes tile sizes from knobs.
  LogicalResult addTileRule(Operation *op, Constraint rule);
  /// An open alternatives op must select one of its regions.
  void addSelection(AlternativesOp op);

  std::vector<Constraint> constraints;
  /// Rules that the default may break.
  std::vector<Constraint> advice;

private:
  void add(Operation *op, Constraint rule);
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
void ConstraintCollector::add(Operation *op, Constraint rule) {
  SmallVector<Expression> where = conditions.of(op);
  for (const Choice &choice : choices.all())
    if (llvm::is_contained(rule.expression.variables(),
                           choice.parameter.name()))
      conjoin(where, conditions.of(choice));
  if (!where.empty())
    rule.expression = Expression::where(where, rule.expression.enclosed());
  constraints.push_back(std::move(rule));
}

/// A stated constraint calls choices by the names that they have in the
/// sequence; a knob whose value is selected is that value.
FailureOr<Expression>
ConstraintCollector::globalize(transform::NamedSequenceOp sequence,
                               const Expression &expression) {
  for (const std::string &name : expression.variables())
    if (!choices.find(sequence, name) && !selectedKnob(sequence, name))
      return sequence.emitError()
             << "constraint '" << expression.text() << "' reads unknown knob '"
             << name << "'; known are " << choices.names(sequence);
  return orEmitError(
      sequence, expression.substituted([&](const std::string &name) {
        if (const Choice *choice = choices.find(sequence, name))
          return Expression::variable(choice->parameter.name());
        baco::ParameterValue value = valueOf(selectedKnob(sequence, name));
        return Expression::literal(value).enclosed();
      }));
}

LogicalResult
ConstraintCollector::addStated(transform::NamedSequenceOp sequence) {
  auto stated = sequence->getAttrOfType<ArrayAttr>(BacoDialect::kConstraints);
  if (!stated)
    return success();
  for (auto constraint : stated.getAsRange<ConstraintAttr>()) {
    FailureOr<Expression> own =
        orEmitError(sequence, Expression::parse(constraint.getExpression()));
    if (failed(own))
      return failure();
    FailureOr<Expression> global = globalize(sequence, *own);
    if (failed(global))
      return failure();
    // Read it nevertheless, because its errors would otherwise show up later.
    if (!ignoreAdvisory || !constraint.getAdvisory())
      add(sequence, {std::move(*global), constraint.getReason().str(),
                     describe(sequence.getLoc()), constraint.getAdvisory()});
  }
  return success();
}

/// Whether every value of `knob` is the number of one of `count` regions.
static bool alwaysSelects(const Choice &knob, int64_t count) {
  auto regions = integersOf(knob.parameter, /*most=*/4096);
  return regions && llvm::all_of(*regions, [&](int64_t region) {
           return region >= 0 && region < count;
         });
}

void ConstraintCollector::addSelection(AlternativesOp op) {
  std::optional<Expression> selector = conditions.selector(op);
  int64_t count = op.getAlternatives().size();
  if (!selector || choices.find(op))
    return;
  const Choice *knob =
      choices.find(op.getSelectedRegionParam().getDefiningOp());
  if (!knob || !alwaysSelects(*knob, count))
    add(op, {*selector >= 0 && *selector < count,
             "selects one of the " + std::to_string(count) + " regions",
             describe(op.getLoc()), /*advisory=*/false});
}

LogicalResult ConstraintCollector::addAsserted(ConstrainParamsOp op) {
  FailureOr<SmallVector<ParamExpressions::Assertion>> assertions =
      params.assertions(op);
  if (failed(assertions))
    return failure();
  for (const ParamExpressions::Assertion &assertion : *assertions)
    add(op, {assertion.expression, "asserted by the schedule",
             describe(assertion.location), /*advisory=*/false});
  // Its results must be known, or the schedule can't be concretized.
  for (OpResult result : op->getResults())
    if (failed(params.result(op, result.getResultNumber())))
      return failure();
  return success();
}

void ConstraintCollector::addCommandRule(Operation *op, Constraint rule) {
  rule.location = describe(op->getLoc());
  add(op, std::move(rule));
  if (constraints.back().advisory) {
    advice.push_back(std::move(constraints.back()));
    constraints.pop_back();
  }
}

LogicalResult ConstraintCollector::addTileRule(Operation *op, Constraint rule) {
  FailureOr<Expression> global = globalize(
      op->getParentOfType<transform::NamedSequenceOp>(), rule.expression);
  if (failed(global))
    return failure();
  rule.expression = std::move(*global);
  addCommandRule(op, std::move(rule));
  return success();
}

/// When each parameter is active.
static std::vector<Condition> activity(const Choices &choices,
                                       const PathConditions &conditions) {
  std::vector<Condition> active;
  for (const Choice &choice : choices.all())
    if (SmallVector<Expression> all = conditions.of(choice); !all.empty())
      active.push_back({choice.parameter.name(), Expression::chain("&&", all)});
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

/// Adds the constraints of `advice` that the default of `space` meets to
/// `constraints`, so that the search starts at the same point as without them.
/// Returns whether there are any.
static bool follow(const std::vector<Constraint> &advice, const Space &space,
                   std::vector<Constraint> &constraints) {
  size_t numConstraints = constraints.size();
  if (advice.empty())
    return false;
  Assignment start = defaultsOf(space);
  for (const Constraint &rule : advice)
    if (isTrue(rule.expression, start))
      constraints.push_back(rule);
  return constraints.size() > numConstraints;
}

FailureOr<Space> schedule::extractSpace(ModuleOp schedule, StringRef sequence,
                                        const ExtractOptions &options) {
  FailureOr<Choices> choices = Choices::collect(schedule, sequence);
  if (failed(choices))
    return failure();
  if (choices->all().empty()) {
    auto error = choices->entry().emitError(
        "nothing to tune: the schedule has no unresolved transform.tune.knob "
        "and no transform.tune.alternatives");
    if (contains(schedule,
                 llvm::IsaPred<transform::tune::KnobOp, AlternativesOp>))
      error << "; the option 'retune' tunes resolved ones, too";
    return error;
  }
  if (failed(checkCommands(*choices)))
    return failure();
  ParamExpressions params(*choices);
  FailureOr<PathConditions> conditions =
      PathConditions::compute(*choices, params);
  if (failed(conditions))
    return failure();
  std::vector<Condition> active = activity(*choices, *conditions);

  ConstraintCollector collector(*choices, params, *conditions,
                                options.ignoreAdvisory);
  for (transform::NamedSequenceOp one : choices->sequences())
    if (failed(collector.addStated(one)))
      return failure();
  if (failed(choices->visit<ConstrainParamsOp>(
          [&](auto op) { return collector.addAsserted(op); })) ||
      failed(choices->visit<AlternativesOp>([&](auto op) {
        collector.addSelection(op);
        return success();
      })))
    return failure();
  bool advises = options.payload && options.host && !options.ignoreAdvisory;
  ScheduleDryRun probed{options.payload,
                        schedule,
                        *choices,
                        *conditions,
                        active,
                        advises ? std::optional(TileCache(*options.host))
                                : std::nullopt};
  TileExtents extents;
  if (options.payload)
    addLoopLegality(
        probed, collector.constraints,
        [&](Operation *op, const Constraint &rule) {
          collector.addCommandRule(op, rule);
        },
        extents);
  std::vector<StockTiles> stockTiles;
  if (options.payload && options.looksAtTransformTiles)
    stockTiles = findTransformTileExtents(probed, collector.constraints);
  if (!stockTiles.empty())
    addTileExtents(stockTiles, *choices, extents);

  std::vector<Parameter> parameters;
  for (const Choice &choice : choices->all()) {
    Parameter &parameter = parameters.emplace_back(choice.parameter);
    if (auto found = extents.find(parameter.name());
        found != extents.end() && found->second && !parameter.extent &&
        parameter.isNumeric())
      parameter.extent = static_cast<double>(*found->second);
  }
  FailureOr<Space> space =
      orEmitError(choices->entry(),
                  Space::create(parameters, collector.constraints, active));
  if (failed(space))
    return failure();
  if (advises &&
      failed(addTileRules(stockTiles, *choices, *options.host,
                          [&](Operation *op, const Constraint &rule) {
                            return collector.addTileRule(op, rule);
                          })))
    return failure();
  if (follow(collector.advice, *space, collector.constraints))
    // Advice that can't be followed, as its diagrams are too large, is dropped.
    if (Result<Space> advised =
            Space::create(std::move(parameters),
                          std::move(collector.constraints), std::move(active)))
      space = std::move(*advised);
  for (const Constraint &constraint : space->constraints())
    LDBG() << (constraint.advisory ? "advisory: " : "constraint: ")
           << constraint.expression.text();
  warnOfReplacedDefault(*choices, *space);
  return space;
}
