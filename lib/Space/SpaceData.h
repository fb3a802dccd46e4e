//===- SpaceData.h - The immutable state of a space -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of a Space as given, the rules made of them, and the chain of
// trees.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_SPACEDATA_H
#define BACO_LIB_SPACE_SPACEDATA_H

#include "Diagram.h"
#include "Domain.h"
#include "Rule.h"

#include <deque>

namespace baco::detail {

/// A factor of the space: a group, or a parameter without constraints that
/// isn't real. The parts are independent of each other.
struct Part {
  /// Index into SpaceData::groups, or -1.
  int group;
  /// The parameter, if it isn't a group.
  size_t parameter;
  Count count;
};

struct SpaceData {
  std::vector<Parameter> parameters;
  std::vector<Constraint> constraints;
  std::vector<Condition> conditions;
  Names names;
  /// The domains of the parameters that rules read, and of those in groups.
  Domains domains;
  /// The defaults that the rules of conditions point to.
  std::vector<ParameterValue> defaults;
  /// The rules of the constraints, then of the conditions, in order. A deque so
  /// that conjuncts can point to them.
  std::deque<Rule> rules;

  std::vector<Diagram> groups;
  /// Per parameter: its group and level there, or -1.
  std::vector<int> groupOf, levelOf;
  /// The parts, ordered by their first parameters.
  std::vector<Part> parts;
  std::vector<size_t> realParameters;
  /// Conjuncts that no diagram holds: they read reals, or would make a diagram
  /// too large.
  std::vector<Conjunct> looseConjuncts;

  /// Parameters with conditions, those that decide first.
  std::vector<size_t> conditional;
  /// Per parameter: the rules of its conditions, and whether it decides about
  /// others.
  std::vector<std::vector<const Rule *>> conditionsOf;
  std::vector<char> decides;

  std::string count;
  std::optional<uint64_t> countIfSmall;
  Point defaultPoint;
  /// Feasible; set if there are loose conjuncts.
  Point witness;
  /// Less than about a thousandth of the draws meets the loose conjuncts.
  bool isSparse = false;

  // Space.cpp and its neighbors; points are in the parameters' ranges.
  size_t numParameters() const { return parameters.size(); }
  double defaultCoordinate(size_t parameter) const;
  /// The values of the parameters that a rule reads.
  void fillSlots(const Rule &rule, const Point &point,
                 std::vector<expression::Scalar> &slots) const;
  bool isActive(const Point &point, size_t parameter) const;
  /// Puts inactive parameters to their defaults.
  void settle(Point &point) const;
  /// The indices of a group's values; false if a coordinate isn't one.
  bool choiceOf(const Diagram &group, const Point &point,
                std::vector<uint32_t> &choice) const;
  void setChoice(const Diagram &group, std::span<const uint32_t> choice,
                 Point &point) const;
  bool isInDomain(const Point &point, size_t parameter) const;
  bool isFeasible(const Point &point) const;
  /// The same but for loose conjuncts.
  bool isInTrees(const Point &point) const;
  /// Whether the loose conjuncts hold.
  bool holdsLoose(const Point &point) const;

  // Sample.cpp.
  /// Draws of one sample where conjuncts are loose.
  static constexpr int maxDraws = 10'000;
  /// How a group's leaf is drawn: uniformly, or by Space::sampleByWalk.
  enum class Bias { None, Walk };
  /// One draw, which may violate loose conjuncts.
  Point draw(Random &random, Bias bias = Bias::None) const;
  /// Up to `attempts` draws; nullopt if none is feasible.
  std::optional<Point> drawFeasible(Random &random, int attempts,
                                    Bias bias = Bias::None) const;
  size_t numViolated(const Point &point) const;
  /// Takes a point that the trees hold on a random walk, to feasible points and
  /// on among these. False if it came to none.
  bool wander(Point &point, Random &random) const;
  Point sampleByWandering(Random &random) const;
  /// See Space::sample and Space::sampleByWalk.
  Point sample(Random &random, Bias bias = Bias::None) const;
  /// A leaf of a group by the walk (Walk.cpp).
  void walk(const Diagram &group, Random &random,
            std::vector<uint32_t> &choice) const;

  /// How far a value is from a coordinate, see Space::nearest.
  double cost(size_t parameter, double coordinate, uint64_t value) const;
  /// The sum over parameters.
  double totalCost(const Point &goal, const Point &point) const;
  /// The nearest point, ignoring loose conjuncts. A parameter may be
  /// pinned to the value that it has in `point`; false if there is none then.
  static constexpr size_t noPin = SIZE_MAX;
  bool nearestDiscrete(Point &point, size_t pinned = noPin) const;
  /// Takes a feasible point nearer to a goal, one parameter at a time.
  void approach(const Point &goal, Point &point) const;
  Point nearest(const Point &point) const;
};

} // namespace baco::detail

#endif // BACO_LIB_SPACE_SPACEDATA_H
