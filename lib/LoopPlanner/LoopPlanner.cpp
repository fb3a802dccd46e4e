//===- LoopPlanner.cpp - Which plan a nest gets ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes statements apart as far as dependences allow, and tries strategies on
// the parts, the most promising first, until the result of one is legal.
//
//===----------------------------------------------------------------------===//

#include "LoopPlanner.h"

#include "VectorWidthLegality.h"
#include "baco/Support/Trace.h"

#include <algorithm>
#include <map>

using namespace baco;
using namespace baco::polyhedral;
using Kind = LoopCommandKind;

/// Statements with less than this part of the instances are minor.
static constexpr double minorShare = 0.05;

bool baco::polyhedral::isMinor(const PlanState &state, unsigned statement) {
  // The model doesn't have the statements that a split or a copy has made.
  if (statement >= state.model.statements.size())
    return false;
  double most = 0;
  for (const StatementModel &other : state.model.statements)
    most = std::max(most, other.countInstances());
  return state.model.statements[statement].countInstances() < minorShare * most;
}

/// Whether all copies can be made that commands from `first` on leave to a
/// knob. The default may be to make none.
bool Planner::areCopiesLegal(size_t first) const {
  PlanAssignment assignment = state.plan.defaults();
  bool isDefault = true;
  for (size_t c = first; c < state.plan.commands.size(); ++c)
    for (const PlanKnob &knob : state.plan.knobs) {
      const LoopCommand &command = state.plan.commands[c];
      // A default other than 0 makes the copy, so the check of the defaults
      // covers it.
      if (command.kind != Kind::DataCopy ||
          command["width"] != LoopValue(knob.name) || knob.best != 0)
        continue;
      assignment[knob.name] = {knob.values.back()};
      isDefault = false;
    }
  return isDefault || state.plan.apply(original, assignment);
}

Result<LoopSchedule> Planner::scheduleOf(const Attempt &attempt) {
  auto refuse = [](const char *reason) {
    return Error{ErrorCode::Unsupported, reason};
  };
  size_t first = state.plan.commands.size();
  Result<LoopSchedule> schedule = tryCurrent();
  if (!schedule)
    return schedule;
  if (!attempt())
    return refuse("the strategy doesn't apply");
  // The widths come first: they change defaults, which are checked below.
  if (!restrictVectorWidths(state.plan, first, *schedule))
    return refuse("no width of vectors is legal");
  schedule = applyLegally(state.plan, *schedule, state.plan.defaults(), first);
  if (schedule && !areCopiesLegal(first))
    return refuse("copies are not legal");
  return schedule;
}

/// One line of BACO_TRACE=plan: the commands from `first` on, and why they are
/// refused, if they are.
static void traceAttempt(const LoopPlan &plan, size_t first,
                         const Result<LoopSchedule> &schedule) {
  LoopPlan tried;
  tried.commands.assign(plan.commands.begin() + first, plan.commands.end());
  std::string commands = tried.str();
  std::replace(commands.begin(), commands.end(), '\n', ' ');
  trace(TraceTopic::Plan,
        commands + (schedule ? "-> accepted"
                             : "-> refused: " + schedule.error().message));
}

bool Planner::tryPlan(const Attempt &attempt) {
  PlanProgress before = state;
  size_t first = state.plan.commands.size();
  Result<LoopSchedule> schedule = scheduleOf(attempt);
  if (isTraced(TraceTopic::Plan))
    traceAttempt(state.plan, first, schedule);
  if (!schedule) {
    state.goBackTo(std::move(before));
    return false;
  }
  // The next attempt starts here instead of at the first command: with 24
  // statements in a loop over time, plans took 4.0 s otherwise, not 1.5 s.
  state.reached = std::make_shared<LoopSchedule>(std::move(*schedule));
  state.numReached = state.plan.commands.size();
  return true;
}

bool Planner::adopt(const std::function<Result<LoopPlan>()> &rewrite) {
  Result<LoopPlan> plan = reportFailures("the nests", rewrite);
  if (!plan) {
    refusal = plan.error();
    return false;
  }
  PlanProgress adopted;
  adopted.plan = std::move(*plan);
  state.goBackTo(std::move(adopted));
  return true;
}

bool Planner::tryStrategies(const Task &task) {
  std::multimap<double, const Strategy *> all;
  for (const Strategy &strategy : strategies())
    all.emplace(estimateCycles(state, task, strategy.throughput), &strategy);
  return std::ranges::any_of(all, [&](const auto &entry) {
    auto [cycles, strategy] = entry;
    // A match may ask isl about many orders, so it waits for its turn.
    if (strategy->matches(*this, task) != task.size())
      return false;
    if (isTraced(TraceTopic::Plan))
      trace(TraceTopic::Plan, "strategy: " + std::string(strategy->name) +
                                  ", " + std::to_string(cycles) +
                                  " cycles for an instance");
    return strategy->plan(*this, task);
  });
}

