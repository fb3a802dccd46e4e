//===- SpaceCallsTest.cpp - Tests of constraints in C++ -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expression::call in constraints and conditions.
//
//===----------------------------------------------------------------------===//

#include "SpaceTesting.h"

using namespace baco;
using namespace baco::testing;

static int64_t integer(const ParameterValue &value) {
  return std::get<int64_t>(value);
}

/// The sum of two integers is prime.
static Expression primeSum(const std::string &a, const std::string &b) {
  return Expression::call("prime_sum", {a, b},
                          [](std::span<const ParameterValue> x) {
                            int64_t n = integer(x[0]) + integer(x[1]);
                            for (int64_t d = 2; d * d <= n; ++d)
                              if (n % d == 0)
                                return false;
                            return n > 1;
                          });
}

static std::vector<Parameter> twoNumbers() {
  return {*Parameter::integer("a", 1, 4), *Parameter::integer("b", 1, 4)};
}

TEST(SpaceCallsTest, ConstrainTheTree) {
  Result<Space> space =
      Space::create(twoNumbers(), {{primeSum("a", "b"), "", "", false},
                                   {parse("a <= b"), "", "", false}});
  ASSERT_TRUE(space) << space.error().message;
  // 1 + 1, 1 + 2, 1 + 4, 2 + 3, 3 + 4.
  EXPECT_EQ(space->count(), "5");
  EXPECT_TRUE(space->isFeasible({0, 3}));
  EXPECT_FALSE(space->isFeasible({0, 2}));
  EXPECT_EQ(space->groups().size(), 1u);
}

TEST(SpaceCallsTest, Explain) {
  Result<Space> space = Space::create(
      twoNumbers(), {{primeSum("a", "b"), "only primes", "f.cpp:1:2", false}});
  ASSERT_TRUE(space);
  EXPECT_EQ(space->check({int64_t(1), int64_t(3)}).error().message,
            "constraint 'prime_sum(a, b)' (only primes; f.cpp:1:2) is violated "
            "by a = 1, b = 3");
  EXPECT_TRUE(space->check({int64_t(1), int64_t(2)}));
}

TEST(SpaceCallsTest, NeverTrue) {
  Expression never = Expression::call(
      "never", {"a"}, [](std::span<const ParameterValue>) { return false; });
  Result<Space> space =
      Space::create(twoNumbers(), {{never, "", "", false},
                                   {primeSum("a", "b"), "", "", false}});
  ASSERT_FALSE(space);
  EXPECT_EQ(space.error().code, ErrorCode::EmptySpace);
  EXPECT_EQ(space.error().message,
            "no configuration is feasible: constraint 'never(a)' is never "
            "true");
  // Nor does code that reads nothing.
  Expression constant = Expression::call(
      "constant", {}, [](std::span<const ParameterValue>) { return false; });
  EXPECT_EQ(errorOf(Space::create(twoNumbers(), {{constant, "", "", false}})),
            "no configuration is feasible: constraint 'constant()' is never "
            "true");
}

TEST(SpaceCallsTest, ClashWithOthers) {
  Result<Space> space =
      Space::create(twoNumbers(), {{primeSum("a", "b"), "", "", false},
                                   {parse("a == 4"), "", "", false},
                                   {parse("b % 2 == 0"), "even", "", false}});
  EXPECT_EQ(errorOf(space),
            "no configuration is feasible: constraint 'prime_sum(a, b)', "
            "constraint 'a == 4' and constraint 'b % 2 == 0' (even) contradict "
            "each other");
}

TEST(SpaceCallsTest, SeeTheValuesOfTheParameters) {
  std::vector<ParameterValue> seen;
  Expression see =
      Expression::call("see", {"mode", "order", "flag", "x", "mode"},
                       [&](std::span<const ParameterValue> values) {
                         seen.assign(values.begin(), values.end());
                         return true;
                       });
  Result<Space> space = Space::create(
      {categorical("mode", {"row"}), *Parameter::permutation("order", 1),
       *Parameter::boolean("flag"), *Parameter::ordinal("x", {0.5})},
      {{parse("flag"), "", "", false}, {see, "", "", false}}, {},
      /*maxThreads=*/1);
  ASSERT_TRUE(space) << space.error().message;
  EXPECT_EQ(seen,
            (std::vector<ParameterValue>{std::string("row"), Permutation{0},
                                         true, 0.5, std::string("row")}));
}

TEST(SpaceCallsTest, DecideAboutOtherParameters) {
  Expression large =
      Expression::call("large", {"a"}, [](std::span<const ParameterValue> x) {
        return integer(x[0]) > 2;
      });
  Result<Space> space = Space::create(twoNumbers(), {}, {{"b", large}});
  ASSERT_TRUE(space) << space.error().message;
  EXPECT_EQ(space->count(), "10"); // 1 + 1 + 4 + 4
  EXPECT_FALSE(space->isActive({0, 0}, 1));
  EXPECT_TRUE(space->isActive({2, 0}, 1));
}

// What is known of one must not stand for the other.
TEST(SpaceCallsTest, OneNameForTwoPiecesOfCode) {
  auto test = [](int64_t limit) {
    return Expression::call("test", {"a"},
                            [limit](std::span<const ParameterValue> x) {
                              return integer(x[0]) <= limit;
                            });
  };
  Result<Space> space = Space::create({*Parameter::integer("a", 1, 4),
                                       *Parameter::integer("b", 1, 4),
                                       *Parameter::integer("c", 1, 4)},
                                      {}, {{"b", test(1)}, {"c", test(3)}});
  ASSERT_TRUE(space) << space.error().message;
  EXPECT_EQ(space->count(), "25"); // 16 + 4 + 4 + 1
}

TEST(SpaceCallsTest, ReadReals) {
  Expression inCircle = Expression::call(
      "in_circle", {"x", "y"}, [](std::span<const ParameterValue> p) {
        double x = std::get<double>(p[0]), y = std::get<double>(p[1]);
        return x * x + y * y < 1;
      });
  Result<Space> space = Space::create(
      {*Parameter::real("x", -1, 1), *Parameter::real("y", -1, 1)},
      {{inCircle, "", "", false}});
  ASSERT_TRUE(space) << space.error().message;
  EXPECT_TRUE(space->isFeasible({0.6, 0.7}));
  EXPECT_FALSE(space->isFeasible({0.8, 0.7}));
}

TEST(SpaceCallsTest, Errors) {
  EXPECT_EQ(errorOf(Space::create(twoNumbers(),
                                  {{primeSum("a", "bb"), "", "", false}})),
            "constraint 'prime_sum(a, bb)' reads 'bb', which isn't a "
            "parameter; did you mean 'b'?");
  Expression call = primeSum("tile-m", "b");
  EXPECT_TRUE(call.isCall());
  EXPECT_FALSE(parse("a + b").isCall());
  EXPECT_EQ(call.text(), "prime_sum(`tile-m`, b)");
  auto renamed = call.substituted(
      [](const std::string &name) { return Expression::variable(name); });
  ASSERT_FALSE(renamed);
  EXPECT_EQ(renamed.error().message,
            "'prime_sum(`tile-m`, b)' is C++ code, which can't be rewritten");
  ParameterValue four = int64_t(4);
  auto value = call.evaluate(
      [&](std::string_view name) { return name == "b" ? &four : nullptr; });
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().message, "in 'prime_sum(`tile-m`, b)', column 1: "
                                   "'tile-m' has no value");
}
