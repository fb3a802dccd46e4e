//===- ExpressionTest.cpp - Tests of the expression language --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Semantics as a table: every operator, its types, its failures.
//
//===----------------------------------------------------------------------===//

#include "baco/Expression/Expression.h"

#include <gtest/gtest.h>

#include <map>

using namespace baco;

namespace {
const std::map<std::string, ParameterValue, std::less<>> variables = {
    {"a", int64_t(12)},
    {"b", int64_t(-5)},
    {"zero", int64_t(0)},
    {"big", INT64_MAX},
    {"small", INT64_MIN},
    {"x", 2.5},
    {"whole", 4.0},
    {"yes", true},
    {"no", false},
    {"mode", std::string("outer")},
    {"order", Permutation{2, 0, 1}},
    {"mm.MC", int64_t(64)},
    {"tile-m", int64_t(8)},
};
} // namespace

static const ParameterValue *lookUp(std::string_view name) {
  auto found = variables.find(name);
  return found == variables.end() ? nullptr : &found->second;
}

/// The value as text, or "error: ..." with what follows the text's quotation.
static std::string evaluate(const std::string &text) {
  Result<Expression> expression = Expression::parse(text);
  if (!expression)
    return "parse error: " + expression.error().message;
  Result<ParameterValue> value = expression->evaluate(lookUp);
  if (value)
    return toString(*value);
  std::string prefix = "in '" + text + "', ";
  EXPECT_EQ(value.error().message.substr(0, prefix.size()), prefix);
  return "error: " + value.error().message.substr(prefix.size());
}

struct Case {
  const char *text, *result;
};

class ExpressionValueTest : public testing::TestWithParam<Case> {};

TEST_P(ExpressionValueTest, Evaluates) {
  EXPECT_EQ(evaluate(GetParam().text), GetParam().result) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Arithmetic, ExpressionValueTest,
    testing::Values(
        Case{"1 + 2 * 3", "7"}, Case{"(1 + 2) * 3", "9"},
        Case{"7 - 2 - 1", "4"}, Case{"-3 + 1", "-2"}, Case{"- a", "-12"},
        Case{"--a", "12"}, Case{"2 - -3", "5"}, Case{"7 / 2", "3.5"},
        Case{"8 / 2", "4.0"}, Case{"7 // 2", "3"}, Case{"-7 // 2", "-4"},
        Case{"7 // -2", "-4"}, Case{"-7 // -2", "3"}, Case{"7 % 3", "1"},
        Case{"-7 % 3", "2"}, Case{"7 % -3", "-2"}, Case{"-7 % -3", "-1"},
        Case{"-6 % 3", "0"}, Case{"7.5 // 2", "3.0"}, Case{"-7.5 // 2", "-4.0"},
        Case{"-7.5 % 2", "0.5"}, Case{"7.5 % -2", "-0.5"},
        // 1.0 / 0.1 rounds to 10, but ten times the double 0.1 exceeds 1.
        Case{"1.0 // 0.1", "9.0"}, Case{"2 * 3 / 4 * 2", "3.0"},
        Case{"100 / 10 / 5", "2.0"}, Case{"100 // 7 % 4", "2"},
        Case{"1 + 2.5", "3.5"}, Case{"x * 2", "5.0"}, Case{"1e3", "1000.0"},
        Case{"1.5e-3", "0.0015"},
        Case{"9223372036854775807", "9223372036854775807"},
        Case{"-9223372036854775808", "-9223372036854775808"},
        // Exact as a whole, whatever the order.
        Case{"big + 1 - 1", "9223372036854775807"}, Case{"big * 2 * 0", "0"},
        Case{"small // -1 == 0 || yes",
             "error: column 7: the result is out of range"},
        Case{"small % -1", "0"}));

