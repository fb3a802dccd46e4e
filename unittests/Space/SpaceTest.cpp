//===- SpaceTest.cpp - Tests of spaces ------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The papers' examples, large spaces, permutations, reals, conditions.
//
//===----------------------------------------------------------------------===//

#include "SpaceTesting.h"
#include "baco/Expression/Permutation.h"

#include <cmath>
#include <set>

using namespace baco;
using namespace baco::testing;

// BaCO (2023), Fig. 4.
static std::vector<Parameter> figure4() {
  return {ordinal("p1", {2, 4}), ordinal("p2", {2, 4}), ordinal("p3", {1, 4}),
          ordinal("p4", {1, 2, 4}), ordinal("p5", {2, 4, 8})};
}

TEST(SpaceTest, Figure4OfBaCO) {
  Space space = make(figure4(), {"p1 >= p2", "p4 >= p3", "p5 >= 2 * p4"});
  EXPECT_EQ(space.count(), "21");
  std::vector<Group> groups = space.groups();
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].count, "3");
  EXPECT_EQ(groups[1].count, "7");
  EXPECT_EQ(groups[0].parameters.size(), 2u);
  EXPECT_EQ(groups[1].parameters.size(), 3u);
  // "The leftmost path in the left tree, the rightmost in the right one".
  auto point = space.toPoint(
      {int64_t(2), int64_t(2), int64_t(4), int64_t(4), int64_t(8)});
  ASSERT_TRUE(point);
  EXPECT_TRUE(space.isFeasible(*point));
}

TEST(SpaceTest, Figure4SamplesLeavesUniformly) {
  Space space = make(figure4(), {"p1 >= p2", "p4 >= p3", "p5 >= 2 * p4"});
  // p3 = 4 has one of the right tree's seven leaves.
  Random random(1);
  int hits = 0;
  constexpr int n = 21'000;
  for (int i = 0; i < n; ++i)
    hits += space.toConfiguration(space.sample(random))[2] ==
            ParameterValue(int64_t(4));
  // Mean n / 7 = 3000, deviation sqrt(n 6 / 49) = 51; five of these.
  EXPECT_NEAR(hits, 3000, 255);
}

// ATF (2017), Fig. 1: two groups of two parameters with values 1 and 2; of each
// group three of four choices are left.
TEST(SpaceTest, Figure1OfATF) {
  std::vector<Parameter> parameters;
  for (const char *name : {"tp_1", "tp_2", "tp_3", "tp_4"})
    parameters.push_back(*Parameter::integer(name, 1, 2));
  Space space =
      make(parameters, {"divides(tp_2, tp_1)", "divides(tp_4, tp_3)"});
  EXPECT_EQ(space.count(), "9");
  EXPECT_EQ(space.groups().size(), 2u);
}

// ATF, Listing 2: WPT divides N, LS divides N / WPT. The number of pairs is the
// sum over divisors of N of their numbers of divisors; for N = 2^20 that is
// 1 + 2 + ... + 21.
TEST(SpaceTest, SaxpyOfATF) {
  Space space = make({*Parameter::integer("WPT", 1, 1 << 20),
                      *Parameter::integer("LS", 1, 1 << 20)},
                     {"divides(WPT, 1048576)", "divides(LS, 1048576 // WPT)"});
  EXPECT_EQ(space.count(), "231");
}

static Result<Space> xgemmDirect(int64_t n, bool localMemory) {
  std::vector<Parameter> parameters;
  for (const char *name :
       {"WGD", "MDIMCD", "NDIMCD", "MDIMAD", "NDIMBD", "KWID"})
    parameters.push_back(*Parameter::integer(name, 1, n));
  for (const char *name : {"VWMD", "VWND"})
    parameters.push_back(ordinal(name, {1, 2, 4, 8}));
  for (const char *name : {"PADA", "PADB"})
    parameters.push_back(*Parameter::integer(name, 0, 1));
  std::vector<std::string> texts = {"divides(KWID, WGD)",
                                    "divides(MDIMCD * VWMD, WGD)",
                                    "divides(NDIMCD * VWND, WGD)",
                                    "divides(MDIMAD * VWMD, WGD)",
                                    "divides(NDIMBD * VWND, WGD)",
                                    "MDIMCD * NDIMCD % MDIMAD == 0",
                                    "divides(MDIMCD * NDIMCD // MDIMAD, WGD)",
                                    "MDIMCD * NDIMCD % NDIMBD == 0",
                                    "divides(MDIMCD * NDIMCD // NDIMBD, WGD)",
                                    "MDIMCD * NDIMCD <= 1024"};
  if (localMemory)
    texts.push_back("4 * (WGD * (WGD + PADA) + WGD * (WGD + PADB)) <= 49152");
  return Space::create(parameters, constraints(texts));
}

