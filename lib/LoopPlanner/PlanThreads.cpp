//===- PlanThreads.cpp - Parallel loops around a statement ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop is cut into chunks, which run at the same time; what is inside of a
// chunk is planned as if there were one thread.
//
//===----------------------------------------------------------------------===//

#include "PlanStrategies.h"

#include "baco/Support/Trace.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>

using namespace baco;
using namespace baco::polyhedral;
using Kind = LoopCommandKind;

/// The sizes of chunks: one for all iterations, one for each thread, and some
/// smaller ones, for iterations that differ.
static std::vector<int64_t> chunkSizes(int64_t extent, int64_t threads,
                                       int64_t unit) {
  std::vector<int64_t> result{extent};
  auto add = [&](int64_t count) {
    int64_t size = roundUp((extent + count - 1) / count, unit);
    if (size > 0 && size < extent)
      result.push_back(size);
  };
  // Fewer chunks than threads are offered, too, so that the number of threads
  // is a choice.
  for (int64_t count = 2; count < threads; count *= 2)
    add(count);
  for (int64_t rounds : {1, 2, 4})
    add(rounds * threads);
  return result;
}

/// A team takes about half a microsecond to start and to end, and what each
/// thread does is then cold in its caches: work below some 3 microseconds
/// became slower on two threads. Of the cycles of estimateCycles a core does
/// about six in a nanosecond: products of 32^3 to 128^3 five to seven, stencils
/// five.
static constexpr double minDistributedCycles = 3000 * 6;

/// Whether work of `statements` that starts a team in each iteration of the
/// loops for which `isOutside`, and none but these, is worth a team by default.
static bool isWorthTeam(const PlanState &state,
                        const std::vector<unsigned> &statements,
                        const std::function<bool(unsigned dim)> &isOutside) {
  double cycles = 0;
  for (unsigned s : statements) {
    const StatementModel &model = state.model.statements[s];
    double instances = model.countInstances();
    for (unsigned dim = 0; dim < model.depth(); ++dim)
      if (isOutside(dim) && model.extents[dim] > 0)
        instances /= double(model.extents[dim]);
    Throughput throughput;
    throughput.reusesOperands = model.update != nullptr;
    const Statement &statement = state.model.program.statements[s];
    throughput.hasVectors = !statement.isScalar && !statement.callsLibrary;
    Task task;
    task.group.statements = {s};
    cycles += instances * estimateCycles(state, task, throughput);
  }
  return cycles >= minDistributedCycles;
}

bool baco::polyhedral::planThreads(PlanState &state, Leaf &leaf,
                                   const std::vector<unsigned> &dims) {
  const StatementModel &model = state.model.statements[leaf.statement];
  int64_t threads = state.host.threads;
  KnobGroup knobs(state, leaf.statement);
  struct Chunk {
    unsigned dim;
    LoopValue size;
    int64_t extent;
    bool isColumn;
  };
  std::vector<Chunk> chunks;
  for (unsigned dim : dims) {
    static const char *const names[] = {"PI", "PJ", "PK"};
    int64_t extent = leaf.extents[dim];
    if (extent < 2 * threads || chunks.size() == std::size(names))
      continue;
    // Columns in whole vectors, such that threads share no cache line.
    const Reference *write = model.write();
    bool isColumn = write && write->stride(dim) == Stride::Unit;
    int64_t unit = isColumn ? state.vectorLength(model.elementBytes) : 1;
    std::vector<int64_t> sizes = chunkSizes(extent, threads, unit);
    if (sizes.size() > 1)
      chunks.push_back(
          {dim, knobs.add(names[chunks.size()], sizes), extent, isColumn});
  }
  if (chunks.empty())
    return false;
  // A parallel loop inside of another one would have a single thread.
  for (size_t b = 1; b < chunks.size(); ++b)
    for (size_t a = 0; a < b; ++a)
      knobs.require(toExpression(chunks[a].size) == chunks[a].extent ||
                        toExpression(chunks[b].size) == chunks[b].extent,
                    "one loop is distributed over the threads");
  bool isWorth = isWorthTeam(state, {leaf.statement}, [&](unsigned dim) {
    return std::any_of(leaf.loops.begin(), leaf.loops.begin() + leaf.outer,
                       [&](const PlacedLoop &loop) { return loop.dim == dim; });
  });
  // By default none of the loops is distributed if a team isn't worth it.
  // Otherwise the thread with most iterations counts.
  auto shareOfBest = [&](const Chunk &chunk, int64_t size) {
    int64_t count = (chunk.extent + size - 1) / size;
    int64_t most = (count + threads - 1) / threads * size;
    return isWorth ? double(chunk.extent) / double(most * threads) : 0;
  };
  // How fast the thread is, as products have it: columns share no panels, but
  // few of them make narrow register tiles; rows of one tile use each panel
  // once, and others are whole tiles only if some height divides them.
  auto speedOf = [&](const Chunk &chunk, int64_t size) {
    constexpr int64_t minHeight = 4;
    if (chunk.isColumn)
      return size >= 4 * state.vectorLength(model.elementBytes) ? 1 : 0.75;
    if (size <= std::end(tileHeights)[-1])
      return 0.8;
    bool isWhole = std::ranges::any_of(tileHeights, [&](int64_t height) {
      return height >= minHeight && size % height == 0;
    });
    return isWhole ? 0.97 : 0.6;
  };
  knobs.choose([&](const auto &value) -> std::vector<double> {
    double speed = 1.0 / double(threads), size = 1, columns = 0;
    for (const Chunk &chunk : chunks)
      if (int64_t its = value(chunk.size); its < chunk.extent) {
        double share = shareOfBest(chunk, its);
        speed = model.update ? share * speedOf(chunk, its)
                             : std::round(8 * share) / 8;
        size = its;
        columns = chunk.isColumn;
      }
    // Rows are contiguous in statements other than products.
    return {-speed, columns, -size};
  });
  LeafBuilder builder(state, leaf);
  for (const Chunk &chunk : chunks) {
    unsigned place = leaf.outer + 1;
    builder.tile(chunk.dim, chunk.size, place);
    builder.parallelize(place);
    ++leaf.outer;
    // The plan inside of chunks takes the default size for the extent.
    for (const PlanKnob &knob : state.plan.knobs)
      if (chunk.size == LoopValue(knob.name))
        leaf.extents[chunk.dim] = knob.best;
  }
  state.remark(leaf.statement, "is distributed over threads");
  return true;
}

