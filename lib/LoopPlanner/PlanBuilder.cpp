//===- PlanBuilder.cpp - Writes the commands of a plan --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanBuilder.h"

#include "baco/Polyhedral/Context.h"

#include <algorithm>
#include <cassert>

using namespace baco;
using namespace baco::polyhedral;
using Kind = LoopCommandKind;

unsigned Leaf::level(unsigned dim) const {
  for (unsigned l = loops.size(); l > 0; --l)
    if (loops[l - 1].dim == dim && !loops[l - 1].isTile)
      return l;
  assert(false && "the statement has no such loop");
  return 0;
}

std::vector<unsigned> Leaf::dims() const {
  std::vector<unsigned> result;
  for (size_t l = outer; l < loops.size(); ++l)
    if (loops[l].dim && !loops[l].isTile)
      result.push_back(*loops[l].dim);
  return result;
}

LoopCommand baco::polyhedral::onLoop(Kind kind, unsigned statement,
                                     unsigned loop, LoopValue third) {
  LoopCommand command{kind, {statement, loop, std::move(third)}};
  // Kinds have two or more arguments: `third` is dropped, or optional ones
  // behind it stay empty.
  command.arguments.resize(infoOf(kind).arguments().size());
  return command;
}

LoopCommand baco::polyhedral::onLoops(Kind kind,
                                      const std::vector<unsigned> &statements,
                                      LoopValue loop) {
  return {kind,
          {std::vector<int64_t>(statements.begin(), statements.end()),
           std::move(loop)}};
}

LoopCommand baco::polyhedral::tileLoop(unsigned statement, unsigned loop,
                                       LoopValue size, unsigned outerLoop) {
  return {Kind::Tile, {statement, loop, std::move(size), outerLoop}};
}

LoopCommand baco::polyhedral::skewLoop(unsigned statement, unsigned loop,
                                       unsigned other, int64_t factor) {
  std::vector<int64_t> coefficients(loop);
  coefficients[other - 1] = factor;
  coefficients[loop - 1] = 1;
  return onLoop(Kind::Skew, statement, loop, coefficients);
}

LoopSchedule baco::polyhedral::originalOrder(const Program &program) {
  LoopScheduleOptions options;
  options.reassociate = true;
  return orFail(LoopSchedule::create(program, options));
}

Result<LoopSchedule>
baco::polyhedral::applyLegally(const LoopPlan &plan,
                               const LoopSchedule &schedule,
                               const PlanAssignment &values, size_t first) {
  Result<LoopSchedule> result = plan.apply(schedule, values, first);
  if (result)
    if (Result<void> legal = result->checkLegal(); !legal)
      return legal.error();
  return result;
}

bool baco::polyhedral::areLegal(std::vector<LoopCommand> commands,
                                const LoopSchedule &schedule) {
  LoopPlan plan;
  plan.commands = std::move(commands);
  return bool(applyLegally(plan, schedule, {}));
}

void LeafBuilder::reorder(const std::vector<unsigned> &dims) {
  if (dims == leaf.dims())
    return;
  if (leaf.outer == 0) {
    std::vector<int64_t> order;
    std::vector<PlacedLoop> loops;
    for (unsigned dim : dims) {
      order.push_back(leaf.level(dim));
      loops.push_back({dim, false});
    }
    state.add({Kind::Permute, {leaf.statement, order}});
    std::copy(loops.begin(), loops.end(), leaf.loops.begin());
    return;
  }
  // Permuting would move the loops of others that share the outermost one.
  unsigned place = leaf.outer + 1;
  for (unsigned dim : dims) {
    // Loops that were moved have left loops with one iteration behind, which
    // keep their numbers.
    while (!leaf.loops[place - 1].dim)
      ++place;
    // A tile of one iteration moves the loop and leaves those outside alone.
    if (leaf.level(dim) != place)
      tile(dim, 1, place);
    ++place;
  }
}