// The counts come from nested loops over WGD, MDIMCD, NDIMCD and the rest, in a
// Python script of their own.
TEST(SpaceTest, XgemmDirectAgainstBruteForce) {
  for (auto [n, count] : {std::pair<int64_t, const char *>{1, "4"},
                          {16, "86128"},
                          {32, "511740"}}) {
    Result<Space> space = xgemmDirect(n, /*localMemory=*/true);
    ASSERT_TRUE(space) << space.error().message;
    EXPECT_EQ(space->count(), count) << n;
  }
}

/// How many values of MDIMAD (NDIMBD) go with the others.
static int64_t numLoadShapes(int64_t wgd, int64_t threads, int64_t width) {
  int64_t count = 0;
  for (int64_t shape = 1; shape * width <= wgd; ++shape)
    count += wgd % (shape * width) == 0 && threads % shape == 0 &&
             wgd % (threads / shape) == 0;
  return count;
}

/// XgemmDirect without its local memory, by loops over what isn't independent.
static int64_t countXgemmDirect(int64_t n) {
  int64_t total = 0;
  for (int64_t wgd = 1; wgd <= n; ++wgd) {
    int64_t numDivisors = 0, choices = 0;
    for (int64_t d = 1; d <= wgd; ++d)
      numDivisors += wgd % d == 0;
    for (int64_t vwmd : {1, 2, 4, 8})
      for (int64_t vwnd : {1, 2, 4, 8})
        for (int64_t m = 1; m * vwmd <= wgd; ++m)
          for (int64_t k = 1; wgd % (m * vwmd) == 0 && k * vwnd <= wgd; ++k)
            if (wgd % (k * vwnd) == 0 && m * k <= 1024)
              choices += numLoadShapes(wgd, m * k, vwmd) *
                         numLoadShapes(wgd, m * k, vwnd);
    total += 4 * numDivisors * choices; // PADA, PADB; KWID
  }
  return total;
}

TEST(SpaceTest, XgemmDirectWithoutLocalMemory) {
  for (int64_t n : {1, 40, 100})
    EXPECT_EQ(xgemmDirect(n, /*localMemory=*/false)->count(),
              std::to_string(countXgemmDirect(n)));
}

// 7.4e19 raw configurations.
TEST(SpaceTest, XgemmDirectIsSmallAsADiagram) {
  Result<Space> space = xgemmDirect(1024, /*localMemory=*/true);
  ASSERT_TRUE(space) << space.error().message;
  // Within the local memory WGD is at most 78, so that larger N add nothing but
  // longer ranges.
  EXPECT_EQ(space->count(), xgemmDirect(78, true)->count());
  EXPECT_EQ(space->count(), xgemmDirect(100, true)->count());
  size_t numEdges = 0;
  for (const Group &group : space->groups())
    numEdges += group.numEdges;
  EXPECT_LT(numEdges, 100'000u);
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    Point point = space->sample(random);
    EXPECT_TRUE(space->isFeasible(point));
    EXPECT_TRUE(space->check(space->toConfiguration(point)));
  }
}

