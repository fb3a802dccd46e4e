//===- StopCondition.h - When a search has done enough ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The six abort conditions of ATF (Rasch, Haidl, Gorlatch, HPCC 2017, section
// II), expected improvement, and the user's own; they compose:
//
//   using namespace std::chrono_literals;
//   StopCondition enough =
//       stop::evaluations(60) || (stop::duration(10min) && stop::cost(1e-3));
//
// The same as text: "evaluations(60) || duration(10min) && cost(1e-3)".
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_STOPCONDITION_H
#define BACO_SEARCH_STOPCONDITION_H

#include "baco/Search/SearchProgress.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace baco::search {

/// A condition on a search's progress. A value; cheap to copy.
class StopCondition {
public:
  /// Never met: the search ends when the space is exhausted.
  StopCondition();

  /// Reads what `text` writes, joined by && (binds tighter), || and
  /// parentheses. Times are numbers with a unit, ms, s, min or h; shares may be
  /// percentages. InvalidArgument, naming the column and what was expected.
  static Result<StopCondition> parse(std::string_view text);

  bool isMet(const SearchProgress &progress) const;

  /// An upper bound on the evaluations until the condition is met, in a space
  /// of this size; infinity if there is none.
  double maxEvaluations(double spaceSize) const;

  /// Whether `stop::expectedImprovement` is a part of it: never met with a
  /// technique that expects nothing (`Suggestion::expectedImprovement`).
  bool readsExpectation() const;

  /// The least value that a `stop::cost` in it asks for; infinity without one.
  double minCost() const;

  /// In the syntax of `parse`.
  const std::string &text() const;

  friend StopCondition operator&&(const StopCondition &a,
                                  const StopCondition &b);
  friend StopCondition operator||(const StopCondition &a,
                                  const StopCondition &b);

  struct Node;

  /// For the factories.
  explicit StopCondition(Node node);

private:
  std::shared_ptr<const Node> node;
};

/// The conditions that others are made of.
namespace stop {

using Seconds = std::chrono::duration<double>;

/// evaluations(60): after n configurations were tried, failing ones included.
StopCondition evaluations(uint64_t n);

/// duration(10min): after a time.
StopCondition duration(Seconds time);

/// fraction(0.1), fraction(10%): after a share in [0, 1] of the space was
/// tried. Never met in a space with real parameters.
StopCondition fraction(double share);

/// cost(1e-3): the objective's best value is `objective` or less.
StopCondition cost(double objective);

/// speedup(1.05, 20): the last n evaluations didn't lower the best value by a
/// factor of at least `factor` > 1. Not met before something works, nor
/// within the first n evaluations after that, nor for values that aren't
/// positive, which have no factors.
StopCondition speedup(double factor, uint64_t n);

/// speedup(1.05, 30s): the same within the last `time`.
StopCondition speedup(double factor, Seconds time);

/// expected_improvement(1%): the last suggestion is expected to lower the best
/// value by less than this share of it. Never met for techniques that don't
/// expect anything.
StopCondition expectedImprovement(double share);

/// A condition in C++; `name` represents it in the text, which can't be parsed.
StopCondition custom(std::string name,
                     std::function<bool(const SearchProgress &)> isMet);

} // namespace stop

} // namespace baco::search

#endif // BACO_SEARCH_STOPCONDITION_H