void LeafBuilder::tile(unsigned dim, const LoopValue &size,
                       unsigned outerLoop) {
  unsigned level = leaf.level(dim);
  state.add(tileLoop(leaf.statement, level, size, outerLoop));
  bool isMove = size == LoopValue(1);
  // The loop over points now runs once, and keeps its number.
  if (isMove)
    leaf.loops[level - 1] = {std::nullopt, false};
  leaf.loops.insert(leaf.loops.begin() + (outerLoop - 1),
                    PlacedLoop{dim, !isMove});
}

void LeafBuilder::reverse(unsigned dim) {
  add(Kind::Reverse, dim);
  leaf.reversed = leaf.reversed ? std::nullopt : std::optional(dim);
}

void LeafBuilder::parallelize(unsigned loop) {
  state.add(onLoop(Kind::Parallelize, leaf.statement, loop));
}

void LeafBuilder::split(unsigned dim, std::string condition) {
  add(Kind::Split, dim, std::move(condition));
}

void LeafBuilder::distribute(unsigned loop) {
  state.add(onLoops(Kind::Distribute, {leaf.statement}, loop));
}

void LeafBuilder::copy(unsigned loop, size_t access, unsigned fastest,
                       const LoopValue &width, const LoopValue &panel) {
  const Reference &reference =
      state.model.statements[leaf.statement].references[access];
  unsigned rank = reference.coefficients.size();
  LoopCommand &command =
      state.add(onLoop(Kind::DataCopy, leaf.statement, loop, int64_t(access)));
  command["width"] = width;
  if (panel != LoopValue(0))
    command["panel"] = panel;
  // With a width of 0 there is no copy, and later statements have numbers that
  // are one less.
  state.hasOptionalCopies |= isKnob(width);
  ++state.numStatements;
  // The buffer's dimensions are in the order of the array's by default.
  if (fastest + 1 == rank)
    return;
  std::vector<int64_t> order;
  for (unsigned d = 0; d < rank; ++d)
    if (d != fastest)
      order.push_back(d);
  order.push_back(fastest);
  command["order"] = order;
}

//===----------------------------------------------------------------------===//
// Knobs
//===----------------------------------------------------------------------===//

KnobGroup::KnobGroup(PlanState &state, unsigned statement)
    : state(state),
      suffix(state.model.statements.size() > 1 ? std::to_string(statement)
                                               : "") {}

std::string KnobGroup::nameOf(const std::string &name) const {
  // Rows of a group may be cut, and those of a group in it.
  std::string unique = name + suffix;
  auto isTaken = [&](const PlanKnob &knob) { return knob.name == unique; };
  for (int n = 2; std::ranges::any_of(state.plan.knobs, isTaken); ++n)
    unique = name + suffix + "_" + std::to_string(n);
  return unique;
}

LoopValue KnobGroup::add(const std::string &name, std::vector<int64_t> values) {
  assert(!values.empty() && !expanded && "knobs come before rules");
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  // A single value would be a dimension of the search space without a choice.
  if (values.size() == 1)
    return values[0];
  PlanKnob &knob = knobs.emplace_back();
  knob.name = nameOf(name);
  // Ratios of sizes matter, but a 0, which means none, has no logarithm.
  knob.isLogarithmic = values[0] > 0;
  knob.values = std::move(values);
  return knob.name;
}

void KnobGroup::expand() {
  if (expanded)
    return;
  expanded = true;
  // Rules and costs read several knobs at once, so all combinations are
  // candidates.
  candidates = {{}};
  for (const PlanKnob &knob : knobs) {
    std::vector<std::vector<int64_t>> longer;
    for (const std::vector<int64_t> &candidate : candidates)
      for (int64_t value : knob.values) {
        longer.push_back(candidate);
        longer.back().push_back(value);
      }
    candidates = std::move(longer);
  }
}

Expression baco::polyhedral::toExpression(const LoopValue &value) {
  if (const auto *constant = std::get_if<int64_t>(&value))
    return *constant;
  return Expression::variable(std::get<std::string>(value));
}