// The space MM_CPU of BaCO: seven of the 720 orders,
// 41503 feasible configurations.
TEST(SpaceTest, MatrixMultiplicationOfBaCO) {
  std::vector<int64_t> powers;
  for (int i = 0; i <= 10; ++i)
    powers.push_back(int64_t(1) << i);
  Space space = make(
      {ordinal("tile51", powers), ordinal("tile52", powers),
       ordinal("split100", powers), ordinal("vec101", powers),
       *Parameter::permutation("reorder", 6)},
      {"vec101 % 2 == 0", "vec101 <= 128", "is_multiple_of(tile51, vec101)",
       "divides(tile51, 1024) && divides(tile52, 1024)", "1024 % split100 == 0",
       "in(reorder, {(0,1,2,4,5,3), (4,0,1,2,5,3), (0,1,4,2,5,3), "
       "(0,4,1,2,5,3), (4,0,1,5,2,3), (0,4,1,5,2,3), (0,1,4,5,2,3)})"});
  EXPECT_EQ(space.count(), "41503");
}

TEST(SpaceTest, NoParameters) {
  Space space = make({});
  EXPECT_EQ(space.count(), "1");
  EXPECT_EQ(space.countIfSmall(), 1u);
  EXPECT_TRUE(space.isFeasible({}));
  EXPECT_EQ(space.at(0), Point{});
  EXPECT_EQ(space.nearest({}), Point{});
  Random random(1);
  EXPECT_EQ(space.sample(random), Point{});
  std::vector<Point> out = {{1}};
  space.neighbors({}, random, out);
  EXPECT_TRUE(out.empty());
}

TEST(SpaceTest, OneConfiguration) {
  Space space = make({*Parameter::integer("a", 3, 3)}, {"a == 3"});
  EXPECT_EQ(space.count(), "1");
  EXPECT_EQ(space.defaultPoint(), Point{0});
  Random random(1);
  std::vector<Point> out;
  space.neighbors({0}, random, out);
  EXPECT_TRUE(out.empty());
}

TEST(SpaceTest, CountsBeyond64Bits) {
  std::vector<Parameter> parameters;
  for (int i = 0; i < 30; ++i)
    parameters.push_back(*Parameter::integer("p" + std::to_string(i), 1, 10));
  Space free = make(parameters);
  EXPECT_EQ(free.count(), "1" + std::string(30, '0'));
  EXPECT_EQ(free.countIfSmall(), std::nullopt);
  // All in one group: 10^30 less the one configuration of ones.
  std::string sum = "p0";
  for (int i = 1; i < 30; ++i)
    sum += " + p" + std::to_string(i);
  Space space = make(parameters, {sum + " > 30"});
  EXPECT_EQ(space.count(), std::string(30, '9'));
  Random random(1);
  for (int i = 0; i < 100; ++i)
    EXPECT_TRUE(space.isFeasible(space.sample(random)));
  EXPECT_EQ(space.nearest(Point(30, 0)).size(), 30u);
  EXPECT_NE(space.nearest(Point(30, 0)), Point(30, 0));
  for (int i = 30; i < 40; ++i)
    parameters.push_back(*Parameter::integer("p" + std::to_string(i), 1, 10));
  for (int i = 30; i < 40; ++i)
    sum += " + p" + std::to_string(i);
  EXPECT_NE(errorOf(Space::create(parameters, constraints({sum + " > 40"})))
                .find("leave 2^128 or more choices"),
            std::string::npos);
}

TEST(SpaceTest, LargeRangesAreEnumerated) {
  int64_t huge = int64_t(1) << 31;
  // Divisors, multiples, bounds, equality: no loop over two thousand million.
  EXPECT_EQ(
      make({*Parameter::integer("a", 1, huge)}, {"divides(a, 720720)"}).count(),
      "240");
  EXPECT_EQ(
      make({*Parameter::integer("a", -huge, huge - 2)}, {"divides(3 * a, 36)"})
          .count(),
      "12");
  EXPECT_EQ(
      make({*Parameter::integer("a", 0, huge)}, {"a % 1000000 == 0"}).count(),
      "2148");
  EXPECT_EQ(make({*Parameter::integer("a", 0, huge)},
                 {"3 * a + 1 <= 100 && a // 2 >= 3"})
                .count(),
            "28");
  EXPECT_EQ(make({*Parameter::integer("a", 0, huge)}, {"a * a == 49"}).count(),
            "1");
  EXPECT_EQ(make({*Parameter::integer("a", 1, 1000),
                  *Parameter::integer("b", 1, huge)},
                 {"a * b <= 20", "a >= b"})
                .count(),
            "35"); // sum of 20 // b - b + 1 for b = 1 ... 4
}

