//===- PlanRowFusion.cpp - Plans for nests that follow each other ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nests over the same rows, such as those of a softmax, take turns row by row:
// each finds the data of the one before in level 1. A statement has a loop
// along its rows, or runs once for each row. A loop along rows that has to wait
// for a result of another one may run along with the other one's loop for the
// next row instead, so that memory is loaded while the units compute.
//
// isl's scheduler isn't asked which loops to fuse. Its maximal fusion makes a
// single loop along rows of a softmax, shifted by a row's length for each
// statement that waits; its other strategies keep rows apart that a sum or a
// maximum separates. Here each fusion is a knob of its own, which has to be
// legal whatever the others are.
//
//===----------------------------------------------------------------------===//

#include "RowFusionGroup.h"

#include <algorithm>
#include <numeric>

using namespace baco;
using namespace baco::polyhedral;
using Kind = LoopCommandKind;

namespace {
/// Statements of a row that share the loop along it, or one that has none.
struct Phase {
  std::vector<unsigned> statements;
  bool isLoop = false;
};

/// Finds the order within a row, and writes it.
class RowFusionPlanner {
public:
  RowFusionPlanner(PlanState &state, const RowFusionGroup &group)
      : state(state), group(group) {}

  void plan(bool mayRunAhead);

private:
  void add(unsigned statement);
  bool mayJoin(const Phase &phase, unsigned statement) const;
  std::optional<size_t> findPhase(size_t from, bool isLoop) const;
  /// The statements that run one row ahead of all others.
  std::vector<unsigned> findAhead() const;
  void write(bool sharesColumns, const std::vector<unsigned> &ahead);
  void writePeeling(const std::vector<unsigned> &ahead);

  PlanState &state;
  const RowFusionGroup &group;
  std::vector<Phase> phases;
  /// The assignments that the plan's constraints allow.
  std::vector<PlanAssignment> choices;
};
} // namespace

//===----------------------------------------------------------------------===//
// Order within a row
//===----------------------------------------------------------------------===//

/// Brings statements into this order in the loops over rows, which are those of
/// the first statement. Fusion keeps statements in the order of the program.
static std::vector<LoopCommand> shareRows(const std::vector<Phase> &phases,
                                          LoopValue rows) {
  std::vector<LoopCommand> commands;
  std::vector<unsigned> run;
  auto finish = [&] {
    if (run.size() > 1)
      commands.push_back(onLoops(Kind::Fuse, run, rows));
    run = {phases[0].statements[0]};
  };
  for (const Phase &phase : phases)
    for (unsigned s : phase.statements) {
      // Fusion keeps the order of the program, so a statement that goes back
      // needs another one behind those so far.
      if (!run.empty() && s < run.back())
        finish();
      run.push_back(s);
    }
  finish();
  return commands;
}

bool RowFusionPlanner::mayJoin(const Phase &phase, unsigned s) const {
  const auto &statements = group.model.statements;
  auto extentOf = [&](unsigned t) {
    return statements[t].extents[group.outer];
  };
  if (extentOf(phase.statements[0]) != extentOf(s))
    return false;
  std::vector<Phase> all = phases;
  all.push_back({{s}, true});
  // The whole row so far counts: statements in between may keep the loops
  // apart.
  std::vector<LoopCommand> commands = shareRows(all, group.outer);
  std::vector<unsigned> together = phase.statements;
  together.push_back(s);
  commands.push_back(onLoops(Kind::Fuse, together, group.outer + 1));
  return areLegal(std::move(commands), group.original);
}

void RowFusionPlanner::add(unsigned s) {
  if (!group.hasLoop(s)) {
    // As early as possible, so that loops become neighbors; but the first
    // statement's place is that of the loops.
    size_t place = phases.size();
    auto waits = [&](const Phase &phase) {
      return std::ranges::any_of(
          phase.statements, [&](unsigned t) { return group.depends(t, s); });
    };
    while (place > 1 && !waits(phases[place - 1]))
      --place;
    phases.insert(phases.begin() + place, {{s}, false});
    return;
  }
  if (!phases.empty() && phases.back().isLoop && mayJoin(phases.back(), s))
    phases.back().statements.push_back(s);
  else
    phases.push_back({{s}, true});
}

std::optional<size_t> RowFusionPlanner::findPhase(size_t from,
                                                  bool isLoop) const {
  for (size_t p = from; p < phases.size(); ++p)
    if (phases[p].isLoop == isLoop)
      return p;
  return std::nullopt;
}

