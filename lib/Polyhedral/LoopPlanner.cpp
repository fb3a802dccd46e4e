//===- LoopPlanner.cpp - Which plan a nest gets ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes statements apart as far as dependences allow, and tries strategies on
// what is left, the most promising first, until the result of one is legal.
//
//===----------------------------------------------------------------------===//

#include "LimitWidths.h"
#include "PlanStrategies.h"

#include <algorithm>
#include <functional>

using namespace baco;
using namespace baco::polyhedral;
using Kind = PlanCommand::Kind;

/// Statements with less than this part of the instances are minor.
static constexpr double minorShare = 0.05;

std::string baco::polyhedral::groupSuffix(const PlanState &state,
                                          unsigned statement) {
  return state.model.statements.size() > 1 ? std::to_string(statement) : "";
}

namespace {
/// Statements that share the loops outside.
struct Group {
  std::vector<unsigned> statements;
  /// Of loops that stay as they are.
  std::vector<PlacedLoop> outside;
  /// The first dimension whose loop isn't among these.
  unsigned firstDim = 0;
};

class Planner {
public:
  Planner(PlanState &state, LoopSchedule original)
      : state(state), original(std::move(original)) {}

  Result<void> plan(const Group &group);

private:
  using Attempt = std::function<bool()>;
  using Condition = std::function<bool(const LoopSchedule &)>;
  /// Keeps what `attempt` adds to the plan if it is legal and the schedule with
  /// its defaults is as wanted.
  bool tryPlan(
      const Attempt &attempt,
      const Condition &isWanted = [](const LoopSchedule &) { return true; });
  bool areJamsLegal(size_t first) const;
  /// The schedule that the plan makes of the original with its defaults.
  Result<LoopSchedule> current() const {
    return state.plan.apply(original, state.plan.defaults());
  }

  bool isScalar(unsigned statement) const {
    return original.program().statements[statement].isScalar;
  }
  bool planVectors(const Leaf &leaf, LeafOptions options);
  Result<void> planLeaf(unsigned statement, const Group &group);
  Result<bool> planLeaf(const Leaf &leaf);
  bool distributeOverThreads(Leaf &leaf);
  bool planRowsOfWavefront(const Leaf &leaf);
  std::vector<int64_t> findShifts(const std::vector<unsigned> &statements);
  bool planSteps(const std::vector<unsigned> &statements);
  size_t fuseRows(const Group &group,
                  const std::vector<std::vector<unsigned>> &parts, size_t first,
                  std::vector<int64_t> &shifts);
  Result<void> planFused(const Group &group,
                         const std::vector<std::vector<unsigned>> &parts,
                         size_t first, const std::vector<int64_t> &shifts);
  Result<void> planCycle(const Group &group);
  Result<void> planRows(const Group &group);
  Result<void> distribute(Group group,
                          const std::vector<std::vector<unsigned>> &parts);
  bool planSolve(const Group &group);
  bool sharesMatrix(const Group &group) const;
  void cutRows(Group &group);
  bool isMinor(unsigned statement) const;
  std::vector<std::vector<unsigned>> sharingLoops(const Group &group) const;

  PlanState &state;
  LoopSchedule original;
};
} // namespace

static double countInstances(const StatementModel &model) {
  double count = 1;
  for (int64_t extent : model.extents)
    count *= extent ? extent : 1000;
  return count;
}

bool Planner::isMinor(unsigned statement) const {
  double most = 0;
  for (const StatementModel &other : state.model.statements)
    most = std::max(most, countInstances(other));
  return countInstances(state.model.statements[statement]) < minorShare * most;
}

/// Are all factors legal by which commands from number `first` on may unroll,
/// with the defaults of the other knobs?
bool Planner::areJamsLegal(size_t first) const {
  for (size_t c = first; c < state.plan.commands.size(); ++c) {
    const PlanCommand &command = state.plan.commands[c];
    if (command.kind != Kind::Unroll || command.size.knob.empty())
      continue;
    for (const PlanKnob &knob : state.plan.knobs)
      for (int64_t value : knob.values) {
        if (knob.name != command.size.knob || value == knob.best)
          continue;
        PlanAssignment assignment = state.plan.defaults();
        assignment[knob.name] = {value};
        Result<LoopSchedule> schedule = state.plan.apply(original, assignment);
        if (!schedule || !schedule->checkLegal())
          return false;
      }
  }
  return true;
}

