//===- UnsatCoreTest.cpp - Constraints that clash -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomSpaces.h"

#include <set>

using namespace baco;
using namespace baco::testing;

TEST(UnsatCoreTest, ClashesAreMinimal) {
  RandomSpaces spaces(6, 500);
  for (int i = 0; i < 60;) {
    RandomSpace source = spaces.next();
    SCOPED_TRACE(source.text);
    Result<Space> space =
        Space::create(source.parameters, source.constraints, source.conditions);
    if (space || space.error().code != ErrorCode::EmptySpace)
      continue;
    ++i;
    // The named constraints alone clash; without any one of them, they don't.
    // (Equal texts could hide a constraint that isn't named.)
    std::vector<Constraint> named;
    std::set<std::string> texts;
    for (const Constraint &constraint : source.constraints)
      if (space.error().message.find("constraint '" +
                                     constraint.expression.text() + "'") !=
              std::string::npos &&
          texts.insert(constraint.expression.text()).second)
        named.push_back(constraint);
    std::vector<Condition> conditions;
    if (space.error().message.find("the condition") != std::string::npos)
      conditions = source.conditions;
    auto isEmpty = [&](const std::vector<Constraint> &some) {
      auto result = Space::create(source.parameters, some, conditions);
      return !result && result.error().code == ErrorCode::EmptySpace;
    };
    EXPECT_TRUE(isEmpty(named)) << space.error().message;
    for (size_t k = 0; k < named.size(); ++k) {
      std::vector<Constraint> fewer = named;
      fewer.erase(fewer.begin() + k);
      EXPECT_FALSE(isEmpty(fewer)) << space.error().message;
    }
  }
}