INSTANTIATE_TEST_SUITE_P(
    Failures, ExpressionValueTest,
    testing::Values(
        Case{"a / zero", "error: column 3: division by zero"},
        Case{"a // zero", "error: column 3: division by zero"},
        Case{"a % zero", "error: column 3: division by zero"},
        Case{"x / 0.0", "error: column 3: division by zero"},
        Case{"big + 1", "error: column 5: the result is out of range"},
        Case{"big * big", "error: column 5: the result is out of range"},
        Case{"-small", "error: column 1: the result is out of range"},
        Case{"abs(small)", "error: column 1: the result is out of range"},
        Case{"1e308 * 10", "error: column 7: the result is out of range"},
        Case{"pow2(63)", "error: column 1: the result is out of range"},
        Case{"pow2(-1)", "error: column 1: the result is out of range"},
        Case{"pow2(5000.0)", "error: column 1: the result is out of range"},
        Case{"log2(zero)",
             "error: column 1: logarithm of a number that isn't positive"},
        Case{"order[3]",
             "error: column 6: no such position or element in the permutation"},
        Case{"order[-1]",
             "error: column 6: no such position or element in the permutation"},
        Case{"pos(order, 3)",
             "error: column 1: no such position or element in the permutation"},
        Case{"nothing + 1", "error: column 1: 'nothing' has no value"},
        Case{"mode + 1", "error: column 6: an operand has the wrong type"},
        Case{"yes < no", "error: column 5: an operand has the wrong type"},
        Case{"!a", "error: column 1: an operand has the wrong type"},
        Case{"a && yes", "error: column 3: an operand has the wrong type"},
        Case{"a[0]", "error: column 2: an operand has the wrong type"},
        Case{"max(1, mode)",
             "error: column 1: an operand has the wrong type"}));

INSTANTIATE_TEST_SUITE_P(
    Logic, ExpressionValueTest,
    testing::Values(
        Case{"a == 12", "true"}, Case{"a != 12", "false"},
        Case{"a < 12", "false"}, Case{"a <= 12", "true"},
        Case{"a > 11", "true"}, Case{"b >= -4", "false"},
        Case{"whole == 4", "true"}, Case{"x == 2", "false"},
        Case{"yes && no", "false"}, Case{"yes || no", "true"},
        Case{"!no", "true"}, Case{"yes || no && no", "true"},
        Case{"!yes == no", "true"}, Case{"true", "true"},
        Case{"false", "false"},
        // The first operand that decides ends the evaluation.
        Case{"zero == 0 || a / zero > 1", "true"},
        Case{"zero != 0 && a / zero > 1", "false"},
        Case{"a / zero > 1 || yes", "error: column 3: division by zero"},
        Case{"mode == \"outer\"", "true"}, Case{"mode == 'inner'", "false"},
        Case{"mode == 3", "false"}, Case{"order == (2, 0, 1)", "true"},
        Case{"order == (0, 1)", "false"}, Case{"in(a, {3, 12})", "true"},
        Case{"in(a, {3, 13})", "false"},
        Case{"in(mode, {\"none\", \"outer\"})", "true"},
        Case{"in(order, {(0, 1, 2), (2, 0, 1)})", "true"},
        Case{"in(whole, {4})", "true"}, Case{"in(a, {12, 1 / zero})", "true"},
        // Exact where a double would round.
        Case{"big == 9223372036854775807.0", "false"},
        Case{"big < 9223372036854775807.0", "true"},
        Case{"9007199254740993 > 9007199254740992.0", "true"},
        Case{"small == -9223372036854775808.0", "true"},
        Case{"-3 < -2.5", "true"}, Case{"-2 > -2.5", "true"}));

