//===- StopCondition.cpp - When a search has done enough ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/StopCondition.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>

using namespace baco;
using namespace baco::search;

static constexpr double infinity = std::numeric_limits<double>::infinity();

struct StopCondition::Node {
  std::string text;
  std::function<bool(const SearchProgress &)> isMet;
  /// As StopCondition::maxEvaluations; empty: not known.
  std::function<double(double spaceSize)> maxEvaluations = {};
  /// How tight its outermost operator binds.
  enum { Or, And, Single } level = Single;
  /// As StopCondition::readsExpectation.
  bool readsExpectation = false;
  /// As StopCondition::minCost.
  double minCost = infinity;
};

StopCondition::StopCondition(Node node)
    : node(std::make_shared<const Node>(std::move(node))) {}

StopCondition::StopCondition()
    : StopCondition(
          Node{"never", [](const SearchProgress &) { return false; }}) {}

bool StopCondition::isMet(const SearchProgress &progress) const {
  return node->isMet(progress);
}

double StopCondition::maxEvaluations(double spaceSize) const {
  return node->maxEvaluations ? node->maxEvaluations(spaceSize) : infinity;
}

bool StopCondition::readsExpectation() const { return node->readsExpectation; }

double StopCondition::minCost() const { return node->minCost; }

const std::string &StopCondition::text() const { return node->text; }

StopCondition search::operator&&(const StopCondition &a,
                                 const StopCondition &b) {
  auto operand = [](const StopCondition &c) {
    return c.node->level == StopCondition::Node::Or ? "(" + c.text() + ")"
                                                    : c.text();
  };
  return StopCondition(
      {operand(a) + " && " + operand(b),
       [a, b](const SearchProgress &progress) {
         return a.isMet(progress) && b.isMet(progress);
       },
       [a, b](double size) {
         return std::max(a.maxEvaluations(size), b.maxEvaluations(size));
       },
       StopCondition::Node::And, a.readsExpectation() || b.readsExpectation(),
       std::min(a.minCost(), b.minCost())});
}

StopCondition search::operator||(const StopCondition &a,
                                 const StopCondition &b) {
  return StopCondition(
      {a.text() + " || " + b.text(),
       [a, b](const SearchProgress &progress) {
         return a.isMet(progress) || b.isMet(progress);
       },
       [a, b](double size) {
         return std::min(a.maxEvaluations(size), b.maxEvaluations(size));
       },
       StopCondition::Node::Or, a.readsExpectation() || b.readsExpectation(),
       std::min(a.minCost(), b.minCost())});
}

//===----------------------------------------------------------------------===//
// Factories
//===----------------------------------------------------------------------===//

/// The shortest text that reads back equal.
static std::string print(double number) {
  char buffer[32];
  auto end = std::to_chars(buffer, buffer + sizeof(buffer), number).ptr;
  return {buffer, end};
}

StopCondition stop::evaluations(uint64_t n) {
  return StopCondition({"evaluations(" + std::to_string(n) + ")",
                        [n](const SearchProgress &progress) {
                          return progress.evaluations() >= n;
                        },
                        [n](double) { return static_cast<double>(n); }});
}

StopCondition stop::duration(Seconds time) {
  return StopCondition({"duration(" + print(time.count()) + "s)",
                        [time](const SearchProgress &progress) {
                          return progress.seconds >= time.count();
                        }});
}

StopCondition stop::fraction(double share) {
  assert(share >= 0 && share <= 1 && "not a share");
  return StopCondition(
      {"fraction(" + print(share) + ")",
       [share](const SearchProgress &progress) {
         return std::isfinite(progress.spaceSize) &&
                double(progress.evaluations()) >= share * progress.spaceSize;
       },
       [share](double size) {
         return std::isfinite(size) ? std::ceil(share * size) : infinity;
       }});
}

StopCondition stop::cost(double objective) {
  return StopCondition({"cost(" + print(objective) + ")",
                        [objective](const SearchProgress &progress) {
                          return progress.best() <= objective;
                        },
                        {},
                        StopCondition::Node::Single,
                        /*readsExpectation=*/false,
                        objective});
}

/// Whether the best value is known to be positive at the beginning of a window,
/// and fell by less than the factor since.
static bool hasStalled(double before, double now, double factor) {
  return before > 0 && std::isfinite(before) && now * factor > before;
}

StopCondition stop::speedup(double factor, uint64_t n) {
  assert(factor > 1 && "not a speed-up");
  return StopCondition(
      {"speedup(" + print(factor) + ", " + std::to_string(n) + ")",
       [factor, n](const SearchProgress &progress) {
         return hasStalled(progress.bestBefore(n), progress.best(), factor);
       }});
}

StopCondition stop::speedup(double factor, Seconds time) {
  assert(factor > 1 && "not a speed-up");
  return StopCondition(
      {"speedup(" + print(factor) + ", " + print(time.count()) + "s)",
       [factor, time](const SearchProgress &progress) {
         double begin = progress.seconds - time.count();
         return hasStalled(progress.bestAt(begin), progress.best(), factor);
       }});
}

StopCondition stop::expectedImprovement(double share) {
  return StopCondition({"expected_improvement(" + print(share) + ")",
                        [share](const SearchProgress &progress) {
                          return progress.expectedImprovement &&
                                 *progress.expectedImprovement < share;
                        },
                        {},
                        StopCondition::Node::Single,
                        /*readsExpectation=*/true});
}

StopCondition stop::custom(std::string name,
                           std::function<bool(const SearchProgress &)> isMet) {
  return StopCondition({std::move(name), std::move(isMet)});
}
