//===- PythonTest.cpp - Tests of lists and conditions in Python -----------===//
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

/// The list as text: values, or the range.
static std::string listOf(std::string_view text) {
  Result<PythonList> list = parsePythonList(text);
  if (!list)
    return list.error().message;
  if (list->range)
    return std::to_string(list->range->lower) + " to " +
           std::to_string(list->range->upper) + " by " +
           std::to_string(list->range->step);
  std::string values;
  for (const Value &value : list->values)
    values += (values.empty() ? "" : " ") + toString(value);
  return values;
}

TEST(PythonListTest, Literals) {
  EXPECT_EQ(listOf("[1, -2,+3, 4.5, 'a', \"b\\'\", True, False,]"),
            R"(1 -2 3 4.5 "a" "b'" true false)");
  EXPECT_EQ(listOf("(8, 16)"), "8 16");
  EXPECT_EQ(listOf("[]"), "");
}

TEST(PythonListTest, Ranges) {
  EXPECT_EQ(listOf("range(5)"), "0 to 4 by 1");
  EXPECT_EQ(listOf("list(range(3, 35, 2))"), "3 to 34 by 2");
  EXPECT_EQ(listOf("range(10, 0, -3)"), "1 to 10 by 3");
  EXPECT_EQ(listOf("range(2**2, (1024+1) // 5, 50*2)"), "4 to 204 by 100");
  EXPECT_EQ(listOf("range(5, 5)"), "");
  EXPECT_EQ(listOf("[1] + list(range(4, 13, 4))"), "1 4 8 12");
}

TEST(PythonListTest, Comprehensions) {
  EXPECT_EQ(listOf("[128+64*i for i in range(4)]"), "128 192 256 320");
  EXPECT_EQ(listOf("[2**i for i in range(6)]"), "1 2 4 8 16 32");
  EXPECT_EQ(
      listOf("[i for i in range(1, 33) if 32 % i == 0 and not i in (2,)]"),
      "1 4 8 16 32");
  EXPECT_EQ(listOf("[k / 2 for k in [1, 3]]"), "0.5 1.5");
}

TEST(PythonListTest, RefusesOtherPython) {
  EXPECT_EQ(listOf("__import__('os').system('true')"),
            "in '__import__('os').system('true')', column 17: unexpected "
            "character");
  EXPECT_NE(listOf("x").find("column 1: expected a list"), std::string::npos);
  EXPECT_NE(listOf("").find("but the text ends"), std::string::npos);
  EXPECT_NE(listOf("[1, 2").find("expected ',' or ']'"), std::string::npos);
  EXPECT_NE(listOf("[1 2]").find("column 4: expected ','"), std::string::npos);
  EXPECT_NE(listOf("[f(i) for i in range(3)]").find("unknown function 'f'"),
            std::string::npos);
  EXPECT_NE(listOf("[1 / i for i in range(3)]").find("division by zero"),
            std::string::npos);
  EXPECT_NE(listOf("[i for for in range(3)]").find("expected a name"),
            std::string::npos);
  EXPECT_NE(listOf("range(4.5)").find("takes constant integers"),
            std::string::npos);
  EXPECT_NE(listOf("range(n)").find("unknown parameter 'n'"),
            std::string::npos);
  EXPECT_NE(listOf("range(").find("the expression ends"), std::string::npos);
  EXPECT_NE(listOf("range(0, 5, 0)").find("a step other than 0"),
            std::string::npos);
  EXPECT_NE(listOf("[99999999999999999999]").find("doesn't fit 64 bits"),
            std::string::npos);
  EXPECT_NE(listOf("[1e999]").find("out of range"), std::string::npos);
  EXPECT_NE(listOf("range(99999999999999999)").find("beyond 2^53"),
            std::string::npos);
  EXPECT_NE(listOf("[i for i in range(9999999999)]").find("more than 1048576"),
            std::string::npos);
  std::string deep(100000, '(');
  EXPECT_NE(listOf(deep).find("expected"), std::string::npos);
  std::string lists;
  for (int i = 0; i < 1000; ++i)
    lists += "list(";
  EXPECT_NE(listOf(lists).find("nested too deeply"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// a, b in {1, ..., 6}; u in {0, 1}; flag; mode; an order of three; a number
/// out of an unordered list.
static std::vector<Parameter> parameters() {
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
  Result<Space> space = Space::create(parameters(), {{*condition, "", ""}});
  return space ? space->count() : space.error().message;
}

namespace {
struct Case {
  const char *text;
  /// Of 6 * 6 * 2 * 2 * 2 * 6 * 2 = 3456, counted by Python.
  const char *count;
};
} // namespace

TEST(PythonConditionTest, MeansWhatPythonComputes) {
  const Case cases[] = {{"a % b == 0", "1344"},
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
  for (const Case &each : cases)
    EXPECT_EQ(countOf(parsePython(each.text, parameters())), each.count)
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
    Result<std::string> python = writePython(*ours, parameters());
    ASSERT_TRUE(python) << python.error().message;
    EXPECT_EQ(countOf(parsePython(*python, parameters())), countOf(ours))
        << text << " became " << *python;
  }
}

TEST(PythonConditionTest, RefusesWithTheColumn) {
  auto error = [](const char *text) {
    return countOf(parsePython(text, parameters()));
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