INSTANTIATE_TEST_SUITE_P(
    Functions, ExpressionValueTest,
    testing::Values(
        Case{"min(3, 1, 2)", "1"}, Case{"max(3, 1, 2.5)", "3"},
        Case{"max(1, 2.5)", "2.5"}, Case{"abs(b)", "5"}, Case{"abs(-x)", "2.5"},
        Case{"log2(8)", "3.0"}, Case{"log2(0.5)", "-1.0"},
        Case{"pow2(10)", "1024"}, Case{"pow2(0)", "1"},
        Case{"pow2(62)", "4611686018427387904"},
        Case{"pow2(0.5) == 1.4142135623730951", "true"},
        Case{"is_pow2(64)", "true"}, Case{"is_pow2(12)", "false"},
        Case{"is_pow2(0)", "false"}, Case{"is_pow2(-4)", "false"},
        Case{"is_pow2(whole)", "true"}, Case{"is_pow2(0.5)", "false"},
        Case{"divides(4, a)", "true"}, Case{"divides(5, a)", "false"},
        Case{"divides(0, 0)", "true"}, Case{"divides(0, a)", "false"},
        Case{"divides(-3, a)", "true"}, Case{"divides(-1, small)", "true"},
        Case{"divides(2.5, 10)", "true"}, Case{"divides(2.5, 11)", "false"},
        Case{"divides(12 / 5, 24)", "false"},
        Case{"is_multiple_of(a, 4)", "true"},
        Case{"is_multiple_of(4, a)", "false"}, Case{"less_than(1, 2)", "true"},
        Case{"greater_than(1, 2)", "false"}, Case{"equal(a, 12)", "true"},
        Case{"unequal(a, 12)", "false"}, Case{"order[0]", "2"},
        Case{"order[1 + 1]", "1"}, Case{"pos(order, 2)", "0"},
        Case{"pos(order, 0)", "1"}, Case{"pos(order, 1)", "2"},
        Case{"mm.MC // `tile-m`", "8"}));

INSTANTIATE_TEST_SUITE_P(
    Syntax, ExpressionValueTest,
    testing::Values(
        Case{"", "parse error: in '', column 1: expected a value, but the "
                 "expression ends"},
        Case{"1 +", "parse error: in '1 +', column 4: expected a value, but "
                    "the expression ends"},
        Case{"1 2", "parse error: in '1 2', column 3: expected an operator or "
                    "the end, but found '2'"},
        Case{"(1", "parse error: in '(1', column 3: expected ')', but the "
                   "expression ends"},
        Case{"a = 1", "parse error: in 'a = 1', column 3: '=' isn't an "
                      "operator; write '=='"},
        Case{"yes & no", "parse error: in 'yes & no', column 5: '&' isn't an "
                         "operator; write '&&'"},
        Case{"yes | no", "parse error: in 'yes | no', column 5: '|' isn't an "
                         "operator; write '||'"},
        Case{"1 < 2 < 3", "parse error: in '1 < 2 < 3', column 7: comparisons "
                          "can't be chained; write 'a < b && b < c'"},
        Case{"divide(1, 2)",
             "parse error: in 'divide(1, 2)', column 1: unknown function "
             "'divide'; did you mean 'divides'?"},
        Case{
            "xyzzyx(1)",
            "parse error: in 'xyzzyx(1)', column 1: unknown function 'xyzzyx'"},
        Case{"abs(1, 2)", "parse error: in 'abs(1, 2)', column 1: 'abs' takes "
                          "1 operand, not 2"},
        Case{"min(1)", "parse error: in 'min(1)', column 1: 'min' takes at "
                       "least 2 operands, not 1"},
        Case{"in(a, 3)", "parse error: in 'in(a, 3)', column 7: expected ', "
                         "{', but found '3'"},
        Case{"order[0, 1]", "parse error: in 'order[0, 1]', column 6: a "
                            "permutation is read with one index"},
        Case{"(0, 2)", "parse error: in '(0, 2)', column 1: a permutation "
                       "holds each of 0 to 1 once"},
        Case{"'abc",
             "parse error: in ''abc', column 1: the quotation isn't closed"},
        Case{"9223372036854775808",
             "parse error: in '9223372036854775808', column 1: the integer "
             "doesn't fit 64 bits"},
        Case{"1e999",
             "parse error: in '1e999', column 1: the number is out of range"},
        Case{"3mm", "parse error: in '3mm', column 2: a name can't start with "
                    "a digit; write it between backquotes"},
        Case{"a ? 1",
             "parse error: in 'a ? 1', column 3: unexpected character"},
        Case{"a\n$", "parse error: in 'a $', column 3: unexpected character"}));

