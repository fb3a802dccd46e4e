//===- PlanStrategies.h - Ways to plan statements ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Strategies look at strides and extents; whether the result is legal is found
// out afterwards (Planner::tryPlan). To add one: a function here that writes
// its commands and knobs, and a row of the list in PlanStrategies.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPPLANNER_PLANSTRATEGIES_H
#define BACO_LIB_LOOPPLANNER_PLANSTRATEGIES_H

#include "PlanBuilder.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace baco::polyhedral {

/// Operands that are copied because they are used again and again.
enum class Copies {
  None,
  /// Operands that each row uses again.
  Panels,
  /// Blocks of rows, too, which each panel uses again.
  All,
};

/// Options of the strategies for a leaf.
struct LeafOptions {
  /// The loops of the leaf may be tiled and permuted freely.
  bool isPermutable = false;
  Copies copies = Copies::None;
  /// Gather vectors from references that move by several elements.
  bool gathers = false;
  /// Move loops and unroll the second innermost one.
  bool moves = true;
  /// The statement does little of the program's work: constants will do.
  bool isMinor = false;
};

/// Statements that share the loops outside.
struct Group {
  std::vector<unsigned> statements;
  /// The loops outside, which stay as they are.
  std::vector<PlacedLoop> outside;
  /// The first dimension whose loop isn't among these.
  unsigned firstDim = 0;
  /// The innermost loop outside runs over blocks of rows, in which statements
  /// take turns.
  bool isBlock = false;
  /// See Leaf; of the only statement.
  std::optional<unsigned> fill = std::nullopt;
};

/// The extent of a task.
enum class Scope {
  /// Statements that share loops, or one of them.
  Statements,
  /// All statements of a nest, which may be rewritten before it is planned.
  Nest,
  /// Neighboring nests, of which the first ones may become one.
  Neighbors,
};

/// A task of planning: statements as a whole, or the loops of a single one.
struct Task {
  Group group;
  /// The loops of the only statement, maybe inside of chunks for threads.
  std::optional<Leaf> leaf = std::nullopt;
  /// For the leaf.
  LeafOptions options = {};
  Scope scope = Scope::Statements;

  /// The number of statements.
  size_t size() const { return leaf ? 1 : group.statements.size(); }
};

class Planner;

/// Properties of a strategy's result from which its cycles are estimated.
struct Throughput {
  /// Operands stay in registers, so that a multiply-add is all that counts.
  bool reusesOperands = false;
  bool hasVectors = true;
  /// Each instance waits for the one before it.
  bool waits = false;
  /// Threads share the instances.
  bool isDistributed = false;
};

/// A way to plan statements.
struct Strategy {
  /// For traces.
  std::string_view name;
  /// How many statements of the task, from the first on, the strategy is for: 0
  /// if none, and all of them unless the task is of neighboring nests.
  size_t (*matches)(const Planner &planner, const Task &task);
  Throughput throughput;
  /// Adds commands and knobs to the plan. False, and the plan stays as it was,
  /// if dependences allow none.
  bool (*plan)(Planner &planner, const Task &task);
};

/// All there are; of two with the same estimate the first one is tried first.
std::span<const Strategy> strategies();

/// Cycles that an instance of each statement takes, with its data in level 1:
/// the cost model that the strategies are compared by.
double estimateCycles(const PlanState &state, const Task &task,
                      const Throughput &throughput);

/// Sums of products with reuse in two directions: a matrix product and its
/// like. Tiles of the output are held in registers, panels of one operand in
/// level 1, blocks of the other one in level 2 (Goto and van de Geijn, "Anatomy
/// of High-Performance Matrix Multiplication", 2008).
bool planContraction(PlanState &state, Leaf leaf, const LeafOptions &options);

/// A triangular solve, by rows or columns, maybe with a division by the
/// diagonal, in blocks.
bool planSolve(Planner &planner, const Group &group);

/// Sweeps in a loop over time, each along rows, in skewed tiles.
bool planSweeps(Planner &planner, const std::vector<unsigned> &statements);

/// Stencils in place: neither of the two innermost loops can be a vector, but
/// after skewing, rows run in parallel; unrolling interleaves them, which hides
/// latencies.
bool planWavefront(Planner &planner, const Leaf &leaf);