bool Planner::tryPlan(const Attempt &attempt, const Condition &isWanted) {
  LoopPlan saved = state.plan;
  unsigned savedStatements = state.numStatements;
  bool hadOptionalCopies = state.hasOptionalCopies;
  if (attempt() && limitWidths(state.plan, saved.commands.size(), original)) {
    Result<LoopSchedule> schedule = current();
    if (schedule && schedule->checkLegal() && isWanted(*schedule))
      return true;
  }
  state.plan = std::move(saved);
  state.numStatements = savedStatements;
  state.hasOptionalCopies = hadOptionalCopies;
  return false;
}

/// Tries all that there is for statements that can be computed on vectors.
bool Planner::planVectors(const Leaf &leaf, LeafOptions options) {
  for (bool copies : {true, false}) {
    options.copies = copies;
    if (tryPlan([&] { return planContraction(state, leaf, options); }))
      return true;
  }
  options.gathers = true;
  if (tryPlan([&] { return planContraction(state, leaf, options); }))
    return true;
  for (bool moves : {true, false}) {
    options.moves = moves;
    if (tryPlan([&] { return planStream(state, leaf, options); }))
      return true;
  }
  return planRowsOfWavefront(leaf);
}

Result<void> Planner::planLeaf(unsigned statement, const Group &group) {
  const StatementModel &model = state.model.statements[statement];
  if (model.depth() <= group.firstDim)
    return {};
  if (group.statements.size() == 1 && !isScalar(statement) && planSolve(group))
    return {};
  Leaf leaf{statement, unsigned(group.outside.size()), group.outside,
            model.extents};
  for (unsigned dim = group.firstDim; dim < model.depth(); ++dim)
    leaf.loops.push_back({dim, false});
  Result<bool> done = false;
  LoopPlan saved = state.plan;
  unsigned savedStatements = state.numStatements;
  if (Leaf chunk = leaf; distributeOverThreads(chunk)) {
    done = planLeaf(chunk);
    if (done && !*done) {
      state.plan = std::move(saved);
      state.numStatements = savedStatements;
    }
  }
  if (done && !*done)
    done = planLeaf(leaf);
  if (!done)
    return done.error();
  if (!*done)
    state.plan.remarks.push_back(
        "statement " + std::to_string(statement) + " stays as it is: " +
        (isScalar(statement)
             ? "it can't be computed on vectors"
             : "no loop of it runs in parallel on contiguous elements"));
  return {};
}

/// Cuts loops of the leaf into chunks that threads may share; what is inside of
/// them is the leaf's rest.
bool Planner::distributeOverThreads(Leaf &leaf) {
  if (state.host.threads < 2 || isMinor(leaf.statement))
    return false;
  std::vector<unsigned> dims;
  for (unsigned dim : leaf.dims()) {
    Leaf tried = leaf;
    LoopPlan saved = state.plan;
    if (tryPlan([&] { return planThreads(state, tried, {dim}); }))
      dims.push_back(dim);
    state.plan = std::move(saved);
  }
  return !dims.empty() &&
         tryPlan([&] { return planThreads(state, leaf, dims); });
}

/// Whether some strategy has found something to choose.
Result<bool> Planner::planLeaf(const Leaf &leaf) {
  unsigned statement = leaf.statement;
  LeafOptions options;
  options.isMinor = isMinor(statement);
  Result<LoopSchedule> schedule = current();
  if (!schedule)
    return schedule.error();
  Result<bool> permutable =
      schedule->canTile(statement, leaf.outer + 1, leaf.loops.size());
  if (!permutable)
    return permutable.error();
  options.isPermutable = *permutable;
  if (!isScalar(statement) && planVectors(leaf, options))
    return true;
  return planOrder(state, leaf, *schedule);
}

std::vector<std::vector<unsigned>>
Planner::sharingLoops(const Group &group) const {
  std::vector<std::vector<unsigned>> parts;
  for (unsigned s : group.statements) {
    if (!parts.empty() &&
        state.model.share(parts.back()[0], s, group.firstDim + 1))
      parts.back().push_back(s);
    else
      parts.push_back({s});
  }
  return parts;
}

