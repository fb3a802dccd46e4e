//===- NumexprTest.cpp - Tests of the constraints of scenario files -------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translations are compared with the same condition written in C++, over all
// configurations of a small space.
//
//===----------------------------------------------------------------------===//

#include "baco/Format/Numexpr.h"

#include "baco/Space/Space.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

using namespace baco;

/// a, b, c in {1, ..., 5}; u in {0, 1}; flag; mode "none", "inner", "outer"; an
/// order of three.
static std::vector<Parameter> parameters() {
  return {*Parameter::integer("a", 1, 5),
          *Parameter::integer("b", 1, 5),
          *Parameter::integer("c", 1, 5),
          *Parameter::integer("u", 0, 1),
          *Parameter::boolean("flag"),
          *Parameter::categorical("mode",
                                  {std::string("none"), std::string("inner"),
                                   std::string("outer")}),
          *Parameter::permutation("p_x", 3)};
}

namespace {
/// A configuration, as the conditions in C++ see it.
struct Setting {
  int a, b, c, u;
  bool flag;
  /// The index of its value.
  int mode;
  Permutation order;

  int position(int element) const {
    int k = 0;
    while (order[k] != element)
      ++k;
    return k;
  }
};

struct Case {
  const char *text;
  bool (*condition)(const Setting &);
};
} // namespace

static Setting toSetting(const Configuration &c) {
  auto number = [&](int k) { return int(std::get<int64_t>(c[k])); };
  const std::string &mode = std::get<std::string>(c[5]);
  return {number(0),
          number(1),
          number(2),
          number(3),
          std::get<bool>(c[4]),
          mode == "none"    ? 0
          : mode == "inner" ? 1
                            : 2,
          std::get<Permutation>(c[6])};
}

/// What is left of the space under the translated constraint.
static void expectEqual(const Space &all, const Case &test) {
  Result<Expression> expression = parseNumexpr(test.text, all.parameters());
  ASSERT_TRUE(expression) << expression.error().message;
  uint64_t count = *all.countIfSmall();
  for (uint64_t k = 0; k < count; ++k) {
    Configuration c = all.toConfiguration(all.at(k));
    Result<ParameterValue> value = expression->evaluate(
        [&](std::string_view name) { return &c[*all.indexOf(name)]; });
    ASSERT_TRUE(value) << value.error().message;
    ASSERT_EQ(std::get<bool>(*value), test.condition(toSetting(c)))
        << test.text << " became " << expression->text() << " at " << k;
  }
}

TEST(NumexprTest, MeansTheSameAsTheConditionInCxx) {
  using S = const Setting &;
  const Case cases[] = {
      {"a * b <= 12", [](S s) { return s.a * s.b <= 12; }},
      {"(a > 2) & (b < 4)", [](S s) { return s.a > 2 && s.b < 4; }},
      {"(a > 2) & (b < 4) | (c == 1)",
       [](S s) { return (s.a > 2 && s.b < 4) || s.c == 1; }},
      {"(c == 1) | (a > 2) & (b < 4)",
       [](S s) { return s.c == 1 || (s.a > 2 && s.b < 4); }},
      {"((c == 1) | (a > 2)) & (b < 4)",
       [](S s) { return (s.c == 1 || s.a > 2) && s.b < 4; }},
      {"~(a == b) & (c > 2)", [](S s) { return s.a != s.b && s.c > 2; }},
      {"~((a == b) | (c > 2))", [](S s) { return s.a != s.b && s.c <= 2; }},
      // The operators on conditions bind tighter than comparisons.
      {"flag & (a > 2) == (b > 2)",
       [](S s) { return (s.flag && s.a > 2) == (s.b > 2); }},
      {"(b > 2) != flag | (a > 2)",
       [](S s) { return (s.b > 2) != (s.flag || s.a > 2); }},
      {"~flag == (a > 2)", [](S s) { return !s.flag == (s.a > 2); }},
      {"flag == True", [](S s) { return s.flag; }},
      // True division; whole division.
      {"a / b == 1.5", [](S s) { return double(s.a) / s.b == 1.5; }},
      {"a / b * b == a // b * b", [](S s) { return s.a % s.b == 0; }},
      {"a % (b * c) == 0", [](S s) { return s.a % (s.b * s.c) == 0; }},
      {"a % b * c == 2", [](S s) { return s.a % s.b * s.c == 2; }},
      {"a - b - c > 0", [](S s) { return s.a - s.b - s.c > 0; }},
      {"a - (b - c) > 5", [](S s) { return s.a - (s.b - s.c) > 5; }},
      {"+a + -b >= abs(-c + 2)",
       [](S s) { return s.a - s.b >= std::abs(2 - s.c); }},
      // Powers bind tighter than signs, and from the right.
      {"-a ** 2 + 9 == 0", [](S s) { return s.a == 3; }},
      {"a ** 2 + b ** 2 == c ** 2",
       [](S s) { return s.a * s.a + s.b * s.b == s.c * s.c; }},
      {"2 ** a == b * 4", [](S s) { return (1 << s.a) == s.b * 4; }},
      {"a ** 2 ** 2 == 16", [](S s) { return s.a == 2; }},
      {"(a + b) ** 2 == 16", [](S s) { return s.a + s.b == 4; }},
      {"c ** 0 == a ** 1", [](S s) { return s.a == 1; }},
      // Elements and positions of a permutation.
      {"p_x_0 == 2", [](S s) { return s.order[0] == 2; }},
      {"p_x_i0 < p_x_i2", [](S s) { return s.position(0) < s.position(2); }},
      // A categorical is its index.
      {"mode == 1", [](S s) { return s.mode == 1; }},
      {"mode != 1", [](S s) { return s.mode != 1; }},
      {"mode < 2", [](S s) { return s.mode < 2; }},
      {"1 > mode", [](S s) { return s.mode < 1; }},
      {"1 <= mode", [](S s) { return s.mode >= 1; }},
      {"mode == 3", [](S) { return false; }},
      {"mode >= 0", [](S) { return true; }},
      {"(mode == 'outer') | (a == 1)",
       [](S s) { return s.mode == 2 || s.a == 1; }},
      // From the recorded spaces and from BaCO's own.
      {"(u == 0) | ((a*b+14)*(b*c+14) < 400)",
       [](S s) {
         return s.u == 0 || (s.a * s.b + 14) * (s.b * s.c + 14) < 400;
       }},
      {"(u == 0) | (a % 3 != 0)", [](S s) { return s.u == 0 || s.a % 3 != 0; }},
      {"4 * a % (b * c) == 0", [](S s) { return 4 * s.a % (s.b * s.c) == 0; }},
  };
  Result<Space> all = Space::create(parameters());
  ASSERT_TRUE(all) << all.error().message;
  for (const Case &test : cases)
    expectEqual(*all, test);
}