std::vector<unsigned> RowFusionPlanner::findAhead() const {
  const StatementModel &first = group.model.statements[0];
  // The first and the last row run by themselves.
  constexpr int64_t fewRows = 8;
  std::optional<size_t> leader = findPhase(0, true);
  std::optional<size_t> follower =
      leader ? findPhase(*leader + 1, true) : std::nullopt;
  // The peeling is of a single loop over rows.
  if (!follower || group.outer != 1 || first.extents[0] < fewRows ||
      group.model.statements[phases[*leader].statements[0]].extents !=
          group.model.statements[phases[*follower].statements[0]].extents)
    return {};
  std::vector<unsigned> ahead = phases[*leader].statements;
  auto belongs = [&](unsigned s) {
    return std::ranges::any_of(ahead, [&](unsigned t) {
      return group.depends(s, t) || group.depends(t, s);
    });
  };
  // A statement without a loop that the leader waits for, or that waits for it,
  // runs a row ahead with it.
  for (size_t p = 0; p < *follower; ++p)
    if (p != *leader && belongs(phases[p].statements[0]))
      ahead.push_back(phases[p].statements[0]);
  std::ranges::sort(ahead);
  return ahead;
}

//===----------------------------------------------------------------------===//
// Commands and knobs
//===----------------------------------------------------------------------===//

/// Lets `ahead` run a row ahead: the rows that only these, or only the others,
/// have in common with the loop become statements of their own.
void RowFusionPlanner::writePeeling(const std::vector<unsigned> &ahead) {
  std::vector<unsigned> firstRows;
  for (unsigned s = 0; s < group.model.statements.size(); ++s) {
    // The conditions are on values of the iterator, which may begin anywhere.
    int64_t begin =
        group.model.program.statements[s].domain.dim_min_val(0).num_si();
    int64_t last = begin + group.model.statements[s].extents[0] - 1;
    bool isAhead = std::ranges::find(ahead, s) != ahead.end();
    // The first row of what runs ahead, and the last one of the others, have no
    // partner in the loop.
    state.add(onLoop(Kind::Split, s, 1,
                     isAhead ? "L1 >= " + std::to_string(begin + 1)
                             : "L1 <= " + std::to_string(last - 1)));
    unsigned peeled = state.numStatements++;
    if (!isAhead)
      continue;
    firstRows.push_back(peeled);
    // The loop's iteration i then holds row i + 1 of what runs ahead.
    state.add(onLoop(Kind::Shift, s, 1, -1));
  }
  // In front of all others.
  if (firstRows.size() > 1)
    state.add(onLoops(Kind::Fuse, firstRows, 1));
}

