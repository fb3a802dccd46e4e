//===- Planning.h - Plans of programs in tests ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_POLYHEDRAL_PLANNING_H
#define BACO_UNITTESTS_POLYHEDRAL_PLANNING_H

#include "PlanPrograms.h"
#include "baco/LoopPlanner/LoopPlan.h"
#include "baco/Polyhedral/Context.h"
#include "baco/Polyhedral/LoopSchedule.h"

#include <gtest/gtest.h>

#include <isl/map.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>

namespace plantest {

/// AVX-512 with caches of 48 KiB and 2 MiB.
inline const baco::polyhedral::MachineSizes machine{64, 32, 48 << 10, 2 << 20};

inline baco::polyhedral::LoopPlan planned(baco::polyhedral::Context &context,
                                          const std::vector<Text> &texts,
                                          int64_t size) {
  baco::Result<baco::polyhedral::LoopPlan> plan =
      planLoops(makeProgram(context.get(), texts, size), machine);
  EXPECT_TRUE(plan) << plan.error().message;
  return plan ? *plan : baco::polyhedral::LoopPlan();
}

inline std::vector<int64_t> valuesOf(const baco::polyhedral::LoopPlan &plan,
                                     const std::string &name) {
  for (const baco::polyhedral::PlanKnob &knob : plan.knobs)
    if (knob.name == name)
      return knob.values;
  return {};
}

/// A nest after its plan's commands, to ask what has become of its loops.
/// Iterators are named by their letters in the texts, which must be one each.
class PlannedNest {
public:
  /// \param values  of knobs; the others have their defaults.
  PlannedNest(const std::vector<Text> &texts, int64_t size,
              const baco::polyhedral::PlanAssignment &values = {})
      : texts(texts), plan(planned(context, texts, size)) {
    baco::polyhedral::Program program = makeProgram(context.get(), texts, size);
    auto original =
        baco::polyhedral::LoopSchedule::create(program, {.reassociate = true});
    baco::polyhedral::PlanAssignment assignment = plan.defaults();
    for (const auto &[name, value] : values)
      assignment.at(name) = value;
    auto applied = plan.apply(*original, assignment);
    EXPECT_TRUE(applied) << applied.error().message;
    if (applied)
      schedule = std::move(*applied);
    for (const baco::polyhedral::LoopCommand &command : plan.commands) {
      if (command.kind != baco::polyhedral::LoopCommandKind::Vectorize)
        continue;
      const baco::polyhedral::LoopValue &width = command["width"];
      if ((baco::polyhedral::isKnob(width)
               ? assignment[baco::polyhedral::toString(width)][0]
               : std::get<int64_t>(width)) < 2)
        continue;
      vectors.push_back(std::get<int64_t>(command["statement"]));
    }
  }

  size_t numStatements() const { return schedule->statements().size(); }

  /// The iterators of the loops that statement `s` has, outermost first: a
  /// capital is a loop over tiles, `*` one over a combination of iterators.
  /// Loops that run once are left out, and those that run a step.
  std::string order(unsigned s) const {
    auto loops = loopsAround(s);
    std::string text;
    for (const auto &loop : loops) {
      if (!loop.varies || loop.isStep)
        continue;
      bool isTiled = std::any_of(loops.begin(), loops.end(), [&](auto &other) {
        return other.tiles == loop.id && !other.isStep;
      });
      char name = nameOf(s, loop);
      text += isTiled ? static_cast<char>(std::toupper(name)) : name;
    }
    return text;
  }

  /// The iterator whose loop is a vector around statement `s`; `-`: none is.
  char vectorized(unsigned s) const {
    auto loops = loopsAround(s);
    std::optional<size_t> vector = findVector(s, loops);
    return vector ? nameOf(s, loops[*vector]) : '-';
  }

  /// The iterators whose loops are unrolled around statement `s`, outermost
  /// first.
  std::string unrolled(unsigned s) const {
    auto loops = loopsAround(s);
    std::optional<size_t> vector = findVector(s, loops);
    std::string text;
    for (size_t l = 0; l < loops.size(); ++l)
      if (loops[l].isStep && l != vector)
        text += nameOf(s, loops[l]);
    return text;
  }

