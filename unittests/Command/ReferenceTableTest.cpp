//===- ReferenceTableTest.cpp - Tests of ReferenceTable -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Command/ReferenceTable.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::command;

TEST(ReferenceTableTest, HasTheReferencesColumns) {
  Space space = *Space::create(
      {*Parameter::integer("n", 1, 8), *Parameter::permutation("order", 2)});
  std::vector<database::Trial> trials(3);
  trials[0].configuration = R"({"n":3,"order":[1,0]})";
  trials[0].outcome.emplace();
  trials[0].outcome->status = Status::Ok;
  trials[0].outcome->timeNs = 2.5;
  trials[1].number = 1;
  trials[1].configuration = R"({"n":4,"order":[0,1]})";
  trials[1].outcome.emplace();
  trials[1].outcome->status = Status::Crashed;
  // Pending.
  trials[2].configuration = R"({"n":5,"order":[0,1]})";
  EXPECT_EQ(writeReferenceTable(space, {{"time"}, "Valid"}, {}, trials,
                                {{0, 17}, {1, 20}}),
            "n,order,time,Valid,timestamp\r\n"
            "3,\"(1, 0)\",2.5,True,17\r\n"
            "4,\"(0, 1)\",,False,20\r\n");
  EXPECT_EQ(writeReferenceTable(space, {{"time"}}, {}, trials, {}),
            "n,order,time,timestamp\r\n"
            "3,\"(1, 0)\",2.5,\r\n"
            "4,\"(0, 1)\",,\r\n");
}