void RowFusionPlanner::write(bool sharesColumns,
                             const std::vector<unsigned> &ahead) {
  const auto &statements = group.model.statements;
  unsigned inner = group.outer + 1;
  int64_t bytes = 1, extent = 0;
  for (const StatementModel &statement : statements) {
    bytes = std::max(bytes, statement.elementBytes);
    if (statement.depth() >= inner)
      extent = std::max(extent, statement.extents[group.outer]);
  }
  size_t most = 1;
  for (const Phase &phase : phases)
    if (phase.isLoop && sharesColumns)
      most = std::max(most, phase.statements.size());
  // The loop that runs ahead brings vectors of its own into the loop it joins.
  if (!ahead.empty())
    ++most;

  int64_t length = state.vectorLength(bytes);
  KnobGroup knobs(state);
  LoopValue width = knobs.add("W", vectorWidths(length, extent, 8));
  LoopValue rows = knobs.add("rows", {0, int64_t(group.outer)});
  LoopValue columns =
      sharesColumns ? knobs.add("columns", {0, int64_t(inner)}) : LoopValue(0);
  // Elements side by side share a window's coefficients, and most of its
  // elements.
  bool hasWindows = false, hasByteWindows = false;
  for (unsigned s = 0; s < statements.size(); ++s) {
    hasWindows |= group.hasWindow(s);
    hasByteWindows |= group.hasWindow(s) && state.host.hasDotProducts &&
                      group.model.addsByteProducts(s, group.outer);
  }
  state.plan.usesDotProducts |= hasByteWindows;
  LoopValue jam = 1;
  if (hasWindows && group.outer > 0) {
    std::vector<int64_t> factors;
    for (int64_t factor : {1, 2, 4, 8})
      if (factor <= statements[0].extents[group.outer - 1] &&
          (factor <= 4 || hasByteWindows))
        factors.push_back(factor);
    jam = knobs.add("U", factors);
  }
  LoopValue join =
      ahead.empty() ? LoopValue(0) : knobs.add("ahead", {0, int64_t(inner)});
  if (sharesColumns && isKnob(rows))
    knobs.require(Expression::variable("columns") == 0 ||
                      Expression::variable("rows") > 0,
                  "loops along rows are shared within a row",
                  /*isAdvisory=*/false);
  if (!ahead.empty())
    knobs.require(Expression::variable("ahead") == 0 ||
                      Expression::variable(sharesColumns ? "columns" : "rows") >
                          0,
                  "the row ahead runs along with all loops of a row",
                  /*isAdvisory=*/false);
  // Configurations may ignore advice, so legality is checked for all that the
  // hard rules allow: advice comes afterwards.
  choices = knobs.choices();
  knobs.requireRegisters(
      hasWindows
          ? floorDivide(toExpression(width), length) * (toExpression(jam) + 2) +
                most
          : floorDivide(toExpression(width), length) * (most + 1) + 1,
      "vectors of the statements of a loop fit");
  std::vector<unsigned> all(statements.size());
  std::iota(all.begin(), all.end(), 0);
  bool isStreamed =
      group.model.arrayBytes(all, [](const StatementModel &model) {
        return model.extents;
      }) > state.host.l2Bytes;
  knobs.choose([&](const auto &value) -> std::vector<double> {
    // Four sums hide the latency of additions. Bytes fill whole registers.
    double lanes = double(value(width)) / length;
    double wantedSums = hasByteWindows ? 16 : hasWindows ? 8 : 4;
    return {
        double(isKnob(rows) && value(rows) == 0), double(value(columns) == 0),
        double((value(join) > 0) != isStreamed),
        std::abs(lanes * double(value(jam)) - wantedSums), -double(value(jam))};
  });

  for (unsigned s = 0; s < statements.size(); ++s) {
    if (group.hasLoop(s))
      state.add(onLoop(Kind::Vectorize, s, inner, width));
    if (group.hasLoop(s) && isKnob(jam))
      state.add(onLoop(Kind::Unroll, s, group.outer, jam));
    if (group.hasWindow(s))
      for (unsigned dim = inner; dim < statements[s].depth(); ++dim)
        state.add(onLoop(Kind::Unroll, s, dim + 1, statements[s].extents[dim]));
  }
  if (!ahead.empty())
    writePeeling(ahead);
  if (group.outer > 0)
    for (LoopCommand &fuse : shareRows(phases, rows))
      state.add(std::move(fuse));
  std::vector<unsigned> joined;
  for (const Phase &phase : phases) {
    if (!phase.isLoop)
      continue;
    if (phase.statements.size() > 1 && sharesColumns)
      state.add(onLoops(Kind::Fuse, phase.statements, columns));
    if (joined.size() < 2)
      joined.push_back(phase.statements[0]);
  }
  if (!ahead.empty())
    state.add(onLoops(Kind::Fuse, joined, join));
}

void RowFusionPlanner::plan(bool mayRunAhead) {
  for (unsigned s = 0; s < group.model.statements.size(); ++s)
    add(s);
  bool mayShare = std::ranges::any_of(
      phases, [](const Phase &phase) { return phase.statements.size() > 1; });
  std::vector<unsigned> ahead =
      mayRunAhead ? findAhead() : std::vector<unsigned>();
  PlanProgress before = state;
  // The most sharing comes first. The last attempt shares rows only.
  for (bool sharesColumns : {true, false})
    for (bool runsAhead : {true, false}) {
      if ((sharesColumns && !mayShare) || (runsAhead && ahead.empty()))
        continue;
      write(sharesColumns, runsAhead ? ahead : std::vector<unsigned>());
      auto isLegal = [&](const PlanAssignment &choice) {
        return bool(applyLegally(state.plan, group.original, choice));
      };
      if (std::ranges::all_of(choices, isLegal)) {
        state.plan.remarks.push_back("nests take turns row by row");
        return;
      }
      state.goBackTo(before);
    }
  fail(ErrorCode::Unsupported, "the nests can't take turns row by row");
}

void baco::polyhedral::writeRowFusion(PlanState &state,
                                      const RowFusionGroup &group,
                                      bool mayRunAhead) {
  RowFusionPlanner(state, group).plan(mayRunAhead);
}

Result<LoopPlan> baco::polyhedral::planRowFusion(const RowFusionGroup &group,
                                                 const MachineSizes &host) {
  PlanState state(group.model, host);
  writeRowFusion(state, group, /*mayRunAhead=*/host.threads == 1);
  if (host.threads > 1)
    distributeRows(state, group.original, group.outer, host.threads);
  return std::move(state.plan);
}