void KnobGroup::require(const Expression &expression, const std::string &reason,
                        bool isAdvisory) {
  expand();
  std::vector<std::vector<int64_t>> kept;
  for (const std::vector<int64_t> &candidate : candidates) {
    std::vector<ParameterValue> values(candidate.begin(), candidate.end());
    Result<ParameterValue> holds =
        expression.evaluate([&](std::string_view name) {
          const ParameterValue *found = nullptr;
          for (size_t k = 0; k < knobs.size(); ++k)
            if (knobs[k].name == name)
              found = &values[k];
          return found;
        });
    if (holds && *holds == ParameterValue(true))
      kept.push_back(candidate);
  }
  if (kept.empty() && isAdvisory)
    return;
  if (kept.size() != candidates.size())
    constraints.push_back({expression, reason, isAdvisory});
  candidates = std::move(kept);
}

void KnobGroup::requireAtMost(const Expression &amount, int64_t limit,
                              const std::string &reason,
                              std::vector<Expression> exceptions) {
  exceptions.push_back(amount <= limit);
  require(Expression::chain("||", exceptions), reason);
}

void KnobGroup::requireRegisters(const Expression &vectors,
                                 const std::string &what) {
  int64_t registers = state.host.vectorRegisters;
  requireAtMost(vectors, registers,
                what + " " + std::to_string(registers) + " vector registers");
}

std::vector<PlanAssignment> KnobGroup::choices() {
  expand();
  std::vector<PlanAssignment> result;
  for (const std::vector<int64_t> &candidate : candidates) {
    PlanAssignment &choice = result.emplace_back();
    for (size_t k = 0; k < knobs.size(); ++k)
      choice[knobs[k].name] = {candidate[k]};
  }
  return result;
}

int64_t KnobGroup::value(const LoopValue &field,
                         const std::vector<int64_t> &candidate) const {
  for (size_t k = 0; k < knobs.size(); ++k)
    if (field == LoopValue(knobs[k].name))
      return candidate[k];
  return std::get<int64_t>(field);
}

void KnobGroup::choose(const Cost &cost) {
  expand();
  assert(!candidates.empty() && "nothing is feasible");
  const std::vector<int64_t> *best = nullptr;
  std::vector<double> least;
  for (const std::vector<int64_t> &candidate : candidates) {
    std::vector<double> costs =
        cost([&](const LoopValue &field) { return value(field, candidate); });
    // Ties keep the earlier candidate, which has the smaller values of the
    // first knobs.
    if (!best || costs < least) {
      best = &candidate;
      least = std::move(costs);
    }
  }
  for (size_t k = 0; k < knobs.size(); ++k) {
    knobs[k].best = (*best)[k];
    state.plan.knobs.push_back(knobs[k]);
  }
  for (PlanConstraint &constraint : constraints)
    state.plan.constraints.push_back(std::move(constraint));
}

std::vector<int64_t> baco::polyhedral::doublings(int64_t low, int64_t high) {
  std::vector<int64_t> result;
  for (int64_t value = low; value <= high; value *= 2)
    result.push_back(value);
  return result;
}

std::vector<int64_t>
baco::polyhedral::vectorWidths(int64_t length, int64_t extent, int64_t most) {
  int64_t widest = most * length;
  while (extent > 0 && widest > 2 && widest / 2 >= extent)
    widest /= 2;
  // A short loop gets vectors below a register rather than none.
  int64_t narrowest = std::min(length, widest);
  return doublings(narrowest, widest);
}

std::vector<int64_t> baco::polyhedral::tileSizes(int64_t extent, int64_t low,
                                                 int64_t high) {
  // All sizes from the extent on mean the same: one tile.
  std::vector<int64_t> result =
      doublings(low, extent ? std::min(high, extent - 1) : high);
  result.push_back(extent);
  return result;
}

Result<LoopPlan> baco::polyhedral::reportFailures(
    std::string_view what, const std::function<Result<LoopPlan>()> &plan) {
  try {
    return plan();
  } catch (const Failure &failure) {
    return failure.error;
  } catch (const TooMuchWork &error) {
    // The caller makes a simple plan instead after TimedOut, and only then.
    return {ErrorCode::TimedOut, error.what()};
  } catch (const isl::exception &error) {
    return {ErrorCode::Unsupported,
            std::string(what) + " can't be planned: " + error.what()};
  }
}
