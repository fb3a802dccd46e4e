//===- Objectives.h - Several results of a candidate ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A study whose candidates have several results: which of them are minimized or
// maximized, which bounds they must keep, and which of two candidates is better
// then.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_STUDY_OBJECTIVES_H
#define BACO_STUDY_OBJECTIVES_H

#include "baco/Database/Trial.h"
#include "baco/Expression/Expression.h"
#include "baco/Search/ObjectiveOrder.h"
#include "baco/Search/Techniques/OptimizerFactory.h"

namespace baco::study {

/// A result of candidates.
struct Objective {
  /// Results that only have a bound are `Bounded`.
  enum class Goal { Minimize, Maximize, Bounded };
  /// What a candidate must keep, or else it fails: `>= 0.99`.
  struct Bound {
    /// `<=`, `<`, `>=` or `>`.
    std::string symbol;
    double limit = 0;

    bool holds(double value) const;
  };

  std::string name;
  Goal goal = Goal::Minimize;
  std::optional<Bound> bound = std::nullopt;
};

/// The results of candidates, and their order. A value; safe from any thread.
class Objectives {
public:
  /// None: candidates have one result, which is minimized.
  Objectives() = default;

  /// Reads results, separated by commas, such as
  /// `time, max accuracy >= 0.99, size <= 1e6`: each is minimized, maximized
  /// after `max`, or else only bounded if it has a bound (`min size <= 1e6` is
  /// both); and their order, one of
  ///
  /// * `pareto`, or nothing: see search::paretoOrder;
  /// * `lexicographic`: the first result that isn't only bounded decides, among
  ///   equals the second, and so on;
  /// * `weighted:2,1`: see search::weightedOrder;
  /// * an expression over their names, which is minimized: `time * power`.
  ///
  /// InvalidArgument, in one line, if it is none of these.
  static Result<Objectives> parse(std::string_view text,
                                  std::string_view order = "");
  /// All are minimized. `names` isn't empty.
  static Result<Objectives> minimizing(const std::vector<std::string> &names,
                                       std::string_view order = "");

  bool empty() const { return all.empty(); }
  const std::vector<Objective> &list() const { return all; }
  std::vector<std::string> names() const;
  /// What `parse` reads, always written alike; part of a study's key. So is
  /// the order.
  std::string text() const;
  const std::string &orderText() const { return order; }

  /// InvalidArgument if a result has the name of a parameter.
  Result<void> checkSpace(const Space &space) const;
  /// Corrupt, naming the trial, if it works and a result is missing.
  Result<void> checkTrial(const database::Trial &trial) const;

  /// Whether the first result is what is minimized, so that it can be a time.
  bool minimizesFirst() const;

  /// The outcome of a candidate with these results, of all objectives: ok, or a
  /// wrong result that says which bound isn't kept, or that their expression
  /// isn't finite, or that a weighted one isn't positive. Outcome::timeNs is
  /// the first result to minimize or maximize (negated), or the expression.
  ///
  /// \param unitNs  nanoseconds for a first result of 1, if minimizesFirst();
  ///                0: it is no time
  Outcome judge(const std::vector<double> &values, double unitNs = 0) const;

  /// The same for an outcome whose metrics were recorded, perhaps with other
  /// bounds or another order. One that failed without any stays. NotFound if it
  /// has no metric of a name.
  Result<Outcome> judgeAgain(const Outcome &recorded, double unitNs) const;

  /// Whether more than one number decides, so that the search is told `costsOf`
  /// outcomes.
  bool areSeveral() const;
  /// What is minimized, for an outcome that `judge` has made.
  search::Costs costsOf(const Outcome &outcome) const;

  /// Outcome::timeNs as people know it: a result that is maximized has its own
  /// sign.
  double shown(double cost) const;

  /// Whether two trials can be compared without the others.
  bool hasSimpleBest() const { return kind != Kind::Weighted; }
  /// Whether `a` is better than `b`, of outcomes that are ok, if
  /// hasSimpleBest(). What is first of all is on the Pareto front.
  bool isBetter(const Outcome &a, const Outcome &b) const;
  /// The best of the trials that work; of a Pareto front, the one whose first
  /// result is best. The first of several.
  std::optional<size_t> best(const std::vector<database::Trial> &trials) const;
  /// The Pareto front of the trials that work, in the order of the first
  /// result. Results that are only bounded don't count; the best one alone if
  /// fewer than two do.
  std::vector<size_t> front(const std::vector<database::Trial> &trials) const;

  /// A technique for them: search::makeOptimizer, of which a
  /// search::MultiObjectiveSearch makes use if they are several.
  Result<std::unique_ptr<search::Optimizer>>
  makeOptimizer(std::string_view technique, const Space &space,
                const search::OptimizerOptions &options) const;

private:
  enum class Kind { Pareto, Lexicographic, Weighted, Formula };

  Result<void> setOrder(std::string_view text);
  Result<void> check() const;
  size_t numOptimized() const;

  std::vector<Objective> all;
  std::string order;
  Kind kind = Kind::Pareto;
  search::ObjectiveOrderPtr ranking;
  std::optional<Expression> formula;
};

} // namespace baco::study

#endif // BACO_STUDY_OBJECTIVES_H
