//===- ParameterTest.cpp - Tests of parameters ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Space/Parameter.h"
#include "baco/Expression/Permutation.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace baco;

static std::string messageOf(const Result<Parameter> &parameter) {
  return parameter ? "no error" : parameter.error().message;
}

TEST(ParameterTest, Integer) {
  Parameter p = *Parameter::integer("p", -3, 8, 4);
  EXPECT_EQ(p.size(), 3u);
  EXPECT_EQ(p.value(0), ParameterValue(int64_t(-3)));
  EXPECT_EQ(p.value(2), ParameterValue(int64_t(5)));
  EXPECT_EQ(p.lower(), -3);
  EXPECT_EQ(p.upper(), 5);
  EXPECT_EQ(p.indexOf(int64_t(1)), 1u);
  EXPECT_EQ(p.indexOf(1.0), 1u);
  EXPECT_EQ(p.indexOf(int64_t(2)), std::nullopt);
  EXPECT_EQ(p.indexOf(int64_t(9)), std::nullopt);
  EXPECT_EQ(p.indexOf(int64_t(-7)), std::nullopt);
  EXPECT_EQ(p.indexOf(1.5), std::nullopt);
  EXPECT_EQ(p.indexOf(1e300), std::nullopt);
  EXPECT_EQ(p.indexOf(std::nan("")), std::nullopt);
  EXPECT_EQ(p.indexOf(true), std::nullopt);
  EXPECT_EQ(p.initialValue(), ParameterValue(int64_t(-3)));
}

TEST(ParameterTest, IntegerOverTheWholeRange) {
  constexpr int64_t step = int64_t(1) << 20;
  Parameter p = *Parameter::integer("p", INT64_MIN, INT64_MAX, step);
  EXPECT_EQ(p.size(), uint64_t(1) << 44);
  EXPECT_EQ(p.value(p.size() - 1), ParameterValue(INT64_MAX - step + 1));
  EXPECT_EQ(p.indexOf(int64_t(0)), uint64_t(1) << 43);
  EXPECT_EQ(messageOf(Parameter::integer("p", INT64_MIN, INT64_MAX)),
            "parameter 'p': a range may have at most 2^53 values");
}

TEST(ParameterTest, Ordinal) {
  Parameter p = *Parameter::ordinal("p", {0.5, int64_t(1), int64_t(4)}, true);
  EXPECT_EQ(p.size(), 3u);
  EXPECT_EQ(p.value(0), ParameterValue(0.5));
  EXPECT_EQ(p.indexOf(1.0), 1u);
  EXPECT_EQ(p.indexOf(int64_t(4)), 2u);
  EXPECT_EQ(p.indexOf(int64_t(3)), std::nullopt);
  EXPECT_TRUE(p.isLog());
  // log2: -1, 0, 2
  EXPECT_DOUBLE_EQ(p.scaled(1), 1.0 / 3);
  EXPECT_DOUBLE_EQ(p.distance(0, 1), 1.0 / 3);
  EXPECT_DOUBLE_EQ(p.distance(2, 0), 1);
}

TEST(ParameterTest, Real) {
  Parameter p = *Parameter::real("p", 1, 100, true);
  EXPECT_EQ(p.size(), 0u);
  EXPECT_TRUE(p.contains(1.0));
  EXPECT_TRUE(p.contains(int64_t(100)));
  EXPECT_FALSE(p.contains(100.5));
  EXPECT_FALSE(p.contains(std::nan("")));
  EXPECT_FALSE(p.contains(std::string("1")));
  EXPECT_DOUBLE_EQ(p.scaled(10), 0.5);
  EXPECT_DOUBLE_EQ(p.unscaled(0.5), 10);
  EXPECT_EQ(p.unscaled(0), 1);
  EXPECT_EQ(p.unscaled(1), 100);
  EXPECT_EQ(p.initialValue(), ParameterValue(1.0));
}

TEST(ParameterTest, BooleanAndCategorical) {
  Parameter b = *Parameter::boolean("b");
  EXPECT_EQ(b.value(0), ParameterValue(false));
  EXPECT_EQ(b.indexOf(true), 1u);
  EXPECT_EQ(b.indexOf(int64_t(1)), std::nullopt);
  Parameter c = *Parameter::categorical(
      "c", {std::string("none"), int64_t(4), Permutation{1, 0}});
  EXPECT_EQ(c.size(), 3u);
  EXPECT_EQ(c.indexOf(Permutation{1, 0}), 2u);
  EXPECT_EQ(c.indexOf(4.0), 1u);
  EXPECT_EQ(c.indexOf(std::string("outer")), std::nullopt);
  EXPECT_EQ(c.distance(0, 2), 1);
  EXPECT_EQ(c.distance(1, 1), 0);
}

TEST(ParameterTest, SingleValues) {
  EXPECT_EQ(Parameter::integer("p", 7, 7)->distance(0, 0), 0);
  EXPECT_EQ(Parameter::integer("p", 7, 7)->scaled(0), 0);
  EXPECT_EQ(Parameter::real("p", 7, 7)->scaled(7), 0);
  EXPECT_EQ(Parameter::permutation("p", 1)->size(), 1u);
  EXPECT_EQ(Parameter::permutation("p", 1)->distance(0, 0), 0);
}