Result<void> Planner::plan(const Group &group) {
  if (group.statements.size() == 1)
    return planLeaf(group.statements[0], group);
  std::vector<std::vector<unsigned>> parts = sharingLoops(group);
  for (size_t p = 0; p < parts.size(); ++p) {
    const std::vector<unsigned> &part = parts[p];
    Group inner{part, group.outside, group.firstDim};
    std::vector<int64_t> shifts;
    if (size_t count = fuseRows(group, parts, p, shifts)) {
      if (Result<void> done = planFused(group, parts, p, shifts); !done)
        return done;
      p += count - 1;
      continue;
    }
    Result<void> done;
    if (part.size() == 1) {
      done = planLeaf(part[0], inner);
    } else {
      auto components = state.model.components(part, group.firstDim);
      done = components.size() > 1 ? distribute(inner, components)
                                   : planCycle(inner);
    }
    if (!done)
      return done;
  }
  return {};
}

/// How many parts from `first` on, single statements with two loops more, may
/// share a loop after shifts; 0 if it isn't two.
size_t Planner::fuseRows(const Group &group,
                         const std::vector<std::vector<unsigned>> &parts,
                         size_t first, std::vector<int64_t> &shifts) {
  unsigned outer = group.outside.size();
  if (outer == 0)
    return 0;
  Result<LoopSchedule> schedule = current();
  if (!schedule)
    return 0;
  std::vector<unsigned> fused;
  for (size_t p = first; p < parts.size(); ++p) {
    unsigned s = parts[p][0];
    const StatementModel &model = state.model.statements[s];
    if (parts[p].size() != 1 || model.depth() < group.firstDim + 2)
      break;
    fused.push_back(s);
    int64_t shift = shifts.empty() ? 0 : shifts.back();
    bool found = fused.size() == 1;
    for (int64_t last = shift + 2; !found && shift <= last; ++shift) {
      LoopSchedule candidate = *schedule;
      if (candidate.shift(s, outer + 1, shift) &&
          candidate.fuse(fused, outer + 1) && candidate.checkLegal()) {
        schedule = candidate;
        found = true;
        break;
      }
    }
    if (!found)
      break;
    shifts.push_back(shift);
  }
  return shifts.size() < 2 ? 0 : shifts.size();
}

Result<void> Planner::planFused(const Group &group,
                                const std::vector<std::vector<unsigned>> &parts,
                                size_t first,
                                const std::vector<int64_t> &shifts) {
  Group inner = group;
  inner.statements.clear();
  for (size_t p = 0; p < shifts.size(); ++p)
    inner.statements.push_back(parts[first + p][0]);
  if (tryPlan([&] {
        return planFusedRows(state, inner.statements, shifts,
                             group.outside.size());
      }))
    inner.outside.push_back({inner.firstDim++, false});
  for (unsigned s : inner.statements)
    if (Result<void> done = planLeaf(s, inner); !done)
      return done;
  return {};
}

/// Do two statements read the same matrix, too large for level 2?
bool Planner::sharesMatrix(const Group &group) const {
  std::vector<std::string> seen;
  for (unsigned s : group.statements) {
    const StatementModel &model = state.model.statements[s];
    std::vector<std::string> own;
    for (const Reference &reference : model.references)
      if (reference.isAffine && reference.uses(group.firstDim) &&
          reference.boxElements(model.extents) * reference.elementBytes >
              state.host.l2Bytes &&
          countInstances(model) <= 2 * reference.boxElements(model.extents))
        own.push_back(reference.array);
    for (const std::string &array : own)
      if (std::find(seen.begin(), seen.end(), array) != seen.end())
        return true;
    seen.insert(seen.end(), own.begin(), own.end());
  }
  return false;
}

