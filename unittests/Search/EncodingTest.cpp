//===- EncodingTest.cpp - Tests of the encoding of points -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Encoding.h"

#include "TestSpaces.h"

using namespace baco;
using namespace baco::search;
using Eigen::VectorXd;

/// The squared distance of two points in one block.
static double blockDistance(const Encoding &encoding, int block, const Point &a,
                            const Point &b) {
  VectorXd weights = VectorXd::Zero(encoding.layout().numBlocks());
  weights[block] = 1;
  return squaredDistances(encoding.layout(), weights, encoding.encode({a}),
                          encoding.encode({b}))(0, 0);
}

/// Every block's distance is the one that the parameter defines: squared for
/// numbers and Hamming, as it is for permutations.
TEST(EncodingTest, DistancesAreTheParameters) {
  std::vector<Parameter> parameters = {
      get(Parameter::real("r", -1, 3)),
      get(Parameter::real("lr", 0.1, 10, /*log=*/true)),
      get(Parameter::integer("i", 4, 40, 4)),
      get(Parameter::integer("li", 1, 100000, 1, /*log=*/true)),
      get(Parameter::ordinal("o", {int64_t(1), 2.5, int64_t(16)}, true)),
      get(Parameter::boolean("b")),
      get(Parameter::categorical("c", {std::string("x"), int64_t(3), true})),
      get(Parameter::permutation("s", 4, PermutationMetric::Spearman)),
      get(Parameter::permutation("k", 5, PermutationMetric::Kendall)),
      get(Parameter::permutation("h", 4, PermutationMetric::Hamming)),
      get(Parameter::permutation("n", 3, PermutationMetric::Naive)),
      get(Parameter::permutation("s9", 9, PermutationMetric::Spearman)),
      get(Parameter::permutation("k20", 20, PermutationMetric::Kendall)),
  };
  Space space = get(Space::create(parameters));
  Encoding encoding(space);
  ASSERT_EQ(encoding.layout().numBlocks(), int(parameters.size()));
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    Point a = space.sample(random), b = space.sample(random);
    for (size_t p = 0; p < parameters.size(); ++p) {
      double distance = parameters[p].distance(a[p], b[p]);
      if (parameters[p].kind() != ParameterKind::Permutation)
        distance *= distance;
      EXPECT_NEAR(blockDistance(encoding, int(p), a, b), distance, 1e-13)
          << parameters[p].name();
    }
  }
}

/// The pair of BaCO's Fig. 3: Spearman 14 of 20, Kendall 4 of 6, Hamming 3
/// of 4.
TEST(EncodingTest, PermutationsOfThePaper) {
  // pi' = [2, 4, 3, 1] gives the places of the loops 1 to 4: the order is
  // 4, 1, 3, 2, from 0 that is 3, 0, 2, 1.
  const std::pair<PermutationMetric, double> expected[] = {
      {PermutationMetric::Spearman, 14.0 / 20},
      {PermutationMetric::Kendall, 4.0 / 6},
      {PermutationMetric::Hamming, 3.0 / 4},
      {PermutationMetric::Naive, 1}};
  for (auto [metric, distance] : expected) {
    Space space =
        get(Space::create({get(Parameter::permutation("p", 4, metric))}));
    Point identity = get(space.toPoint({Permutation{0, 1, 2, 3}}));
    Point other = get(space.toPoint({Permutation{3, 0, 2, 1}}));
    EXPECT_NEAR(blockDistance(Encoding(space), 0, identity, other), distance,
                1e-14);
  }
}

TEST(EncodingTest, OneValueIsNowhere) {
  Space space = get(Space::create(
      {get(Parameter::integer("i", 7, 7)),
       get(Parameter::ordinal("o", {int64_t(2)}, /*log=*/true)),
       get(Parameter::categorical("c", {std::string("only")})),
       get(Parameter::permutation("p", 1)),
       get(Parameter::permutation("k", 1, PermutationMetric::Kendall))}));
  Encoding encoding(space);
  EXPECT_TRUE(encoding.encode(space.at(0)).allFinite());
}