TEST(ParameterTest, PermutationDistances) {
  // The pair of the paper's Fig. 3, over the maxima 6, 20 and 4.
  double p = 0, q = static_cast<double>(rankOf({3, 0, 2, 1}));
  auto distance = [&](PermutationMetric metric) {
    return Parameter::permutation("p", 4, metric)->distance(p, q);
  };
  EXPECT_DOUBLE_EQ(distance(PermutationMetric::Kendall), 4.0 / 6);
  EXPECT_DOUBLE_EQ(distance(PermutationMetric::Spearman), 14.0 / 20);
  EXPECT_DOUBLE_EQ(distance(PermutationMetric::Hamming), 3.0 / 4);
  EXPECT_DOUBLE_EQ(distance(PermutationMetric::Naive), 1);
}

TEST(ParameterTest, CoordinatesAreExact) {
  for (int n : {1, 4, 18, 19, 20}) {
    Parameter p = *Parameter::permutation("p", n);
    for (uint64_t index : {uint64_t(0), p.size() / 3, p.size() - 1})
      EXPECT_EQ(p.index(p.coordinate(index)), index) << n;
  }
  Parameter wide = *Parameter::permutation("p", 20);
  EXPECT_EQ(wide.index(-1.0), std::nullopt);
  EXPECT_EQ(wide.index(1e300), std::nullopt);
  Parameter p = *Parameter::integer("p", 0, 9);
  EXPECT_EQ(p.index(3), 3u);
  for (double outside : {-1.0, 10.0, 2.5, 1e300, -0.5, std::nan("")})
    EXPECT_EQ(p.index(outside), std::nullopt) << outside;
}

TEST(ParameterTest, Errors) {
  EXPECT_EQ(messageOf(Parameter::boolean("")), "a parameter has an empty name");
  EXPECT_EQ(messageOf(Parameter::boolean("a\nb")),
            "a parameter's name holds a control character or a backquote");
  // A byte that starts nothing, a cut sequence, an overlong one, a surrogate,
  // and one above U+10FFFF.
  for (const char *bad : {"a\xff", "a\xc3", "\xc0\x80", "\xed\xa0\x80",
                          "\xf4\x90\x80\x80", "\xe2\x82\x41", "\x80"})
    EXPECT_EQ(messageOf(Parameter::boolean(bad)),
              "a parameter's name is not valid UTF-8: rename it");
  EXPECT_TRUE(Parameter::boolean("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"));
  EXPECT_EQ(messageOf(Parameter::categorical(
                "p", {ParameterValue("a"), ParameterValue("\xff")})),
            "parameter 'p': value 2 is not valid UTF-8: change it");
  EXPECT_EQ(messageOf(Parameter::integer("p", 3, 2)),
            "parameter 'p': the lower bound 3 exceeds the upper bound 2");
  EXPECT_EQ(messageOf(Parameter::integer("p", 1, 2, 0)),
            "parameter 'p': the step must be at least 1, but is 0");
  EXPECT_EQ(messageOf(Parameter::integer("p", 0, 2, 1, true)),
            "parameter 'p': a log scale needs positive values, but the lower "
            "bound is 0");
  EXPECT_EQ(messageOf(Parameter::ordinal("p", {})),
            "parameter 'p': needs at least one value");
  EXPECT_EQ(messageOf(Parameter::ordinal("tile_m", {int64_t(16), int64_t(8)})),
            "parameter 'tile_m': values must increase, but 8 follows 16");
  EXPECT_EQ(messageOf(Parameter::ordinal("p", {int64_t(1), 1.0})),
            "parameter 'p': values must increase, but 1.0 follows 1");
  EXPECT_EQ(messageOf(Parameter::ordinal("p", {true})),
            "parameter 'p': values must be finite numbers, but one is true");
  EXPECT_EQ(messageOf(Parameter::ordinal("p", {HUGE_VAL})),
            "parameter 'p': values must be finite numbers, but one is inf");
  EXPECT_EQ(messageOf(Parameter::ordinal("p", {int64_t(0)}, true)),
            "parameter 'p': a log scale needs positive values, but one is 0");
  EXPECT_EQ(messageOf(Parameter::categorical("p", {true, true})),
            "parameter 'p': the value true is listed twice");
  EXPECT_EQ(messageOf(Parameter::categorical("p", {})),
            "parameter 'p': needs at least one value");
  EXPECT_EQ(messageOf(Parameter::categorical("p", {Permutation{3}})),
            "parameter 'p': (3,) isn't a permutation");
  EXPECT_EQ(messageOf(Parameter::real("p", 0, HUGE_VAL)),
            "parameter 'p': bounds and their difference must be finite");
  EXPECT_EQ(messageOf(Parameter::real("p", 2, 1)),
            "parameter 'p': the lower bound 2.0 exceeds the upper bound 1.0");
  EXPECT_EQ(messageOf(Parameter::real("p", -1, 1, true)),
            "parameter 'p': a log scale needs positive values, but the lower "
            "bound is -1.0");
  for (int n : {0, 21})
    EXPECT_EQ(messageOf(Parameter::permutation("p", n)),
              "parameter 'p': a permutation has 1 to 20 elements, not " +
                  std::to_string(n));
}
