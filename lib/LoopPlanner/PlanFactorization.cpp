//===- PlanFactorization.cpp - Plans for factorizations -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Factorizations such as LU and Cholesky eliminate one row and column after the
// other: step k subtracts the product of its row and column from all elements
// beyond both. In blocks of steps, most of that is a matrix product, which
// comes after the block's updates of its own rows and columns. (Golub and Van
// Loan, "Matrix Computations", section 3.2.10.) In whatever order the steps are
// written, they are first brought to the outside.
//
//===----------------------------------------------------------------------===//

#include "LoopPlanner.h"

#include <algorithm>
#include <numeric>

using namespace baco;
using namespace baco::polyhedral;
using Kind = LoopCommandKind;

namespace {
/// Writes the commands that cut an elimination into blocks of steps.
class Elimination {
public:
  Elimination(PlanState &state) : state(state), model(state.model) {}

  /// Whether all statements are part of one.
  bool find();
  /// Steps of a block, some of which are fewer than there are.
  std::vector<int64_t> blockSizes() const;
  /// False if dependences don't allow it.
  bool cut(const LoopSchedule &original);
  /// Restricts the vectors of `plan`, a plan for the cut program, to those that
  /// fit blocks.
  void restrictVectorWidths(LoopPlan &plan) const;

  LoopValue block;
  std::optional<LoopSchedule> schedule;

private:
  std::optional<unsigned> findStep(unsigned statement) const;
  bool isUpdate(unsigned statement) const;
  bool tryCommands(std::vector<LoopCommand> commands);
  std::vector<LoopCommand> stepsOutside() const;
  std::vector<LoopCommand> separate() const;
  LoopCommand splitAtEnd(unsigned statement, unsigned loop) const;
  bool cutUpdate(unsigned update);

  PlanState &state;
  const NestModel &model;
  /// For each statement, its loop over steps; that of the updates.
  std::vector<unsigned> steps;
  unsigned place = 0;
  std::vector<unsigned> updates;
  /// Statements that needn't be in the loop over the steps of a block.
  std::vector<unsigned> beyond;
};
} // namespace

/// The loop that is never beyond any of the others.
std::optional<unsigned> Elimination::findStep(unsigned statement) const {
  unsigned depth = model.statements[statement].depth();
  for (unsigned step = 0; step < depth; ++step) {
    bool isLeast = true;
    for (unsigned other = 0; other < depth && isLeast; ++other)
      isLeast = other == step || model.isBelow(statement, step, other);
    if (isLeast)
      return step;
  }
  return std::nullopt;
}

/// Whether a product of results of earlier steps is subtracted from elements
/// that belong to later ones.
bool Elimination::isUpdate(unsigned statement) const {
  const StatementModel &own = model.statements[statement];
  if (!own.update)
    return false;
  // Each step changes each element: the result uses all loops but that over
  // steps.
  for (unsigned dim = 0; dim < own.depth(); ++dim)
    if (own.update->uses(dim) != (dim != steps[statement]))
      return false;
  return std::ranges::any_of(own.references, [&](const Reference &reference) {
    return !reference.isWrite && reference.isAffine &&
           reference.array == own.update->array &&
           reference.uses(steps[statement]);
  });
}

bool Elimination::find() {
  for (unsigned s = 0; s < model.statements.size(); ++s) {
    const StatementModel &own = model.statements[s];
    // Steps, rows and columns of a matrix are three loops at most.
    if (own.depth() == 0 || own.depth() > 3 || !model.share(0, s, 1))
      return false;
    std::optional<unsigned> step = findStep(s);
    if (!step)
      return false;
    steps.push_back(*step);
    if (own.depth() < 3)
      continue;
    if (!isUpdate(s) || (!updates.empty() && place != *step))
      return false;
    updates.push_back(s);
    place = *step;
  }
  if (updates.empty())
    return false;
  // Statements that end in front of the steps get this loop by skewing
  // (stepsOutside). All others must have it where the updates do.
  for (unsigned s = 0; s < model.statements.size(); ++s)
    if (steps[s] != place &&
        (place == 0 || model.statements[s].depth() > place))
      return false;
  return true;
}

