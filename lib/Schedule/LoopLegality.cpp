//===- LoopLegality.cpp - Loop commands that dependences forbid -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopLegality.h"

#include "CacheRules.h"
#include "NestChoices.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/LoopCommands.h"
#include "baco/LoopNest/CommandLegality.h"
#include "baco/Support/StopScope.h"
#include "baco/TransformOps/RestructureProbe.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-loop-legality"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using loopnest::CommandKnob;
using loopnest::CommandLegality;
using transform::NamedSequenceOp;
using transform::RestructureOp;

//===----------------------------------------------------------------------===//
// Knobs
//===----------------------------------------------------------------------===//

/// The knobs that the commands of `op` name; nothing if there are none, or one
/// has too many values to list them.
static std::vector<CommandKnob> knobsOf(RestructureOp op,
                                        const Choices &choices) {
  constexpr uint64_t maxValues = 4096;
  llvm::SetVector<StringAttr> names;
  for (Attribute command : op.getCommands())
    (void)resolveKnobNames(command, [&](StringRef name) {
      names.insert(StringAttr::get(op.getContext(), name));
      return Attribute();
    });
  std::vector<CommandKnob> knobs;
  for (StringAttr name : names) {
    const Choice *choice =
        choices.find(op->getParentOfType<NamedSequenceOp>(), name);
    if (!choice || !choice->type)
      continue;
    const Parameter &parameter = choice->parameter;
    if (parameter.kind() == ParameterKind::Real || parameter.size() > maxValues)
      return {};
    CommandKnob knob{name.str(), {}};
    for (uint64_t i = 0; i < parameter.size(); ++i)
      knob.values.push_back(
          attributeOf(*choice, parameter.value(i), choice->type));
    knobs.push_back(std::move(knob));
  }
  return knobs;
}

//===----------------------------------------------------------------------===//
// Probing
//===----------------------------------------------------------------------===//

namespace {
class LegalityProbe {
public:
  LegalityProbe(const ScheduleDryRun &probed,
                const std::vector<Constraint> &constraints, AddCommandRule add,
                TileExtents &extents)
      : probed(probed), constraints(constraints), add(add), extents(extents) {}

  void run();

private:
  /// An op whose nest depends on choices.
  struct OpenOp {
    RestructureOp op;
    SmallVector<const Choice *> deciders;
  };

  /// Runs the schedule until it fails or ends.
  void apply(const Assignment &assignment, RestructureProbe::Visit visit);
  /// The illegal values of the commands of `op`; nullopt if the nest can't be
  /// read.
  std::optional<std::vector<Constraint>>
  judge(RestructureOp op, Operation *first, Operation *last, size_t numCases);
  void noteExtents(const CommandLegality &verdict,
                   ArrayRef<const Parameter *> parameters);
  void addRules(RestructureOp op, ArrayRef<Constraint> rules) {
    for (const Constraint &rule : rules)
      add(op, rule);
  }
  /// Conditions, all of which hold.
  using Case = SmallVector<Expression>;
  /// The values that the deciders of an op can have; none if there are too
  /// many.
  std::vector<Case> casesOf(const OpenOp &open) const;
  /// Only the deciders that are active in a configuration; the others are
  /// irrelevant.
  Case describeCase(const OpenOp &open, const Assignment &assignment) const;
  void judgeCases(const OpenOp &open);
  /// Whether a constraint that reads nothing else is violated by the values of
  /// these parameters.
  bool isExcluded(ArrayRef<const Parameter *> parameters,
                  ArrayRef<std::optional<size_t>> values) const;

  ScheduleDryRun probed;
  const std::vector<Constraint> &constraints;
  AddCommandRule add;
  TileExtents &extents;
  /// All ops that are examined; those with open nests are in `openOps`, too.
  SmallVector<RestructureOp> ops;
  std::vector<OpenOp> openOps;
  llvm::DenseSet<Operation *> pending;
  /// The ops whose verdicts aren't complete.
  llvm::SetVector<Operation *> partial;
};
} // namespace

