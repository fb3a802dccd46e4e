//===- PlanBuilder.h - Writes the commands of a plan ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps track of where the loops of a statement are while commands move them,
// and chooses defaults among the values that the constraints allow.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPPLANNER_PLANBUILDER_H
#define BACO_LIB_LOOPPLANNER_PLANBUILDER_H

#include "NestModel.h"
#include "baco/LoopPlanner/LoopPlan.h"
#include "baco/Polyhedral/LoopSchedule.h"

#include "baco/Polyhedral/ScheduleState.h"

#include <functional>
#include <memory>
#include <string_view>

namespace baco::polyhedral {

/// Rows of the smallest block of rows; others have a multiple of these, or all.
constexpr int64_t smallestBlock = 16;
/// Rows of a product's register tile.
constexpr int64_t tileHeights[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14};

/// A loop of a statement under construction.
struct PlacedLoop {
  /// Dimension of the domain; nothing if the loop runs once.
  std::optional<unsigned> dim;
  bool isTile = false;
};

/// A statement in loops of its own, but for the outermost ones, which stay.
struct Leaf {
  unsigned statement = 0;
  /// Loops outside that are not to be moved.
  unsigned outer = 0;
  std::vector<PlacedLoop> loops;
  /// The largest extents of the loops; 0 if no constant bounds one. Tiled loops
  /// have smaller ones than in the statement.
  std::vector<int64_t> extents;
  /// The dimension whose loop runs backwards, if one does.
  std::optional<unsigned> reversed = std::nullopt;
  /// The last loop outside runs over blocks of rows: operands of all blocks may
  /// be copied in front of it.
  bool isBlock = false;
  /// The loops are inside of chunks for threads.
  bool isChunk = false;
  /// A statement that sets the elements to which this one adds, with the same
  /// loops except for the reductions: it may run just before them.
  std::optional<unsigned> fill = std::nullopt;

  /// The level of the loop over single iterations of `dim`, from 1.
  unsigned level(unsigned dim) const;
  /// Dimensions of the loops that may be moved, outermost first.
  std::vector<unsigned> dims() const;
};

/// The progress of planning.
struct PlanProgress {
  LoopPlan plan;
  /// Statements that splits and copies made count too.
  unsigned numStatements = 0;
  /// A knob decides whether some copy is made, so that it isn't known which
  /// number the next statement gets.
  bool hasOptionalCopies = false;
  /// The schedule that the first `numReached` commands make of the original
  /// with their defaults, so that it isn't made again for each attempt at the
  /// next ones.
  std::shared_ptr<const LoopSchedule> reached;
  size_t numReached = 0;
};

/// The progress of planning, and its inputs.
struct PlanState : PlanProgress {
  PlanState(const NestModel &model, const MachineSizes &host)
      : model(model), host(host) {
    numStatements = model.statements.size();
  }

  const NestModel &model;
  const MachineSizes &host;

  LoopCommand &add(LoopCommand command) {
    return plan.commands.emplace_back(std::move(command));
  }
  /// Adds a remark about a statement.
  void remark(unsigned statement, const std::string &text) {
    plan.remarks.push_back("statement " + std::to_string(statement) + " " +
                           text);
  }
  /// Forgets the progress since its copy `before` was made.
  void goBackTo(PlanProgress before) {
    static_cast<PlanProgress &>(*this) = std::move(before);
  }

  /// Elements of `bytes` bytes in a vector register.
  int64_t vectorLength(int64_t bytes) const {
    return std::max<int64_t>(1, host.vectorBytes / bytes);
  }
};

/// Commands on a loop of one statement, with the argument after the loop, and
/// of several statements (Fuse, Distribute).
LoopCommand onLoop(LoopCommandKind kind, unsigned statement, unsigned loop,
                   LoopValue third = {});
LoopCommand onLoops(LoopCommandKind kind,
                    const std::vector<unsigned> &statements, LoopValue loop);
LoopCommand tileLoop(unsigned statement, unsigned loop, LoopValue size,
                     unsigned outerLoop);
/// Adds `factor` times the loop `other` to `loop`, which lies inside of it.
LoopCommand skewLoop(unsigned statement, unsigned loop, unsigned other,
                     int64_t factor);

/// The order in which the program is written; its reductions may be
/// reassociated.
LoopSchedule originalOrder(const Program &program);
/// Applies the commands from number `first` on to `schedule`; an error also if
/// dependences don't allow them.
Result<LoopSchedule> applyLegally(const LoopPlan &plan,
                                  const LoopSchedule &schedule,
                                  const PlanAssignment &values,
                                  size_t first = 0);

/// Whether dependences allow these commands, which have no knobs.
bool areLegal(std::vector<LoopCommand> commands, const LoopSchedule &schedule);

/// Planners throw errors that leave no other way; reportFailures catches them.
template <typename T>
T orFail(Result<T> result) {
  if (!result)
    throw Failure{result.error()};
  return std::move(*result);
}

/// Writes commands for a leaf.
class LeafBuilder {
public:
  LeafBuilder(PlanState &state, Leaf &leaf) : state(state), leaf(leaf) {}