std::vector<int64_t> Elimination::blockSizes() const {
  int64_t numSteps = model.statements[updates[0]].extents[place];
  std::vector<int64_t> sizes{32, 64, 128};
  std::erase_if(sizes,
                [&](int64_t size) { return numSteps > 0 && size >= numSteps; });
  return sizes;
}

bool Elimination::tryCommands(std::vector<LoopCommand> commands) {
  // The order may be illegal on the way; `cut` checks the result.
  LoopPlan plan = state.plan;
  plan.commands = commands;
  Result<LoopSchedule> next = plan.apply(*schedule, plan.defaults());
  if (!next)
    return false;
  schedule = std::move(*next);
  state.plan.commands.insert(state.plan.commands.end(), commands.begin(),
                             commands.end());
  return true;
}

/// The loop over steps becomes the outermost one. Statements that have fewer
/// loops than to there get the value of their own step in it and, for as long
/// as that takes, in the other loops that they lack, which would run with those
/// of other statements else.
std::vector<LoopCommand> Elimination::stepsOutside() const {
  std::vector<LoopCommand> commands, back;
  for (unsigned s = 0; s < model.statements.size(); ++s) {
    unsigned depth = model.statements[s].depth();
    if (depth > place)
      continue;
    back.push_back(skewLoop(s, steps[s] + 2, 1, -1));
    for (unsigned loop = depth + 1; loop <= place + 1; ++loop) {
      commands.push_back(skewLoop(s, loop, steps[s] + 1, 1));
      if (loop <= place)
        back.push_back(skewLoop(s, loop + 1, 1, -1));
    }
  }
  // Loop place + 1 becomes the first one, and loops 1 ... place move up by one.
  std::vector<int64_t> order(place + 1);
  std::iota(order.begin(), order.end(), 0);
  order[0] = place + 1;
  commands.push_back({Kind::Permute, {updates[0], order}});
  std::vector<unsigned> all(model.statements.size());
  std::iota(all.begin(), all.end(), 0);
  commands.push_back(onLoops(Kind::Distribute, all, 2));
  commands.insert(commands.end(), back.begin(), back.end());
  return commands;
}

/// Steps are outside already: statements that share a loop inside are
/// distributed.
std::vector<LoopCommand> Elimination::separate() const {
  std::vector<LoopCommand> commands;
  for (unsigned s = 0; s < model.statements.size(); ++s) {
    std::vector<unsigned> together = model.sharing(s, 2);
    if (together.size() > 1 && together[0] == s)
      commands.push_back(onLoops(Kind::Distribute, together, 2));
  }
  return commands;
}

/// The statement keeps the iterations beyond the block in `loop`.
LoopCommand Elimination::splitAtEnd(unsigned statement, unsigned loop) const {
  // L1 is the loop over blocks and loop 2 that over the block's steps.
  return onLoop(Kind::Split, statement, 3,
                "L" + std::to_string(loop) + " >= L1 + " + toString(block));
}

/// Cuts the iterations in the rows or columns of the block off from an update,
/// which has the loops block, step and two others by now; and from these, the
/// iterations that can come after the block's steps, too.
bool Elimination::cutUpdate(unsigned update) {
  // These are the update's loops other than the steps, by their numbers in the
  // model.
  unsigned first = place == 0 ? 1 : 0, second = 3 - place - first;
  auto distributed = [&](unsigned piece) {
    std::vector<unsigned> pieces = beyond;
    pieces.push_back(piece);
    return onLoops(Kind::Distribute, pieces, 2);
  };
  // Each piece is tried and taken back: all are distributed together at the
  // end, when they are known.
  auto canFollow = [&](unsigned piece) {
    LoopSchedule before = *schedule;
    size_t numCommands = state.plan.commands.size();
    bool can = tryCommands({distributed(piece)});
    schedule = std::move(before);
    state.plan.commands.resize(numCommands);
    return can;
  };
  // Cuts `piece` once more if the iterations that it keeps can follow the
  // block.
  auto cutMore = [&](unsigned piece, unsigned loop) {
    LoopSchedule before = *schedule;
    size_t numCommands = state.plan.commands.size();
    if (tryCommands({splitAtEnd(piece, loop)}) && canFollow(piece)) {
      beyond.push_back(piece);
      ++state.numStatements;
      return;
    }
    schedule = std::move(before);
    state.plan.commands.resize(numCommands);
  };
  // If one loop is never beyond the other, the lower one being beyond the block
  // means that both are: one cut is enough.
  bool isFirstLower = model.isBelow(update, first, second);
  bool isSecondLower = model.isBelow(update, second, first);
  unsigned low = isSecondLower ? 4 : 3;
  if (!tryCommands({splitAtEnd(update, low)}))
    return false;
  unsigned inside = state.numStatements++;
  if (!isFirstLower && !isSecondLower) {
    if (!tryCommands({splitAtEnd(update, 4)}))
      return false;
    ++state.numStatements;
  }
  if (!canFollow(update))
    return false;
  beyond.push_back(update);
  // The loops are 3 and 4, so this is the other one.
  cutMore(inside, 7 - low);
  return true;
}