void LegalityProbe::apply(const Assignment &assignment,
                          RestructureProbe::Visit visit) {
  auto visitCopy = [&](RestructureOp copy, Operation *first, Operation *last) {
    if (std::optional<size_t> number = ScheduleDryRun::numberOf(copy))
      visit(ops[*number], first, last);
  };
  probed.run(
      assignment, SmallVector<Operation *>(ops.begin(), ops.end()),
      [](NamedSequenceOp) { return success(); },
      [&](transform::TransformState &state) {
        state.addExtension<RestructureProbe>(visitCopy);
      });
}

bool LegalityProbe::isExcluded(ArrayRef<const Parameter *> parameters,
                               ArrayRef<std::optional<size_t>> values) const {
  Assignment chosen;
  for (auto [parameter, value] : llvm::zip_equal(parameters, values))
    if (value)
      chosen.emplace_back(parameter->name(), parameter->value(*value));
  auto isKnown = [&](const std::string &name) {
    return findValue(chosen, name) != nullptr;
  };
  return llvm::any_of(constraints, [&](const Constraint &constraint) {
    return llvm::all_of(constraint.expression.variables(), isKnown) &&
           !isTrue(constraint.expression, chosen);
  });
}

void LegalityProbe::noteExtents(const CommandLegality &verdict,
                                ArrayRef<const Parameter *> parameters) {
  for (const loopnest::TiledNest &tiling : verdict.tilings)
    for (auto [statement, loops] : llvm::enumerate(tiling)) {
      if (!loops)
        continue;
      ArrayRef known = verdict.references[statement].extents;
      llvm::SmallDenseSet<unsigned> tiled;
      for (const loopnest::TiledLoop &loop : *loops) {
        // Tiles of one iteration only move a loop.
        if (!loop.size || (!loop.size->knob && loop.size->constant <= 1))
          continue;
        bool isOutermost = tiled.insert(loop.iterator).second;
        if (!loop.size->knob)
          continue;
        std::optional<int64_t> extent;
        if (isOutermost && loop.iterator < known.size())
          extent = known[loop.iterator];
        auto [noted, isNew] =
            extents.try_emplace(parameters[*loop.size->knob]->name(), extent);
        if (!isNew && noted->second != extent)
          noted->second.reset();
      }
    }
}

std::optional<std::vector<Constraint>> LegalityProbe::judge(RestructureOp op,
                                                            Operation *first,
                                                            Operation *last,
                                                            size_t numCases) {
  std::vector<CommandKnob> knobs = knobsOf(op, probed.choices);
  auto sequence = op->getParentOfType<NamedSequenceOp>();
  SmallVector<const Parameter *> parameters;
  for (const CommandKnob &knob : knobs)
    parameters.push_back(&probed.choices.find(sequence, knob.name)->parameter);
  loopnest::JudgeOptions options;
  options.isExcluded = [&](ArrayRef<std::optional<size_t>> values) {
    return isExcluded(parameters, values);
  };
  options.restructure.reassociate = !op.getStrict();
  options.maxSteps /= numCases;
  options.maxWork /= numCases;
  options.findTilings = true;
  options.maxTilings /= numCases;
  FailureOr<CommandLegality> verdict = loopnest::checkCommands(
      first, last, op.getCommands().getValue(), knobs, options);
  if (failed(verdict))
    return std::nullopt;
  if (verdict->isPartial)
    partial.insert(op);
  std::vector<Constraint> rules;
  for (auto [index, refusal] : llvm::enumerate(verdict->refusals))
    rules.push_back(
        {writeLegality(*verdict, parameters,
                       [index = index](const CommandLegality::Node &leaf) {
                         return leaf.refusal == index;
                       }),
         describeRefusal(refusal), /*location=*/"", /*advisory=*/false});
  noteExtents(*verdict, parameters);
  if (probed.cache)
    llvm::append_range(
        rules, findCommandCacheRules(*verdict, parameters, *probed.cache));
  return rules;
}

