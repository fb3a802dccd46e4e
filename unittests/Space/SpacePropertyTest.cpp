//===- SpacePropertyTest.cpp - Spaces against brute force -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random spaces: everything that diagrams answer is compared with the
// definition, evaluated for each raw configuration.
//
//===----------------------------------------------------------------------===//

#include "RandomSpaces.h"

#include <cmath>
#include <map>
#include <set>

using namespace baco;
using namespace baco::testing;

namespace {
/// A random space with its feasible points by the definition.
struct Checked {
  RandomSpace source;
  Space space;
  std::vector<Point> raw;
  std::set<Point> feasible;
};
} // namespace

/// Calls `check` with `count` non-empty random spaces; empty ones must be
/// refused.
template <typename Check>
static void forRandomSpaces(uint64_t seed, uint64_t maxRaw, int count,
                            Check check) {
  RandomSpaces spaces(seed, maxRaw);
  int numEmpty = 0;
  for (int i = 0; i < count;) {
    RandomSpace source = spaces.next();
    SCOPED_TRACE(source.text);
    std::vector<Point> raw = allPoints(source.parameters);
    std::set<Point> feasible;
    for (const Point &point : raw)
      if (isFeasibleByDefinition(source.parameters, source.constraints,
                                 source.conditions,
                                 valuesOf(source.parameters, point)))
        feasible.insert(point);
    Result<Space> space =
        Space::create(source.parameters, source.constraints, source.conditions);
    if (!space && space.error().code == ErrorCode::InvalidArgument)
      continue; // a comparison of kinds that can't be equal
    if (feasible.empty()) {
      ASSERT_FALSE(space);
      EXPECT_EQ(space.error().code, ErrorCode::EmptySpace);
      ++numEmpty;
      continue;
    }
    ASSERT_TRUE(space) << space.error().message;
    check(Checked{source, *space, std::move(raw), std::move(feasible)});
    if (::testing::Test::HasFatalFailure())
      return;
    ++i;
  }
  EXPECT_GT(numEmpty, 0);
}

TEST(SpacePropertyTest, CountMembershipAndEnumeration) {
  forRandomSpaces(1, 3000, 400, [](const Checked &c) {
    ASSERT_EQ(c.space.count(), std::to_string(c.feasible.size()));
    ASSERT_EQ(c.space.countIfSmall(), c.feasible.size());
    for (const Point &point : c.raw) {
      ASSERT_EQ(c.space.isFeasible(point), c.feasible.count(point) == 1);
      Configuration values = c.space.toConfiguration(point);
      auto ok = c.space.check(values);
      ASSERT_EQ(bool(ok), c.feasible.count(point) == 1);
      auto back = c.space.toPoint(values);
      ASSERT_TRUE(back);
      ASSERT_EQ(*back, point);
    }
    std::set<Point> enumerated;
    for (uint64_t k = 0; k < c.feasible.size(); ++k) {
      Point point = c.space.at(k);
      ASSERT_EQ(c.space.rank(point), k);
      enumerated.insert(point);
    }
    ASSERT_EQ(enumerated, c.feasible);
    ASSERT_TRUE(c.space.isFeasible(c.space.defaultPoint()));
  });
}

TEST(SpacePropertyTest, SamplesAreUniform) {
  Random random(2);
  forRandomSpaces(2, 300, 60, [&](const Checked &c) {
    size_t n = c.feasible.size();
    std::map<Point, int> counts;
    size_t draws = 50 * n;
    for (size_t i = 0; i < draws; ++i)
      ++counts[c.space.sample(random)];
    double chiSquare = 0;
    for (const Point &point : c.feasible) {
      chiSquare += std::pow(counts[point] - 50.0, 2) / 50;
      counts.erase(point);
    }
    ASSERT_TRUE(counts.empty());
    // Mean n - 1, deviation sqrt(2 (n - 1)); at most five of these beyond, and
    // for few degrees of freedom (skewed) 15 more.
    EXPECT_LT(chiSquare, n - 1 + 5 * std::sqrt(2.0 * (n - 1)) + 15);
  });
}