TEST(ExpressionTest, VariablesInOrderOfFirstUse) {
  auto e = Expression::parse("c + a * c > min(b, a) && `d e` == true");
  ASSERT_TRUE(e) << e.error().message;
  EXPECT_EQ(e->variables(), (std::vector<std::string>{"c", "a", "b", "d e"}));
  EXPECT_EQ(e->text(), "c + a * c > min(b, a) && `d e` == true");
}

TEST(ExpressionTest, NoVariables) {
  auto e = Expression::parse("1 + 1");
  ASSERT_TRUE(e);
  EXPECT_TRUE(e->variables().empty());
}

TEST(ExpressionTest, DeepNestingIsRefused) {
  for (const char *unit : {"(", "-", "!", "abs(", "a[", "in(1, {"}) {
    std::string text;
    for (int i = 0; i < 100'000; ++i)
      text += unit;
    EXPECT_FALSE(Expression::parse(text)) << unit;
  }
  std::string chain = "1";
  for (int i = 0; i < 1000; ++i)
    chain += " % 7";
  auto e = Expression::parse(chain);
  ASSERT_FALSE(e);
  EXPECT_NE(e.error().message.find("nested too deeply"), std::string::npos);
}

TEST(ExpressionTest, LongChainsAreFine) {
  std::string sum = "a", logic = "yes";
  for (int i = 0; i < 10'000; ++i) {
    sum += " + 1";
    logic += " && yes";
  }
  EXPECT_EQ(evaluate(sum), "10012");
  EXPECT_EQ(evaluate(logic), "true");
}

TEST(ExpressionTest, ValuesAreWrittenAsTheyAreRead) {
  for (const ParameterValue &value :
       {ParameterValue(true), ParameterValue(int64_t(-3)),
        ParameterValue(INT64_MIN), ParameterValue(0.1), ParameterValue(-2.0),
        ParameterValue(1e300), ParameterValue(5e-324),
        ParameterValue(std::string("a \"quoted\" \\ text\n\twith 'all'")),
        ParameterValue(std::string()), ParameterValue(Permutation{0}),
        ParameterValue(Permutation{2, 1, 0})}) {
    auto e = Expression::parse(toString(value));
    ASSERT_TRUE(e) << e.error().message;
    auto back = e->evaluate(lookUp);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, value) << toString(value);
  }
}

TEST(ExpressionTest, NamesAreWrittenAsTheyAreRead) {
  EXPECT_EQ(variableText("MC"), "MC");
  EXPECT_EQ(variableText("mm.tile_0"), "mm.tile_0");
  EXPECT_EQ(variableText("tile-m"), "`tile-m`");
  EXPECT_EQ(variableText("0a"), "`0a`");
  EXPECT_EQ(variableText("true"), "`true`");
  EXPECT_EQ(variableText(" a"), "` a`");
  for (const char *name : {"MC", "tile-m", "true", "a b", "in"}) {
    auto e = Expression::parse(variableText(name));
    ASSERT_TRUE(e) << e.error().message;
    EXPECT_EQ(e->variables(), std::vector<std::string>{name});
  }
}

TEST(ExpressionTest, PermutationsOfCallersAreNotTrusted) {
  auto e = Expression::parse("pos(p, 1)");
  ASSERT_TRUE(e);
  ParameterValue wrong = Permutation{0, 0};
  auto value = e->evaluate([&](std::string_view) { return &wrong; });
  EXPECT_FALSE(value);
}