std::vector<LegalityProbe::Case>
LegalityProbe::casesOf(const OpenOp &open) const {
  // Each takes a run of the schedule.
  constexpr uint64_t maxCases = 16;
  std::vector<Case> cases(1);
  for (const Choice *choice : open.deciders) {
    const Parameter &parameter = choice->parameter;
    if (parameter.kind() == ParameterKind::Real ||
        parameter.size() > maxCases / cases.size())
      return {};
    std::vector<Case> next;
    for (const Case &one : cases)
      for (uint64_t i = 0; i < parameter.size(); ++i) {
        next.push_back(one);
        next.back().push_back(Expression::variable(parameter.name()) ==
                              Expression::literal(parameter.value(i)));
      }
    cases = std::move(next);
  }
  return cases;
}

LegalityProbe::Case
LegalityProbe::describeCase(const OpenOp &open,
                            const Assignment &assignment) const {
  Case conditions;
  for (const Choice *choice : open.deciders) {
    const std::string &name = choice->parameter.name();
    if (llvm::all_of(probed.active, [&](const Condition &condition) {
          return condition.parameter != name ||
                 isTrue(condition.expression, assignment);
        }))
      conditions.push_back(Expression::variable(name) ==
                           Expression::literal(*findValue(assignment, name)));
  }
  return conditions;
}

/// A rule for all nests to which the op can apply is stated once, without
/// condition.
void LegalityProbe::judgeCases(const OpenOp &open) {
  std::vector<std::pair<Case, std::vector<Constraint>>> judged;
  bool isComplete = true;
  std::vector<Case> cases = casesOf(open);
  for (const Case &one : cases) {
    std::optional<Assignment> assignment =
        probed.choose(open.op, constraints, one);
    if (!assignment)
      continue;
    std::optional<std::vector<Constraint>> rules;
    apply(*assignment,
          [&](RestructureOp op, Operation *first, Operation *last) {
            if (op == open.op && !rules)
              rules = judge(op, first, last, cases.size());
          });
    isComplete &= rules.has_value();
    if (rules)
      judged.emplace_back(describeCase(open, *assignment), std::move(*rules));
  }
  auto isGeneral = [&](const Constraint &rule) {
    return isComplete && llvm::all_of(judged, [&](const auto &other) {
             return llvm::is_contained(other.second, rule);
           });
  };
  std::vector<Constraint> all;
  for (const auto &[conditions, rules] : judged)
    for (const Constraint &rule : rules) {
      Constraint guarded = rule;
      if (!isGeneral(rule))
        guarded.expression = Expression::where(conditions, rule.expression);
      if (!llvm::is_contained(all, guarded))
        all.push_back(std::move(guarded));
    }
  addRules(open.op, all);
}

void LegalityProbe::run() {
  for (NamedSequenceOp sequence : probed.choices.sequences())
    sequence.walk([&](RestructureOp op) {
      if (isDead(op) || knobsOf(op, probed.choices).empty())
        return;
      auto deciders = findDeciders(op, op.getTarget(), probed.choices);
      if (!deciders)
        return;
      LDBG() << "looks for illegal values of the knobs of " << op->getLoc()
             << ", with " << deciders->size() << " other knobs that decide "
             << "which nest it gets";
      ops.push_back(op);
      if (deciders->empty())
        pending.insert(op);
      else
        openOps.push_back({op, std::move(*deciders)});
    });
  for (RestructureOp op : ops) {
    if (!pending.contains(op))
      continue;
    if (std::optional<Assignment> assignment = probed.choose(op, constraints))
      apply(*assignment,
            [&](RestructureOp met, Operation *first, Operation *last) {
              if (!pending.erase(met))
                return;
              if (auto rules = judge(met, first, last, /*numCases=*/1))
                addRules(met, *rules);
            });
  }
  for (const OpenOp &open : openOps)
    judgeCases(open);
  // Diagnostics are suppressed while the schedule runs. The caller that stopped
  // it knows why.
  if (StopScope::isStopped())
    return;
  for (Operation *op : partial)
    op->emitRemark()
        << "the loop commands have too many values, or their nest is too "
           "complex, to check all of them before the search: some illegal "
           "values will show only as failed trials";
}

void schedule::addLoopLegality(const ScheduleDryRun &probed,
                               const std::vector<Constraint> &constraints,
                               AddCommandRule add, TileExtents &extents) {
  LegalityProbe(probed, constraints, add, extents).run();
}