bool Elimination::cut(const LoopSchedule &original) {
  schedule = original;
  if (!tryCommands(place > 0 ? stepsOutside() : separate()))
    return false;
  if (!tryCommands({tileLoop(updates[0], 1, block, 1)}))
    return false;
  for (unsigned update : updates)
    if (!cutUpdate(update))
      return false;
  return tryCommands({onLoops(Kind::Distribute, beyond, 2)}) &&
         schedule->checkLegal();
}

void Elimination::restrictVectorWidths(LoopPlan &plan) const {
  // Constraints must hold for the defaults; others are left out.
  for (const LoopCommand &command : plan.commands)
    for (const PlanKnob &width : plan.knobs)
      if (command.kind == Kind::Vectorize && command.uses(width.name) &&
          width.values[0] > 0 && state.plan.knobs[0].best % width.best == 0 &&
          std::ranges::count(beyond, std::get<int64_t>(command["statement"])))
        plan.constraints.push_back(
            {toExpression(block) % Expression::variable(width.name) == 0,
             "what comes after a block begins with a whole vector: else its "
             "code is long, and takes long to make"});
}

Result<LoopPlan> baco::polyhedral::planFactorization(const NestModel &model,
                                                     const MachineSizes &host) {
  PlanState state(model, host);
  Elimination elimination(state);
  Error none{ErrorCode::Unsupported, "the nest is no elimination"};
  if (model.statements.empty() || !elimination.find())
    return none;
  std::vector<int64_t> sizes = elimination.blockSizes();
  // A single size would make no knob, which the code below counts on.
  if (sizes.size() < 2)
    return none;
  LoopSchedule original = originalOrder(model.program);
  KnobGroup knobs(state);
  elimination.block = knobs.add("TB", sizes);
  knobs.choose([&](const auto &value) -> std::vector<double> {
    return {std::abs(value(elimination.block) - 64.0)};
  });
  if (!elimination.cut(original))
    return none;
  Program cut = orFail(elimination.schedule->asProgram());
  // The loop over blocks stays outside: blocks depend on those before them.
  Result<LoopPlan> plan = planAsWritten(cut, host, /*outer=*/1);
  if (!plan)
    return plan;
  plan->commands.insert(plan->commands.begin(), state.plan.commands.begin(),
                        state.plan.commands.end());
  // The plan for blocks of the default size, which is legal, serves for all
  // sizes; the greatest one has the most in a block.
  PlanKnob &knob = state.plan.knobs[0];
  auto isLegal = [&](const LoopPlan &part, int64_t size) {
    PlanAssignment assignment = plan->defaults();
    assignment[knob.name] = {size};
    return bool(applyLegally(part, original, assignment));
  };
  for (int64_t size : knob.values)
    if (size != knob.best && !isLegal(state.plan, size))
      return none;
  if (!isLegal(*plan, knob.values.back()))
    return none;
  elimination.restrictVectorWidths(*plan);
  plan->knobs.insert(plan->knobs.begin(), knob);
  plan->remarks.insert(plan->remarks.begin(),
                       "steps of an elimination are done in blocks");
  return plan;
}