TEST(NumexprTest, KeepsChainsWithoutParentheses) {
  Result<Expression> expression = parseNumexpr(
      "((32 * a) % (b * c) == 0) & ((a) > 1) & ~(u == 1)", parameters());
  ASSERT_TRUE(expression) << expression.error().message;
  EXPECT_EQ(expression->text(), "32 * a % (b * c) == 0 && a > 1 && !(u == 1)");
}

TEST(NumexprTest, ReadsNamesThatAreOnlyQuotedInOurLanguage) {
  std::vector<Parameter> odd = {*Parameter::integer("true", 0, 3)};
  Result<Expression> expression = parseNumexpr("true < 3", odd);
  ASSERT_TRUE(expression) << expression.error().message;
  EXPECT_EQ(expression->variables(), std::vector<std::string>{"true"});
}

TEST(NumexprTest, RefusesWithTheColumn) {
  struct Refusal {
    const char *text;
    ErrorCode code;
    const char *message;
  };
  const Refusal refusals[] = {
      {"a > 1 & b > 2", ErrorCode::Unsupported,
       "column 7: '&' takes conditions, not numbers; it binds tighter than "
       "comparisons: write each of them between parentheses"},
      {"~a == 1", ErrorCode::Unsupported,
       "column 1: '~' takes conditions, not numbers; it binds tighter than "
       "comparisons: write each of them between parentheses"},
      {"1 < a < 3", ErrorCode::InvalidArgument,
       "column 7: comparisons can't be chained; write '(a < b) & (b < c)'"},
      {"a == 1 and b == 2", ErrorCode::InvalidArgument,
       "column 8: expected an operator or the end, but found 'and'"},
      {"not (a == 1)", ErrorCode::InvalidArgument,
       "column 1: 'not' isn't an operator of numexpr; write '&', '|' or '~'"},
      {"sqrt(a) == 2", ErrorCode::Unsupported,
       "column 1: unknown function 'sqrt': constraints can call 'abs' only"},
      {"a ** b == 4", ErrorCode::Unsupported,
       "column 3: '**' takes a constant whole exponent, or a base of 2"},
      {"(a > 1) + (b > 1) == 1", ErrorCode::Unsupported,
       "column 9: '+' takes numbers only"},
      {"mode + 1 == 2", ErrorCode::Unsupported,
       "column 6: a categorical can only be compared with the index of a value "
       "or a string, but it is an operand of '+'"},
      {"mode", ErrorCode::Unsupported,
       "column 1: a categorical isn't a condition"},
      {"p_x == 1", ErrorCode::Unsupported,
       "column 1: a permutation is read by element or position: write 'p_x_0' "
       "or 'p_x_i0'"},
      {"p_x_3 == 1", ErrorCode::InvalidArgument,
       "column 1: 'p_x_3' isn't an element of 'p_x', which has 3"},
      {"p_x_i == 1", ErrorCode::InvalidArgument,
       "column 1: 'p_x_i' isn't an element of 'p_x', which has 3"},
      {"flags & (a > 1)", ErrorCode::InvalidArgument,
       "column 1: unknown parameter 'flags'; did you mean 'flag'?"},
      {"(a > 1", ErrorCode::InvalidArgument,
       "column 7: expected ')', but the expression ends"},
      {"a = 1", ErrorCode::InvalidArgument,
       "column 3: '=' isn't an operator; write '=='"},
      {"(a > 1) && (b > 1)", ErrorCode::InvalidArgument,
       "column 10: expected a value, but found '&'"},
      {"", ErrorCode::InvalidArgument,
       "column 1: expected a value, but the expression ends"},
  };
  for (const Refusal &refusal : refusals) {
    Result<Expression> expression = parseNumexpr(refusal.text, parameters());
    ASSERT_FALSE(expression) << refusal.text;
    EXPECT_EQ(expression.error().code, refusal.code) << refusal.text;
    EXPECT_EQ(expression.error().message,
              "in '" + std::string(refusal.text) + "', " + refusal.message);
  }
}

TEST(NumexprTest, BoundsDepthAndLength) {
  EXPECT_FALSE(parseNumexpr(std::string(100000, '(') + "a", parameters()));
  EXPECT_FALSE(parseNumexpr(std::string(100000, '-') + "a", parameters()));
  EXPECT_FALSE(parseNumexpr("((a ** 999) ** 999) ** 999 > 1", parameters()));
  EXPECT_FALSE(parseNumexpr("a ** 99999999999 > 1", parameters()));
}