/// A line of BACO_TRACE=plan: the statements that the lines after it try to
/// plan.
static void traceGroup(std::span<const unsigned> statements,
                       const Group &group) {
  if (!isTraced(TraceTopic::Plan))
    return;
  std::string list;
  for (unsigned statement : statements)
    list += " " + std::to_string(statement);
  trace(TraceTopic::Plan, "statements" + list + " inside of " +
                              std::to_string(group.outside.size()) + " loops");
}

void Planner::planLeaf(unsigned statement, const Group &group) {
  traceGroup({&statement, 1}, group);
  const StatementModel &model = state.model.statements[statement];
  // A schedule has no innermost loops that run once for all statements.
  unsigned depth = std::min(model.depth(), original.numLoops());
  // A single statement may be a triangular solve, which is planned as a group.
  if (depth <= group.firstDim ||
      (group.statements.size() == 1 && tryStrategies({group})))
    return;
  Leaf leaf{statement, unsigned(group.outside.size()), group.outside,
            model.extents};
  leaf.isBlock = group.isBlock;
  leaf.fill = group.fill;
  for (unsigned dim = group.firstDim; dim < depth; ++dim)
    leaf.loops.push_back({dim, false});
  if (!planLeaf(group, leaf))
    state.remark(statement,
                 std::string("stays as it is: ") +
                     (isScalar(statement)
                          ? "it can't be computed on vectors"
                          : "no loop of it runs in parallel on contiguous "
                            "elements"));
}

bool Planner::planChunks(const Group &group, const Leaf &leaf) {
  Leaf chunk = leaf;
  chunk.isChunk = true;
  PlanProgress before = state;
  if (!distributeOverThreads(chunk))
    return false;
  if (planLeaf(group, chunk))
    return true;
  state.goBackTo(std::move(before));
  return false;
}

/// Cuts loops of the leaf into chunks that threads may share; the leaf keeps
/// the loops inside of the chunks.
bool Planner::distributeOverThreads(Leaf &leaf) {
  std::vector<unsigned> dims;
  size_t numKnobs = state.plan.knobs.size();
  // Chunks of some sizes may keep iterations together that depend on each
  // other; all sizes are legal if single iterations are.
  auto isLegalAlone = [&] {
    PlanAssignment assignment = state.plan.defaults();
    for (size_t k = numKnobs; k < state.plan.knobs.size(); ++k)
      assignment[state.plan.knobs[k].name] = {1};
    return bool(applyLegally(state.plan, original, assignment));
  };
  // Each loop is tried by itself, as a configuration distributes one at most.
  for (unsigned dim : leaf.dims()) {
    Leaf tried = leaf;
    PlanProgress before = state;
    if (tryPlan([&] { return planThreads(state, tried, {dim}); }) &&
        isLegalAlone())
      dims.push_back(dim);
    state.goBackTo(std::move(before));
  }
  return !dims.empty() &&
         tryPlan([&] { return planThreads(state, leaf, dims); });
}

/// Whether some strategy has found something to choose.
bool Planner::planLeaf(const Group &group, const Leaf &leaf) {
  Task task{group, leaf};
  task.options.isMinor = isMinor(state, leaf.statement);
  task.options.isPermutable = orFail(
      current().canTile(leaf.statement, leaf.outer + 1, leaf.loops.size()));
  return tryStrategies(task);
}

Planner::Parts Planner::sharingLoops(const Group &group) const {
  Parts parts;
  for (unsigned s : group.statements) {
    if (!parts.empty() &&
        state.model.share(parts.back()[0], s, group.firstDim + 1))
      parts.back().push_back(s);
    else
      parts.push_back({s});
  }
  return parts;
}

void Planner::plan(const Group &group) {
  if (group.statements.size() == 1)
    return planLeaf(group.statements[0], group);
  traceGroup(group.statements, group);
  Parts parts = sharingLoops(group);
  for (size_t p = 0; p < parts.size();) {
    if (size_t fused = planSharedRows(*this, group, parts, p)) {
      p += fused;
      continue;
    }
    const std::vector<unsigned> &part = parts[p++];
    Group inner{part, group.outside, group.firstDim};
    if (part.size() == 1) {
      planLeaf(part[0], inner);
      continue;
    }
    Parts components = orFail(original.components(part, group.firstDim));
    if (components.size() > 1)
      distribute(inner, components);
    else
      planRecurrence(inner);
  }
}

/// Keeps the outermost loop as it is and plans the loops inside.
void Planner::planRows(const Group &group) {
  Group inner = group;
  inner.outside.push_back({group.firstDim, false});
  ++inner.firstDim;
  if (std::ranges::all_of(group.statements, [&](unsigned s) {
        return state.model.statements[s].depth() >= inner.firstDim;
      }))
    plan(inner);
}