/// Lets statements that share a matrix take turns on a few rows of it: each
/// part is loaded once.
void Planner::cutRows(Group &group) {
  unsigned first = group.statements[0];
  const StatementModel &model = state.model.statements[first];
  double rowBytes = 0;
  for (unsigned s : group.statements)
    for (const Reference &reference : state.model.statements[s].references)
      if (reference.isAffine && reference.uses(group.firstDim)) {
        std::vector<int64_t> extents = state.model.statements[s].extents;
        extents[group.firstDim] = 1;
        rowBytes = std::max(rowBytes, double(reference.boxElements(extents)) *
                                          reference.elementBytes);
      }
  KnobGroup knobs(state, groupSuffix(state, first));
  PlanCommand tile;
  tile.kind = Kind::Tile;
  tile.statement = first;
  tile.loop = unsigned(group.outside.size() + 1);
  tile.outerLoop = group.outside.size() + 1;
  tile.size = knobs.add("TB", tileSizes(model.extents[group.firstDim], 4, 64));
  knobs.choose([&](const auto &value) -> std::vector<double> {
    double rows = value(tile.size) ? value(tile.size) : 1e9;
    // Measured: more than this is not found in level 2 again; but jamming
    // wants some rows.
    return {std::max(rows * rowBytes, state.host.l2Bytes / 8.0), -rows};
  });
  state.plan.commands.push_back(tile);
  group.outside.push_back({group.firstDim, true});
}

Result<void>
Planner::distribute(Group group,
                    const std::vector<std::vector<unsigned>> &parts) {
  if (sharesMatrix(group)) {
    Group cut = group;
    auto attempt = [&] {
      cutRows(cut);
      return true;
    };
    if (tryPlan(attempt))
      group = cut;
  }
  PlanCommand command;
  command.kind = Kind::Distribute;
  command.loop = unsigned(group.outside.size() + 1);
  std::vector<unsigned> together;
  for (const std::vector<unsigned> &part : parts) {
    if (part.size() == 1)
      command.statements.push_back(part[0]);
    else
      together.insert(together.end(), part.begin(), part.end());
  }
  if (!tryPlan([&] {
        state.plan.commands.push_back(command);
        return true;
      }))
    return planRows(group);
  for (unsigned s : command.statements)
    if (Result<void> done = planLeaf(s, group); !done)
      return done;
  if (together.empty())
    return {};
  std::sort(together.begin(), together.end());
  return planCycle({together, group.outside, group.firstDim});
}

static bool canTile(const LoopSchedule &schedule, unsigned statement,
                    unsigned first, unsigned last) {
  Result<bool> can = schedule.canTile(statement, first, last);
  return can && *can;
}

static bool isParallel(const LoopSchedule &schedule, unsigned statement,
                       unsigned loop) {
  Result<bool> parallel = schedule.isParallel(statement, loop);
  return parallel && *parallel;
}

bool Planner::planRowsOfWavefront(const Leaf &leaf) {
  unsigned s = leaf.statement;
  unsigned depth = leaf.loops.size();
  auto canJam = [&](const LoopSchedule &schedule) {
    return canTile(schedule, s, 1, depth - 1) &&
           canTile(schedule, s, depth - 1, depth);
  };
  // The innermost loop runs through rows of a wavefront.
  auto rowsAreParallel = [&](const LoopSchedule &schedule) {
    return isParallel(schedule, s, schedule.numLoops());
  };
  // Rows that are parallel already don't wait for anything.
  Result<LoopSchedule> schedule = current();
  if (!schedule || isParallel(*schedule, s, depth))
    return false;
  for (int64_t factor : {1, 2, 3}) {
    auto skew = [&] { return skewWavefront(state, leaf, factor); };
    auto attempt = [&] {
      return tryPlan(skew, canJam) && planWavefront(state, leaf);
    };
    if (tryPlan(attempt, rowsAreParallel))
      return true;
  }
  return false;
}

/// The least shifts with which statements of a loop over time can share the
/// loops inside but the innermost; fewer than there are statements if one has
/// none.
std::vector<int64_t>
Planner::findShifts(const std::vector<unsigned> &statements) {
  // Neighbours of neighbours, at most.
  constexpr int64_t furthest = 2;
  std::vector<int64_t> shifts{0};
  for (size_t count = 2; count <= statements.size(); ++count) {
    std::vector<unsigned> first(statements.begin(), statements.begin() + count);
    int64_t least = shifts.back();
    shifts.push_back(least);
    auto isLegal = [&] {
      LoopPlan saved = state.plan;
      bool found = tryPlan([&] { return skewSteps(state, first, shifts, 1); });
      state.plan = std::move(saved);
      return found;
    };
    while (!isLegal())
      if (++shifts.back() > least + furthest) {
        shifts.pop_back();
        return shifts;
      }
  }
  return shifts;
}