/// Parts of `group` from number `first` on, single statements with two loops
/// more, may share one of these after shifts. Returns how many were planned so.
///
/// The plan is legal for both numbers of shared loops: the band has neighboring
/// statements only, and later plans are inside of the loop.
size_t planSharedRows(Planner &planner, const Group &group,
                      const std::vector<std::vector<unsigned>> &parts,
                      size_t first);

/// Rows that a matrix is read for at once: LLVM still holds so many sums in
/// registers.
inline constexpr int64_t maxStreamedRows = 6;
/// What CPUs fetch ahead of loads ends with a page of memory.
inline constexpr int64_t pageBytes = 4096;

/// Whether half of level 2 can't hold what the leaf touches of `reference`.
inline bool comesFromMemory(const PlanState &state, const Leaf &leaf,
                            const Reference &reference) {
  return state.host.l2Bytes > 0 &&
         reference.boxBytes(leaf.extents) > state.host.l2Bytes / 2.0;
}

/// Everything with a loop of contiguous or constant addresses: that loop is
/// vectorized and another, along which some reference is constant, is unrolled
/// and jammed. Few rows that share a matrix which comes from memory are jammed,
/// too.
bool planStream(PlanState &state, Leaf leaf, const LeafOptions &options);

/// Whether all addresses of a statement are contiguous or constant along loop
/// `dim`, so that it can be a vector.
bool isStreamAlong(const StatementModel &model, unsigned dim);

/// planLoops for the loops as they are, the outermost `outer` of which stay.
Result<LoopPlan> planAsWritten(const Program &program, const MachineSizes &host,
                               unsigned outer = 0);

/// The plan of planAsWritten for the program that `commands`, which have no
/// knobs, make of `original`: with these in front.
Result<LoopPlan> planAfter(std::vector<LoopCommand> commands,
                           const LoopSchedule &original,
                           const MachineSizes &host);

/// Plans a nest in which statements wait for each other only because iterations
/// share a temporary, such as the row of a product that is then copied back:
/// each iteration gets one of its own. Unsupported where there is none, or
/// nothing to gain.
Result<LoopPlan> planArrayExpansion(const NestModel &model,
                                    const MachineSizes &host);

/// Plans a nest that factorizes a matrix, such as LU or Cholesky, in blocks of
/// steps. Unsupported where there is none.
Result<LoopPlan> planFactorization(const NestModel &model,
                                   const MachineSizes &host);

/// How many nests, from the first on, may become one over the rows of a matrix
/// that each of them passes over; less than 2: none.
size_t countFusibleSweeps(const NestModel &model, const LoopSchedule &original);

/// Plans nests of which countFusibleSweeps says that, all of them, as one.
/// Unsupported also if there is nothing to gain.
Result<LoopPlan> planSweepFusion(const NestModel &model,
                                 const LoopSchedule &original,
                                 const MachineSizes &host);

/// The loops over `dims`, each of which may run in parallel around the others,
/// are cut into chunks for the threads of `state.host`; the leaf's other loops
/// are then inside of the chunks. False if none has iterations enough.
bool planThreads(PlanState &state, Leaf &leaf,
                 const std::vector<unsigned> &dims);

/// Makes the commands of `plan` those for statements `first` and following ones
/// of another program, around which there is one loop more, as number `place`.
/// Knobs from `numKnobs` on that say how many loops are shared count it, too.
void moveInside(LoopPlan &plan, size_t numKnobs, unsigned first,
                unsigned place);

/// Distributes a plan, made for one thread, for statements that share `outer`
/// loops or none: one of these loops is cut into chunks, which run in parallel
/// around all else. False, and nothing changes, if no loop allows this.
bool distributeRows(PlanState &state, const LoopSchedule &original,
                    unsigned outer, int64_t threads);

/// Any order of the loops that dependences allow; false if there is only one.
bool planOrder(PlanState &state, const Leaf &leaf,
               const LoopSchedule &schedule);

/// Whether a statement takes so little of the time that it isn't tuned.
bool isMinor(const PlanState &state, unsigned statement);

} // namespace baco::polyhedral

#endif // BACO_LIB_LOOPPLANNER_PLANSTRATEGIES_H