/// The probability of each feasible point: at every parameter, one of the
/// values that points with the same values before it have.
static std::map<Point, double> walkByDefinition(const Checked &c) {
  std::map<Point, std::set<double>> children;
  for (const Point &point : c.feasible)
    for (size_t k = 0; k < point.size(); ++k)
      children[Point(point.begin(), point.begin() + k)].insert(point[k]);
  std::map<Point, double> shares;
  for (const Point &point : c.feasible) {
    double share = 1;
    for (size_t k = 0; k < point.size(); ++k)
      share /= children[Point(point.begin(), point.begin() + k)].size();
    shares[point] = share;
  }
  return shares;
}

TEST(SpacePropertyTest, WalksGoDownTheDeclaredTree) {
  Random random(7);
  forRandomSpaces(7, 300, 60, [&](const Checked &c) {
    std::map<Point, int> counts;
    double draws = 50 * c.feasible.size();
    for (int i = 0; i < draws; ++i)
      ++counts[c.space.sampleByWalk(random)];
    for (auto [point, share] : walkByDefinition(c)) {
      // Five standard deviations, and five more where few are expected.
      double deviation = std::sqrt(draws * share * (1 - share));
      EXPECT_NEAR(counts[point], draws * share, 5 * deviation + 5);
      counts.erase(point);
    }
    ASSERT_TRUE(counts.empty());
  });
}

/// The least cost by the definition in Space.h.
static double distanceTo(const std::vector<Parameter> &parameters,
                         const Point &a, const Point &b) {
  double total = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    const Parameter &parameter = parameters[k];
    if (parameter.kind() == ParameterKind::Permutation)
      total += parameter.distance(a[k], b[k]);
    else if (!parameter.isNumeric())
      total += a[k] != b[k];
    else if (parameter.size() > 1)
      total += std::fabs(a[k] - b[k]) / (parameter.size() - 1.0);
  }
  return total;
}

TEST(SpacePropertyTest, NearestIsNearest) {
  forRandomSpaces(3, 500, 100, [](const Checked &c) {
    for (size_t i = 0; i < c.raw.size(); i += 1 + c.raw.size() / 50) {
      double least = HUGE_VAL;
      for (const Point &point : c.feasible)
        least =
            std::min(least, distanceTo(c.source.parameters, c.raw[i], point));
      Point found = c.space.nearest(c.raw[i]);
      ASSERT_TRUE(c.feasible.count(found));
      ASSERT_NEAR(distanceTo(c.source.parameters, c.raw[i], found), least,
                  1e-12);
    }
  });
}

/// The neighbors in one parameter that the definition in Space.h asks for,
/// without conditions.
static void addNeighbors(const Checked &c, const Point &point, size_t k,
                         std::vector<Point> &out) {
  const Parameter &parameter = c.source.parameters[k];
  Point other = point;
  auto isFeasible = [&](double index) {
    other[k] = index;
    return c.feasible.count(other) == 1;
  };
  if (!parameter.isNumeric()) {
    for (uint64_t i = 0; i < parameter.size(); ++i)
      if (i != point[k] && isFeasible(i))
        out.push_back(other);
    return;
  }
  for (double index = point[k] - 1; index >= 0; --index)
    if (isFeasible(index)) {
      out.push_back(other);
      break;
    }
  for (double index = point[k] + 1; index < parameter.size(); ++index)
    if (isFeasible(index)) {
      out.push_back(other);
      break;
    }
}

TEST(SpacePropertyTest, NeighborsWithoutConditions) {
  Random random(4);
  std::vector<Point> found;
  forRandomSpaces(4, 1000, 100, [&](const Checked &c) {
    if (!c.source.conditions.empty())
      return;
    for (size_t i = 0; i < c.raw.size(); i += 1 + c.raw.size() / 50) {
      std::vector<Point> expected;
      for (size_t k = 0; k < c.raw[i].size(); ++k)
        addNeighbors(c, c.raw[i], k, expected);
      c.space.neighbors(c.raw[i], random, found);
      ASSERT_EQ(found, expected);
    }
  });
}