  /// How many loops around statements `a` and `b` are the same, of those that
  /// vary, from the outermost on.
  unsigned numShared(unsigned a, unsigned b) const {
    auto loops = loopsAround(a);
    auto shared = loops.begin() + numSharedLevels(a, b);
    return std::count_if(loops.begin(), shared, [](const auto &loop) {
      return loop.varies && !loop.isStep;
    });
  }

  /// The arrays that are copied to buffers, in the order of the copies.
  std::vector<std::string> copied() const {
    std::vector<std::string> arrays;
    for (const baco::polyhedral::Buffer &buffer : schedule->buffers())
      arrays.push_back(buffer.array);
    return arrays;
  }

private:
  baco::polyhedral::Context context;

public:
  std::vector<Text> texts;
  baco::polyhedral::LoopPlan plan;
  std::optional<baco::polyhedral::LoopSchedule> schedule;

private:
  std::vector<baco::polyhedral::LoopInfo> loopsAround(unsigned s) const {
    auto loops = schedule->loops(s);
    EXPECT_TRUE(loops) << loops.error().message;
    return loops ? *loops : std::vector<baco::polyhedral::LoopInfo>();
  }

  /// The place among `loops`, those around statement `s`, of the one that runs
  /// the steps of a vector loop: it is inside of all other steps.
  std::optional<size_t>
  findVector(unsigned s,
             const std::vector<baco::polyhedral::LoopInfo> &loops) const {
    std::optional<size_t> last;
    for (size_t l = 0; l < loops.size(); ++l)
      if (loops[l].isStep)
        last = l;
    bool isVector =
        last &&
        std::any_of(vectors.begin(), vectors.end(), [&](unsigned vector) {
          return vector == s || numSharedLevels(vector, s) > *last;
        });
    return isVector ? last : std::nullopt;
  }

  /// How many loops the statements share, those that run once included: their
  /// loops have the same number, and nothing orders the statements before.
  unsigned numSharedLevels(unsigned a, unsigned b) const {
    auto first = loopsAround(a), second = loopsAround(b);
    std::vector<std::string> firstTimes = times(a), secondTimes = times(b);
    unsigned l = 0;
    while (l < first.size() && first[l].id == second[l].id &&
           firstTimes[2 * l] == secondTimes[2 * l])
      ++l;
    return l;
  }

  /// The dimensions of the statement's schedule: `0`, `i`, `1`, ....
  std::vector<std::string> times(unsigned s) const {
    auto ordered = schedule->asProgram();
    EXPECT_TRUE(ordered) << ordered.error().message;
    if (!ordered)
      return std::vector<std::string>(2 * schedule->numLoops() + 1);
    char *text = isl_map_to_str(ordered->statements[s].schedule.get());
    std::string line = text;
    std::free(text);
    std::vector<std::string> dimensions(1);
    int depth = 0;
    for (char c : line.substr(line.find("-> [") + 4)) {
      depth += (c == '(' || c == '[') - (c == ')' || c == ']');
      if (depth < 0)
        break;
      if (c == ',' && depth == 0)
        dimensions.emplace_back();
      else
        dimensions.back() += c;
    }
    return dimensions;
  }

  char nameOf(unsigned s, const baco::polyhedral::LoopInfo &loop) const {
    const auto &statement = schedule->statements()[s];
    if (!loop.iterator ||
        statement.kind != baco::polyhedral::ScheduledStatement::Kind::Original)
      return '*';
    // `S0[i, j] : ...`
    const std::string &domain = texts[statement.origin].domain;
    return domain[domain.find('[') + 1 + 3 * *loop.iterator];
  }

  /// The statements of commands that make vectors.
  std::vector<unsigned> vectors;
};

} // namespace plantest

#endif // BACO_UNITTESTS_POLYHEDRAL_PLANNING_H