// Known numbers (OEIS A000170), and a group in which no order is good: with ten
// queens, several are tried.
TEST(SpaceTest, Queens) {
  for (auto [n, count] : {std::pair(6, "4"), {8, "92"}, {10, "724"}}) {
    std::vector<Parameter> rows;
    std::vector<std::string> texts;
    for (int i = 0; i < n; ++i) {
      std::string a = "q" + std::to_string(i);
      rows.push_back(*Parameter::integer(a, 1, n));
      for (int k = 0; k < i; ++k) {
        std::string b = "q" + std::to_string(k);
        texts.push_back(a + " != " + b);
        texts.push_back("abs(" + a + " - " + b +
                        ") != " + std::to_string(i - k));
      }
    }
    EXPECT_EQ(make(rows, texts).count(), count);
  }
}

// OEIS A002860: there are 576 Latin squares of order 4.
TEST(SpaceTest, LatinSquares) {
  std::vector<Parameter> cells;
  std::vector<std::string> texts;
  auto name = [](int row, int column) {
    return "c" + std::to_string(4 * row + column);
  };
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      cells.push_back(*Parameter::integer(name(i, j), 1, 4));
      for (int k = 0; k < j; ++k) {
        texts.push_back(name(i, j) + " != " + name(i, k));
        texts.push_back(name(j, i) + " != " + name(k, i));
      }
    }
  EXPECT_EQ(make(cells, texts).count(), "576");
}

TEST(SpaceTest, PermutationsWithoutConstraints) {
  Space space = make({*Parameter::permutation("order", 20)});
  EXPECT_EQ(space.count(), "2432902008176640000");
  EXPECT_EQ(space.countIfSmall(), factorial(20));
  Random random(3);
  std::set<Configuration> seen;
  std::vector<Point> out;
  for (int i = 0; i < 20; ++i) {
    Point point = space.sample(random);
    EXPECT_TRUE(space.isFeasible(point));
    Configuration c = space.toConfiguration(point);
    EXPECT_EQ(*space.toPoint(c), point);
    seen.insert(c);
    space.neighbors(point, random, out);
    EXPECT_EQ(out.size(), 190u); // swaps of two of twenty
    for (const Point &neighbor : out)
      EXPECT_EQ(hammingDistance(
                    std::get<Permutation>(space.toConfiguration(neighbor)[0]),
                    std::get<Permutation>(c[0])),
                2);
  }
  EXPECT_EQ(seen.size(), 20u);
  EXPECT_EQ(space.toConfiguration(space.at(factorial(20) - 1))[0],
            ParameterValue(permutationAt(20, factorial(20) - 1)));
}