bool Planner::planSteps(const std::vector<unsigned> &statements) {
  std::vector<int64_t> shifts = findShifts(statements);
  if (shifts.size() < statements.size())
    return false;
  auto canTileSteps = [&](const LoopSchedule &schedule) {
    return canTile(schedule, statements[0], 1, schedule.numLoops() - 1);
  };
  for (int64_t factor : {1, 2}) {
    auto skew = [&] { return skewSteps(state, statements, shifts, factor); };
    auto attempt = [&] {
      size_t first = state.plan.commands.size();
      // That tiles are legal says nothing of statements that are jammed each
      // on its own.
      return tryPlan(skew, canTileSteps) &&
             planTimeTiles(state, statements, factor) && areJamsLegal(first);
    };
    if (tryPlan(attempt))
      return true;
  }
  return false;
}

/// Statements that depend on each other in a cycle.
Result<void> Planner::planCycle(const Group &group) {
  bool canBeVectors =
      std::none_of(group.statements.begin(), group.statements.end(),
                   [&](unsigned s) { return isScalar(s); });
  if (canBeVectors) {
    if (planSolve(group))
      return {};
    if (group.outside.empty() && planSteps(group.statements))
      return {};
  }
  return planRows(group);
}

/// Keeps the outermost loop as it is and plans what is inside.
Result<void> Planner::planRows(const Group &group) {
  Group inner = group;
  inner.outside.push_back({group.firstDim, false});
  ++inner.firstDim;
  for (unsigned s : group.statements)
    if (state.model.statements[s].depth() < inner.firstDim)
      return {};
  return plan(inner);
}

bool Planner::planSolve(const Group &group) {
  // The statement that a split adds must be known by its number.
  if (!group.outside.empty() || group.statements.size() > 2 ||
      state.hasOptionalCopies)
    return false;
  unsigned update = group.statements[0];
  std::optional<unsigned> division;
  if (group.statements.size() == 2) {
    division = group.statements[1];
    if (state.model.statements[update].depth() <
        state.model.statements[*division].depth())
      std::swap(update, *division);
  }
  std::optional<SolveShape> shape = findSolve(state.model, update, division);
  Leaf leaf;
  auto cut = [&] {
    leaf = planSolveBlocks(state, *shape, update, division);
    return true;
  };
  if (!shape || !tryPlan(cut))
    return false;
  LeafOptions options;
  options.isPermutable = true;
  for (bool copies : {true, false}) {
    options.copies = copies;
    if (tryPlan([&] { return planContraction(state, leaf, options); }))
      break;
  }
  return true;
}

static Result<LoopPlan> planOrThrow(const Program &program,
                                    const MachineSizes &host) {
  NestModel model(program);
  PlanState state{model, host, {}, unsigned(program.statements.size())};
  LoopScheduleOptions options;
  options.reassociate = state.plan.reassociate;
  Result<LoopSchedule> schedule = LoopSchedule::create(program, options);
  if (!schedule)
    return schedule.error();
  Group all;
  for (unsigned s = 0; s < program.statements.size(); ++s)
    all.statements.push_back(s);
  if (all.statements.empty())
    return {ErrorCode::Unsupported, "there are no statements"};
  if (Result<void> done = Planner(state, *schedule).plan(all); !done)
    return done.error();
  if (state.plan.knobs.empty()) {
    std::string why = "nothing in it can be chosen";
    for (const std::string &remark : state.plan.remarks)
      why += "; " + remark;
    return {ErrorCode::Unsupported, why};
  }
  return std::move(state.plan);
}

Result<LoopPlan> baco::polyhedral::planLoops(const Program &program,
                                             const MachineSizes &host) {
  if (host.threads < 1)
    return {ErrorCode::InvalidArgument, "a kernel needs at least one thread"};
  if (host.vectorBytes < 8 || host.vectorRegisters < 8 || host.l1Bytes < 0 ||
      host.l2Bytes < 0)
    return {ErrorCode::InvalidArgument,
            "vectors need at least 8 bytes and 8 registers, and caches can't "
            "have negative sizes"};
  try {
    return planOrThrow(program, host);
  } catch (const isl::exception &error) {
    return {ErrorCode::Unsupported,
            std::string("the nest can't be planned: ") + error.what()};
  }
}
