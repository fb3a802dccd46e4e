//===- ChoiceTextTest.cpp - Reading choices -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Format/ChoiceText.h"

#include <gtest/gtest.h>

using namespace baco;

TEST(ChoiceTextTest, ValuesAreReadAsPeopleWriteThem) {
  Space space = *Space::create(
      {*Parameter::categorical(
           "c", {std::string("a b"), std::string("3"), int64_t(4)}),
       *Parameter::permutation("p", 1), *Parameter::permutation("q", 3),
       *Parameter::real("x", 0, 1), *Parameter::boolean("on")},
      {});
  Result<ChosenValues> choice = readChoice(space, "c=a b,p=[0],q=[2, 0, 1]");
  ASSERT_TRUE(choice) << choice.error().message;
  EXPECT_EQ((*choice)[0].second, ParameterValue(std::string("a b")));
  EXPECT_EQ((*choice)[1].second, ParameterValue(Permutation{0}));
  EXPECT_EQ((*choice)[2].second, ParameterValue(Permutation{2, 0, 1}));
  EXPECT_EQ((*readChoice(space, "c=\"a b\""))[0].second,
            ParameterValue(std::string("a b")));
  EXPECT_EQ((*readChoice(space, "c=3"))[0].second,
            ParameterValue(std::string("3")));
  EXPECT_EQ((*readChoice(space, "c=4"))[0].second, ParameterValue(int64_t(4)));
  EXPECT_EQ((*readChoice(space, "x=1"))[0].second, ParameterValue(1.0));
  EXPECT_EQ((*readChoice(space, "c=4, on=false"))[1].second,
            ParameterValue(false));
  EXPECT_EQ(readChoice(space, "c=3,c=4").error().message, "'c' is given twice");
  EXPECT_EQ(readChoice(space, "q=(0,1)").error().message,
            "'q' can't be (0,1): its values are orders of 3 elements, such as "
            "(0, 1, 2)");
}