TEST(SpaceTest, PermutationsWithConstraints) {
  Space space = make({*Parameter::permutation("order", 4)},
                     {"pos(order, 0) < pos(order, 3)", "order[3] != 1"});
  // Of 12 orders with 0 before 3, those that end in 1 number 3.
  EXPECT_EQ(space.count(), "9");
  Space nine = make({*Parameter::permutation("order", 9)},
                    {"pos(order, 0) == 0", "order[8] == 8"});
  EXPECT_EQ(nine.count(), "5040");
  Result<Space> ten = Space::create({*Parameter::permutation("order", 10)},
                                    constraints({"pos(order, 0) == 0"}));
  ASSERT_FALSE(ten);
  EXPECT_EQ(ten.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(ten.error().message,
            "parameter 'order': a permutation of more than 9 elements can't "
            "have constraints or conditions");
}

TEST(SpaceTest, CopiesShareTheirState) {
  Space copy = make({});
  {
    Space space = make(figure4(), {"p1 >= p2"});
    copy = space;
    EXPECT_EQ(&copy.parameters(), &space.parameters());
  }
  EXPECT_EQ(copy.count(), "54");
}

TEST(SpaceTest, DefaultsThatViolateAConstraintMoveToTheNearest) {
  Parameter a = ordinal("a", {1, 2, 4, 8}), b = ordinal("b", {1, 2, 4, 8});
  a.defaultValue = ParameterValue(int64_t(4));
  b.defaultValue = ParameterValue(int64_t(2));
  EXPECT_EQ(make({a, b}).defaultPoint(), (Point{2, 1}));
  EXPECT_EQ(make({a, b}, {"divides(b, a)"}).defaultPoint(), (Point{2, 1}));
  Space space = make({a, b}, {"b > a"});
  Point nearest = space.defaultPoint();
  EXPECT_TRUE(space.isFeasible(nearest));
  // Two steps in all, whichever parameters make them.
  EXPECT_EQ(std::fabs(nearest[0] - 2) + std::fabs(nearest[1] - 1), 2);
}

TEST(SpaceTest, FindsTheNearestAmongMany) {
  // Increasing numbers that are near to decreasing ones: more paths than are
  // searched one by one.
  constexpr int size = 200, last = size - 1;
  Space space = make(
      {*Parameter::integer("a", 0, last), *Parameter::integer("b", 0, last),
       *Parameter::integer("c", 0, last), *Parameter::integer("d", 0, last),
       *Parameter::integer("e", 0, last)},
      {"a < b", "b < c", "c < d", "d < e"});
  Point goal = {199, 150, 90, 47, 0};
  Point point = space.nearest(goal);
  EXPECT_TRUE(space.isFeasible(point));
  double distance = 0;
  for (size_t k = 0; k < goal.size(); ++k)
    distance += std::fabs(point[k] - goal[k]);
  // The least distance up to each parameter, if it has one of the values 0 to
  // v.
  std::vector<double> least(size + 1, 0);
  for (double wanted : goal) {
    std::vector<double> next(size + 1, HUGE_VAL);
    for (int v = 0; v < size; ++v)
      next[v + 1] = std::min(next[v], least[v] + std::fabs(v - wanted));
    least = next;
  }
  EXPECT_EQ(distance, least[size]);
}

TEST(SpaceTest, PointsThatAreNone) {
  Space space = make({*Parameter::integer("a", 0, 9), *Parameter::boolean("b"),
                      *Parameter::real("r", 0, 1)},
                     {"a % 3 == 0"});
  EXPECT_FALSE(space.isFeasible({}));
  EXPECT_FALSE(space.isFeasible({0.5, 0, 0.5}));
  EXPECT_FALSE(space.isFeasible({10, 0, 0.5}));
  EXPECT_FALSE(space.isFeasible({0, 2, 0.5}));
  EXPECT_FALSE(space.isFeasible({0, 0, 1.5}));
  EXPECT_FALSE(space.isFeasible({0, 0, std::nan("")}));
  EXPECT_TRUE(space.isFeasible({9, 1, 1}));
  EXPECT_EQ(space.nearest({100, -3, 7}), (Point{9, 0, 1}));
  EXPECT_EQ(space.nearest({4.4, 0.7, -1}), (Point{3, 1, 0}));
  EXPECT_EQ(space.nearest({-HUGE_VAL, HUGE_VAL, HUGE_VAL}), (Point{0, 1, 1}));
  EXPECT_EQ(space.nearest({std::nan(""), std::nan(""), std::nan("")}),
            space.defaultPoint());
  Random random(1);
  std::vector<Point> out;
  space.neighbors({0.5, 0, 0}, random, out);
  EXPECT_TRUE(out.empty());
}

// What each conjunct takes must not grow with their number: with 30000 squared
// there would be no memory.
TEST(SpaceTest, TakesManyConjuncts) {
  std::string text = "a != 3";
  for (int i = 0; i < 30000; ++i)
    text += (i % 2 ? " && a != " : " && b != ") + std::to_string(100 + i);
  Space space = make(
      {*Parameter::integer("a", 0, 7), *Parameter::integer("b", 0, 7)}, {text});
  EXPECT_TRUE(space.isFeasible({4, 3}));
  EXPECT_FALSE(space.isFeasible({3, 4}));
}