TEST(EncodingTest, BatchesAgreeWithSinglePoints) {
  Space space = mixedSpace();
  Encoding encoding(space);
  EXPECT_EQ(encoding.encode(std::vector<Point>()).cols(), 0);
  std::vector<Point> points = {space.at(0), space.at(17), space.at(100)};
  Eigen::MatrixXd batch = encoding.encode(points);
  ASSERT_EQ(batch.cols(), 3);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(VectorXd(batch.col(i)), encoding.encode(points[i]));
}

/// Without the logs, numbers are where they are between the least and the
/// largest; without metrics, orders are only equal or different.
TEST(EncodingTest, WithoutTransformations) {
  Space space = get(Space::create({
      get(Parameter::integer("i", 1, 9, 1, /*log=*/true)),
      get(Parameter::ordinal("o", {int64_t(1), 2.5, int64_t(16)}, true)),
      get(Parameter::real("r", 1, 5, /*log=*/true)),
      get(Parameter::permutation("p", 3)),
  }));
  EncodingOptions options;
  options.logVariables = false;
  options.naivePermutations = true;
  Encoding encoding(space, options);
  EXPECT_EQ(encoding.layout().numRows, 4);
  // The values 3, 2.5 and 4; orders 1 and 5 of 6.
  Point a = {2, 1, 4, 1}, b = {0, 0, 1, 5};
  EXPECT_NEAR(blockDistance(encoding, 0, a, b), 0.0625, 1e-15);
  EXPECT_NEAR(blockDistance(encoding, 1, a, b), 0.01, 1e-15);
  EXPECT_NEAR(blockDistance(encoding, 2, a, b), 0.5625, 1e-15);
  EXPECT_EQ(blockDistance(encoding, 3, a, b), 1);
  EXPECT_EQ(blockDistance(encoding, 3, a, a), 0);
}

/// Numbers of 3 to 64 values have a second block, which tells only whether they
/// are equal.
TEST(EncodingTest, LabeledNumbers) {
  Space space = get(Space::create({
      get(Parameter::boolean("b")),
      get(Parameter::integer("i", 1, 9, 2)),
      get(Parameter::integer("two", 0, 1)),
      get(Parameter::integer("many", 0, 64)),
      get(Parameter::ordinal("o", {int64_t(1), 2.5, int64_t(16)}, true)),
      get(Parameter::real("r", 1, 5)),
  }));
  EncodingOptions options;
  options.labeledNumbers = true;
  Encoding encoding(space, options);
  ASSERT_EQ(encoding.layout().numBlocks(), 8);
  Point a = {0, 1, 0, 3, 2, 1.5}, b = {0, 4, 1, 5, 2, 4};
  EXPECT_NEAR(blockDistance(encoding, 1, a, b), 0.75 * 0.75, 1e-15);
  EXPECT_EQ(blockDistance(encoding, 6, a, b), 1);
  EXPECT_EQ(blockDistance(encoding, 7, a, b), 0);
  EXPECT_EQ(encoding.encode(std::vector<Point>{a, b}).col(1),
            encoding.encode(b));
}

/// Each element has its block: the square of its move over the longest one.
TEST(EncodingTest, SeparateElements) {
  Space space = get(Space::create(
      {get(Parameter::permutation("p", 3)),
       get(Parameter::permutation("k", 3, PermutationMetric::Kendall)),
       get(Parameter::boolean("b"))}));
  EncodingOptions options;
  options.separateElements = true;
  Encoding encoding(space, options);
  ASSERT_EQ(encoding.layout().numBlocks(), 5);
  // (0, 1, 2) and (2, 0, 1): element 0 moves by 1, 1 by 1, 2 by 2.
  Point a = {0, 0, 0}, b = {4, 4, 1};
  EXPECT_NEAR(blockDistance(encoding, 0, a, b), 0.25, 1e-15);
  EXPECT_NEAR(blockDistance(encoding, 1, a, b), 0.25, 1e-15);
  EXPECT_NEAR(blockDistance(encoding, 2, a, b), 1, 1e-15);
  EXPECT_NEAR(blockDistance(encoding, 3, a, b), 2.0 / 3, 1e-15);
  EXPECT_EQ(blockDistance(encoding, 4, a, b), 1);
}