  /// Brings the loops that may be moved into this order.
  void reorder(const std::vector<unsigned> &dims);
  void tile(unsigned dim, const LoopValue &size, unsigned outerLoop);
  /// Runs the loop over single iterations backwards.
  void reverse(unsigned dim);
  void unroll(unsigned dim, LoopValue factor) {
    add(LoopCommandKind::Unroll, dim, std::move(factor));
  }
  void vectorize(unsigned dim, LoopValue width) {
    add(LoopCommandKind::Vectorize, dim, std::move(width));
  }
  /// Prefetches the elements that the loop reads `ahead` iterations before.
  void prefetch(unsigned dim, LoopValue ahead) {
    add(LoopCommandKind::Prefetch, dim, std::move(ahead));
  }
  /// The loop over tiles or single iterations that is at level `loop`.
  void parallelize(unsigned loop);
  /// Cuts the loop over single iterations in two; see LoopSchedule.
  void split(unsigned dim, std::string condition);
  void distribute(unsigned loop);
  /// Copies the elements that `access` touches within `loop`; `fastest` is the
  /// dimension of the array whose neighbors are neighbors in the buffer. Copies
  /// nothing if the width of its vectors is 0. Copies panels of `panel`
  /// columns, if that isn't 0.
  void copy(unsigned loop, size_t access, unsigned fastest,
            const LoopValue &width, const LoopValue &panel = 0);

private:
  void add(LoopCommandKind kind, unsigned dim, LoopValue third = {}) {
    state.add(onLoop(kind, leaf.statement, leaf.level(dim), std::move(third)));
  }

  PlanState &state;
  Leaf &leaf;
};

/// A constant, or the knob.
Expression toExpression(const LoopValue &value);

/// Knobs that are chosen together.
class KnobGroup {
public:
  explicit KnobGroup(PlanState &state) : state(state) {}
  /// Names end in the number of the statement if there are several, and in one
  /// more if the plan has them already.
  KnobGroup(PlanState &state, unsigned statement);

  /// The name of a knob in the plan.
  std::string nameOf(const std::string &name) const;
  /// A knob, or the constant if there is a single value.
  LoopValue add(const std::string &name, std::vector<int64_t> values);

  /// Keeps the candidates that meet the expression. A rule that all candidates
  /// meet is left out; so is an advisory rule that none meets.
  void require(const Expression &expression, const std::string &reason,
               bool isAdvisory = true);
  /// Requires `amount` to be at most `limit` unless one of `exceptions` holds.
  void requireAtMost(const Expression &amount, int64_t limit,
                     const std::string &reason,
                     std::vector<Expression> exceptions = {});
  /// Requires at most as many vectors as there are registers; `what` ends in
  /// "fit" or "fits".
  void requireRegisters(const Expression &vectors, const std::string &what);
  /// The candidates that meet the rules so far.
  std::vector<PlanAssignment> choices();
  /// The value of a knob, or a constant, in a candidate.
  int64_t value(const LoopValue &field,
                const std::vector<int64_t> &candidate) const;
  /// Sets the defaults to the candidate of least cost (lexicographic), writes
  /// knobs and constraints to the plan.
  using Cost = std::function<std::vector<double>(
      const std::function<int64_t(const LoopValue &)> &)>;
  void choose(const Cost &cost);

private:
  PlanState &state;
  std::string suffix;
  std::vector<PlanKnob> knobs;
  std::vector<PlanConstraint> constraints;
  /// Feasible values of all knobs; made when the first rule comes.
  std::vector<std::vector<int64_t>> candidates;
  bool expanded = false;

  void expand();
};

/// The least multiple of `unit` that is at least `value`, which isn't negative.
inline int64_t roundUp(int64_t value, int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// The powers of two times `low`, up to `high`.
std::vector<int64_t> doublings(int64_t low, int64_t high);

/// Vector widths for a loop: powers of two, because LLVM takes others apart
/// into scalars; from a register of `length` elements to `most` of them, but
/// none that is more than twice the extent, unless that is unknown (0).
std::vector<int64_t> vectorWidths(int64_t length, int64_t extent, int64_t most);

/// Tile sizes for a loop: some powers of two below its extent, and the extent,
/// that is, one tile; or 0 for one tile if the extent is unknown.
std::vector<int64_t> tileSizes(int64_t extent, int64_t low, int64_t high);

/// Returns the result of `plan`; Unsupported or TimedOut if isl fails in it, or
/// takes more steps than its Context grants. Then `what` can't be planned.
Result<LoopPlan> reportFailures(std::string_view what,
                                const std::function<Result<LoopPlan>()> &plan);

} // namespace baco::polyhedral

#endif // BACO_LIB_LOOPPLANNER_PLANBUILDER_H