void baco::polyhedral::moveInside(LoopPlan &plan, size_t numKnobs,
                                  unsigned first, unsigned place) {
  for (size_t k = numKnobs; k < plan.knobs.size(); ++k) {
    PlanKnob &knob = plan.knobs[k];
    bool isLoop = std::ranges::any_of(plan.commands, [&](LoopCommand &command) {
      return command.kind == Kind::Fuse &&
             command["loop"] == LoopValue(knob.name);
    });
    if (!isLoop)
      continue;
    // The values are 0, for no fusion, and the number of loops: only that
    // counts the new one.
    for (int64_t *value : {&knob.best, &knob.values.back()})
      *value += *value >= place;
  }
  for (LoopCommand &command : plan.commands) {
    if (command.kind == Kind::Fuse) {
      for (int64_t &statement :
           std::get<std::vector<int64_t>>(command["statements"]))
        statement += first;
    } else {
      std::get<int64_t>(command["statement"]) += first;
    }
    for (std::string_view name : {"loop", "outer"})
      if (infoOf(command.kind).find(name))
        if (auto *loop = std::get_if<int64_t>(&command[name]))
          *loop += *loop >= place;
  }
}

bool baco::polyhedral::distributeRows(PlanState &state,
                                      const LoopSchedule &original,
                                      unsigned outer, int64_t threads) {
  size_t count = state.model.statements.size();
  std::vector<unsigned> statements(count);
  std::iota(statements.begin(), statements.end(), 0);
  const std::vector<int64_t> &extents = state.model.statements[0].extents;
  const PlanProgress before = state;
  // The outermost loop with enough iterations: what is inside of it and used
  // by all its rows is copied once.
  for (unsigned dim = 0; dim < outer; ++dim) {
    if (extents[dim] < 2 * threads)
      continue;
    state.goBackTo(before);
    moveInside(state.plan, 0, 0, 1);
    KnobGroup knobs(state);
    LoopValue size = knobs.add("PI", chunkSizes(extents[dim], threads, 1));
    if (!isKnob(size))
      continue;
    bool isWorth = isWorthTeam(state, statements,
                               [&](unsigned outside) { return outside < dim; });
    int64_t wanted =
        isWorth ? (extents[dim] + threads - 1) / threads : extents[dim];
    knobs.choose([&](const auto &value) -> std::vector<double> {
      return {double(std::abs(value(size) - wanted))};
    });
    // The chunks come first, as all other commands count their loop by now.
    std::vector<LoopCommand> commands;
    for (unsigned s = 0; s < count; ++s)
      commands.push_back(tileLoop(s, dim + 1, size, 1));
    state.plan.commands.insert(state.plan.commands.begin(), commands.begin(),
                               commands.end());
    for (unsigned s = 0; s < count; ++s)
      state.add(onLoop(Kind::Parallelize, s, 1));
    // Commands in front of the others make the schedule that was reached void.
    state.reached.reset();
    state.numReached = 0;
    // Chunks of any size are legal if single iterations are.
    PlanAssignment single = state.plan.defaults();
    single[toString(size)] = {1};
    Result<LoopSchedule> schedule =
        applyLegally(state.plan, original, state.plan.defaults());
    if (schedule)
      schedule = applyLegally(state.plan, original, single);
    if (isTraced(TraceTopic::Plan))
      trace(TraceTopic::Plan,
            "loop " + std::to_string(dim + 1) + " over threads" +
                (schedule ? " -> accepted"
                          : " -> refused: " + schedule.error().message));
    if (schedule) {
      state.plan.remarks.push_back("their rows are distributed over threads");
      return true;
    }
  }
  state.goBackTo(before);
  return false;
}
