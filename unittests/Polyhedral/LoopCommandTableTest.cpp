//===- LoopCommandTableTest.cpp - Which commands there are ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest.h"
#include "baco/LoopPlanner/LoopPlan.h"
#include "baco/Polyhedral/LoopCommand.h"

#include <gtest/gtest.h>

#include <set>

using namespace baco;
using namespace baco::polyhedral;
using namespace baco::polyhedral::test;

namespace {

TEST(LoopCommandTableTest, NamesAreUnique) {
  std::set<std::string_view> names, mnemonics;
  for (const LoopCommandInfo &info : loopCommands()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_TRUE(mnemonics.insert(info.mnemonic).second) << info.mnemonic;
    EXPECT_EQ(findByMnemonic(info.mnemonic), &infoOf(info.kind));
    std::set<std::string_view> arguments;
    for (const LoopArgument &argument : info.arguments())
      EXPECT_TRUE(arguments.insert(argument.name).second) << info.name;
  }
}

} // namespace
