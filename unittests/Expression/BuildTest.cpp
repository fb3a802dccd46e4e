//===- BuildTest.cpp - Tests of built expressions -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A built expression is what the parser makes of its text: the same nodes, at
// the same columns.
//
//===----------------------------------------------------------------------===//

#include "baco/Expression/Tree.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::expression;

/// All nodes of the tree, with the columns that failures name.
static std::string dump(const Expression &expression) {
  const Tree &tree = expression.tree();
  std::string text = tree.text + "\n";
  for (const Node &node : tree.nodes) {
    text += std::to_string(static_cast<int>(node.op)) + " at " +
            std::to_string(node.column) + " depth " +
            std::to_string(node.depth) + (node.enclosed ? " enclosed" : "");
    if (node.op == Op::Literal)
      text += " " + toString(valueOf(node.literal));
    if (node.op == Op::Variable)
      text += " " + tree.variables[node.variable];
    for (const Operand &operand : tree.operandsOf(node))
      text += (operand.subtracted ? " -" : " ") + std::to_string(operand.node);
    text += "\n";
  }
  for (const std::string &name : tree.variables)
    text += name + " ";
  return text;
}

static void expectParsed(const Expression &built, const std::string &text) {
  Result<Expression> parsed = Expression::parse(text);
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(dump(built), dump(*parsed));
}

static Expression parse(const char *text) {
  Result<Expression> parsed = Expression::parse(text);
  EXPECT_TRUE(parsed) << parsed.error().message;
  return *parsed;
}

static const Expression a = Expression::variable("a"),
                        b = Expression::variable("b"),
                        p = Expression::variable("odd name");

TEST(BuildTest, LiteralsAndVariables) {
  expectParsed(a, "a");
  expectParsed(p, "`odd name`");
  expectParsed(3, "3");
  expectParsed(INT64_MIN, "-9223372036854775808");
  for (const ParameterValue &value : std::initializer_list<ParameterValue>{
           int64_t(-3), 2.5, -2.5, 4.0, true, std::string("a\"b"),
           Permutation{1, 0}, Permutation{0}})
    expectParsed(Expression::literal(value), toString(value));
  EXPECT_EQ(Expression(-3).asInteger(), -3);
  EXPECT_EQ(Expression::literal(2.0).asInteger(), std::nullopt);
  EXPECT_EQ(a.asInteger(), std::nullopt);
}

TEST(BuildTest, ParenthesesOnlyWhereOperatorsBindTighter) {
  expectParsed(a + b * 2, "a + b * 2");
  expectParsed((a + b) * 2, "(a + b) * 2");
  expectParsed(a - (b - 2), "a - (b - 2)");
  expectParsed(a - b - 2, "a - b - 2");
  expectParsed(floorDivide(a, b) * -2, "a // b * -2");
  expectParsed(a * floorDivide(b, 2) % 4, "a * (b // 2) % 4");
  expectParsed(Expression::infix(a, "/", b) >= 1, "a / b >= 1");
  expectParsed(!(a == b) || (a < 1 || b > 2) && a != 0,
               "!(a == b) || (a < 1 || b > 2) && a != 0");
  expectParsed((a <= b).enclosed() == (b <= a), "(a <= b) == (b <= a)");
  expectParsed(-a + -(a + b) - -b, "-a + -(a + b) - -b");
  expectParsed(-Expression(3), "-3");
  expectParsed(-Expression(3).enclosed(), "-(3)");
  expectParsed(-Expression(-3), "--3");
  expectParsed(a.enclosed().enclosed() + parse("min(a, b)"),
               "((a)) + min(a, b)");
}

TEST(BuildTest, Chains) {
  expectParsed((a == 1 && b == 1) && (a == 2 && b == 2),
               "a == 1 && b == 1 && a == 2 && b == 2");
  expectParsed(a * b * 3, "a * b * 3");
  // Reals round: an operator alone keeps the order, a chain needn't.
  expectParsed(a + (b + 3), "a + (b + 3)");
  expectParsed(Expression::chain("+", std::vector{a, b - 3, -b}),
               "a + b - 3 + -b");
  expectParsed(Expression::chain("*", std::vector{a, b * 3}), "a * b * 3");
  expectParsed(Expression::chain("*", std::vector{a, floorDivide(b, 3) * 2}),
               "a * (b // 3 * 2)");
  expectParsed(Expression::chain("*", std::vector{a % b, b}), "a % b * b");
  expectParsed(Expression::chain("||", std::vector{a}), "a");
}

TEST(BuildTest, Calls) {
  expectParsed(Expression::function("max", std::vector{a + 1, b, a}),
               "max(a + 1, b, a)");
  expectParsed(Expression::function("is_multiple_of", std::vector{a, b}) && a,
               "is_multiple_of(a, b) && a");
  expectParsed(!Expression::in(p, std::vector<Expression>{1, a + 1}),
               "!in(`odd name`, {1, a + 1})");
  expectParsed(Expression::element(p, a) + 1, "`odd name`[a] + 1");
}

TEST(BuildTest, Conditions) {
  expectParsed(Expression::where({}, a || b), "a || b");
  expectParsed(Expression::where(std::vector{a == 1, b || a}, a || b),
               "!(a == 1 && (b || a)) || a || b");
  expectParsed(divides(a * 2, b), "divides(a * 2, b)");
}

TEST(BuildTest, LikeIsAsWritten) {
  EXPECT_TRUE((a + b).isLike(parse("a + b")));
  EXPECT_FALSE((a + b).isLike(parse("a+b")));
  auto call = [] {
    return Expression::call("f", {"a"}, [](auto) { return true; });
  };
  Expression one = call();
  EXPECT_TRUE(one.isLike(Expression(one)));
  EXPECT_FALSE(one.isLike(call()));
}

TEST(BuildTest, TruthValuesOfLiteralsOnly) {
  EXPECT_EQ(Expression::literal(false).asBool(), false);
  EXPECT_EQ(parse("true").asBool(), true);
  EXPECT_EQ((a == a).asBool(), std::nullopt);
  EXPECT_EQ(Expression(1).asBool(), std::nullopt);
}

TEST(BuildTest, OperandsKeepTheirText) {
  expectParsed(parse("a+b") * parse(" min( a,2 )"), "(a+b) *  min( a,2 )");
}

TEST(BuildTest, TooDeep) {
  Expression deep = a;
  for (uint32_t i = 0; i < Expression::maxDepth; ++i)
    deep = !deep;
  EXPECT_FALSE(deep.isTooDeep());
  EXPECT_TRUE((!deep).isTooDeep());
}

TEST(BuildTest, SubstitutesVariablesButNotFunctionsOrStrings) {
  Expression old = parse("min(min, `odd name`) + (a) * a > 3 && mode == \"a\"");
  Result<Expression> other = old.substituted([](const std::string &name) {
    return name == "a"          ? Expression(-2)
           : name == "odd name" ? Expression::variable("f.x y")
           : name == "min"      ? a + a
                                : Expression::variable("q." + name);
  });
  ASSERT_TRUE(other) << other.error().message;
  expectParsed(*other, "min((a + a), `f.x y`) + ((-2)) * (-2) > 3 && "
                       "q.mode == \"a\"");
}