TEST(SpacePropertyTest, NeighborsAreFeasibleAndOthers) {
  Random random(5);
  std::vector<Point> found;
  forRandomSpaces(5, 1000, 100, [&](const Checked &c) {
    for (const Point &point : c.feasible) {
      c.space.neighbors(point, random, found);
      for (const Point &neighbor : found) {
        ASSERT_TRUE(c.feasible.count(neighbor));
        ASSERT_NE(neighbor, point);
      }
    }
  });
}

/// The same space with an idle real parameter, which every other constraint
/// reads unless it is C++ code: that makes them loose, `numLoose` in all.
static Space withLooseConstraints(const RandomSpace &source, size_t &numLoose) {
  std::vector<Parameter> parameters = source.parameters;
  parameters.push_back(*Parameter::real("idle", 0, 1));
  std::vector<Constraint> constraints = source.constraints;
  numLoose = 0;
  for (size_t i = 0; i < constraints.size(); i += 2) {
    auto loose = Expression::parse("(" + constraints[i].expression.text() +
                                   ") || idle < 0");
    if (!loose)
      continue;
    constraints[i].expression = *loose;
    ++numLoose;
  }
  Result<Space> space =
      Space::create(parameters, constraints, source.conditions);
  if (!space)
    ADD_FAILURE() << space.error().message;
  return *space;
}

TEST(SpacePropertyTest, LooseConstraintsForbidTheSame) {
  Random random(8);
  std::vector<Point> found;
  forRandomSpaces(8, 500, 100, [&](const Checked &c) {
    size_t numLoose;
    Space loose = withLooseConstraints(c.source, numLoose);
    EXPECT_EQ(loose.looseConstraints().size(), numLoose);
    EXPECT_EQ(loose.isCountExact(), numLoose == 0);
    for (size_t i = 0; i < c.raw.size(); i += 1 + c.raw.size() / 100) {
      Point point = c.raw[i];
      point.push_back(0.5);
      ASSERT_EQ(loose.isFeasible(point), c.feasible.count(c.raw[i]) == 1);
      Point nearest = loose.nearest(point);
      ASSERT_TRUE(loose.isFeasible(nearest));
      if (loose.isFeasible(point)) {
        ASSERT_EQ(nearest, point);
      }
      // The neighbors but for those in the real parameter.
      loose.neighbors(point, random, found);
      std::vector<Point> got, expected;
      for (Point &neighbor : found)
        if (neighbor.back() == 0.5) {
          neighbor.pop_back();
          got.push_back(std::move(neighbor));
        }
      if (!c.source.conditions.empty())
        continue;
      for (size_t k = 0; k < c.raw[i].size(); ++k)
        addNeighbors(c, c.raw[i], k, expected);
      ASSERT_EQ(got, expected);
    }
  });
}

TEST(SpacePropertyTest, SamplesUnderLooseConstraintsAreUniform) {
  Random random(9);
  forRandomSpaces(9, 300, 30, [&](const Checked &c) {
    // Those of conditions are settled, which favors defaults.
    if (!c.source.conditions.empty())
      return;
    size_t numLoose;
    Space loose = withLooseConstraints(c.source, numLoose);
    size_t n = c.feasible.size();
    std::map<Point, int> counts;
    for (size_t i = 0; i < 50 * n; ++i) {
      Point point = loose.sample(random);
      point.pop_back();
      ++counts[point];
    }
    double chiSquare = 0;
    for (const Point &point : c.feasible) {
      chiSquare += std::pow(counts[point] - 50.0, 2) / 50;
      counts.erase(point);
    }
    ASSERT_TRUE(counts.empty());
    EXPECT_LT(chiSquare, n - 1 + 5 * std::sqrt(2.0 * (n - 1)) + 15);
  });
}
