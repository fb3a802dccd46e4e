//===- PythonWriterTest.cpp - Conditions in Python and back ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What lists and conditions mean was computed with Python 3.11.
//
//===----------------------------------------------------------------------===//

#include "baco/Format/Python.h"

#include "baco/Format/Numexpr.h"
#include "baco/Space/Space.h"

#include <gtest/gtest.h>

using namespace baco;

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// a, b in {1, ..., 6}; u in {0, 1}; flag; mode; an order of three; a number
/// out of an unordered list.
static std::vector<Parameter> conditionParameters() {
  return {*Parameter::integer("a", 1, 6),
          *Parameter::integer("b", 1, 6),
          *Parameter::integer("u", 0, 1),
          *Parameter::boolean("flag"),
          *Parameter::categorical("mode",
                                  {std::string("row"), std::string("it's")}),
          *Parameter::permutation("order", 3),
          *Parameter::categorical("n", {int64_t(3), int64_t(1)})};
}

/// How many configurations meet the condition; an error's message.
static std::string countOf(Result<Expression> condition) {
  if (!condition)
    return condition.error().message;
  Result<Space> space =
      Space::create(conditionParameters(), {{*condition, "", ""}});
  return space ? space->count() : space.error().message;
}

namespace {
struct PythonCase {
  const char *text;
  /// Of 6 * 6 * 2 * 2 * 2 * 6 * 2 = 3456, counted by Python.
  const char *count;
};
} // namespace

TEST(PythonConditionTest, MeansWhatPythonComputes) {
  const PythonCase cases[] = {
      {"a % b == 0", "1344"},
      {"u == 0 or a % 2 != 0", "2592"},
      {"1 < a <= b < 5", "576"},
      {"not a == b and u", "1440"},
      {"not (a > 3 or flag)", "864"},
      {"a in [1, 3, 9]", "1152"},
      {"a not in (1, 2,)", "2304"},
      {"mode == 'it\\'s' or mode in ['col']", "1728"},
      {"flag == 1 or u == True", "2592"},
      {"a / 2 == b - 0.5", "288"},
      {"-a // 4 == -2", "1152"},
      {"min(a, b) ** 2 + max(a, b, 2) > abs(b - 9)", "2400"},
      {"order.index('2') < int(order[0])", "1152"},
      {"order in ['012', '210'] or order == '102'", "1728"},
      {"a + n * 2 >= 8 and n != 3", "288"},
      {"(a > 2) & (b > 2) | (u == 1)", "2496"}};
  for (const PythonCase &each : cases)
    EXPECT_EQ(countOf(parsePython(each.text, conditionParameters())),
              each.count)
        << each.text;
}

TEST(PythonConditionTest, RoundTrips) {
  const char *const texts[] = {
      "a - (b - 1) - -u > 2 || !(flag == false && a < b)",
      "divides(b, a) && divides(u, a - 1)",
      "is_pow2(a) || pow2(a) * (b + 1) <= 8",
      "a // (b * 2) % 3 == 1 || (a < b) == flag",
      "pos(order, 1) < order[2] && in(order, {(0, 1, 2), (2, 1, 0)})",
      "mode == \"it's\" || in(a, {1, 2}) && min(a, b, 3) >= abs(a - b) / 2",
      "!flag && (a > 2 || b > 2) && n == 3"};
  for (const char *text : texts) {
    Result<Expression> ours = Expression::parse(text);
    ASSERT_TRUE(ours) << ours.error().message;
    Result<std::string> python = writePython(*ours, conditionParameters());
    ASSERT_TRUE(python) << python.error().message;
    EXPECT_EQ(countOf(parsePython(*python, conditionParameters())),
              countOf(ours))
        << text << " became " << *python;
  }
}

TEST(PythonConditionTest, RefusesWithTheColumn) {
  auto error = [](const char *text) {
    return countOf(parsePython(text, conditionParameters()));
  };
  EXPECT_EQ(error("a <"), "in 'a <', column 4: expected a value, but the "
                          "expression ends");
  EXPECT_NE(error("c > 1").find("unknown parameter 'c'"), std::string::npos);
  EXPECT_NE(error("a and or b").find("found 'or'"), std::string::npos);
  EXPECT_NE(error("a & 1").find("takes conditions"), std::string::npos);
  EXPECT_NE(error("mode < 'row'").find("has no order"), std::string::npos);
  EXPECT_NE(error("mode").find("isn't a condition"), std::string::npos);
  EXPECT_NE(error("order == '01'").find("isn't an order of 3"),
            std::string::npos);
  EXPECT_NE(error("int(order[3]) > 0").find("isn't an element"),
            std::string::npos);
  EXPECT_NE(error("mode.index('0') > 0").find("isn't a permutation"),
            std::string::npos);
  EXPECT_NE(error("int(a) > 0").find("column"), std::string::npos);
  EXPECT_NE(error("a in b").find("expected a list"), std::string::npos);
  EXPECT_NE(error("len([1]) > a").find("unknown function 'len'"),
            std::string::npos);
  EXPECT_NE(error("lambda: a").find("column"), std::string::npos);
  for (const char *part : {"(", "not ", "-"}) {
    std::string deep;
    for (int i = 0; i < 100000; ++i)
      deep += part;
    std::string message = error(deep.c_str());
    EXPECT_NE(message.find("nested too deeply"), std::string::npos);
    // Of a long text only the part around the column is quoted.
    EXPECT_LT(message.size(), 300u);
    EXPECT_EQ(message.substr(0, 7), "in '...");
  }
  std::string blanks(300, ' ');
  EXPECT_NE(error((blanks + "a b" + blanks).c_str()).find("  a b  "),
            std::string::npos);
}

TEST(PythonConditionTest, CannotWriteAll) {
  auto error = [](const Expression &expression) {
    Result<std::string> text =
        writePython(expression, {*Parameter::integer("a", 1, 2),
                                 *Parameter::integer("first.tile", 1, 2)});
    return text ? *text : text.error().message;
  };
  EXPECT_NE(error(*Expression::parse("log2(a) > 1")).find("logarithms"),
            std::string::npos);
  EXPECT_NE(error(*Expression::parse("first.tile > 1"))
                .find("'first.tile' isn't a name"),
            std::string::npos);
  EXPECT_NE(error(Expression::call("f", {"a"}, [](auto) { return true; }))
                .find("C++ code"),
            std::string::npos);
}
