//===- PythonListTest.cpp - Lists of values in Python ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Format/Python.h"

#include "baco/Format/Numexpr.h"
#include "baco/Space/Space.h"

#include <gtest/gtest.h>

using namespace baco;

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
  for (const ParameterValue &value : list->values)
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
