//===- ClientEvaluatorTest.cpp - Tests of ClientEvaluator -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Command/ClientEvaluator.h"

#include <gtest/gtest.h>

#include <sstream>

using namespace baco;
using namespace baco::command;

static Space clientSpace() {
  return *Space::create({*Parameter::ordinal("tile", {int64_t(1), int64_t(4)}),
                         *Parameter::integer("n", 1, 8),
                         *Parameter::permutation("order", 3),
                         *Parameter::ordinal("x", {0.5, int64_t(1)})});
}

static const Configuration first = {int64_t(4), int64_t(6),
                                    Permutation{1, 2, 0}, int64_t(1)};
static const Configuration second = {int64_t(1), int64_t(8),
                                     Permutation{0, 1, 2}, 0.5};

namespace {
/// A client whose answers were recorded.
struct Recorded {
  explicit Recorded(const std::string &text,
                    study::ResultColumns columns = {{"runtime"}, "Valid"})
      : answers(text), space(clientSpace()),
        evaluator(space, std::move(columns), answers, requests) {}

  std::istringstream answers;
  std::ostringstream requests;
  const Space space;
  ClientEvaluator evaluator;
};
} // namespace

TEST(ClientEvaluatorTest, RequestsAndAnswersAreTables) {
  Recorded client("tile,n,order,x,runtime,Valid\n"
                  "4,6,(1, 2, 0),1.0,4.5,True\n"
                  "1,8,(0, 1, 2),0.5,1e9,False\n"
                  "Valid, runtime ,extra,x,order,n,tile\r\n"
                  "True,-2,a,1,(0, 1, 2),8,4\r\n");
  ASSERT_TRUE(client.evaluator.submit(0, first));
  ASSERT_TRUE(client.evaluator.submit(1, second));
  Result<Outcome> outcome = client.evaluator.wait(0);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->status, Status::Ok);
  EXPECT_EQ(outcome->timeNs, 4.5);
  outcome = client.evaluator.wait(1);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, Status::WrongResult);
  ASSERT_TRUE(client.evaluator.submit(2, first));
  outcome = client.evaluator.wait(2);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->timeNs, -2);
  EXPECT_EQ(client.requests.str(), "Request 2\n"
                                   "tile,n,order,x\n"
                                   "4,6,(1, 2, 0),1.0\n"
                                   "1,8,(0, 1, 2),0.5\n"
                                   "Request 1\n"
                                   "tile,n,order,x\n"
                                   "4,6,(1, 2, 0),1.0\n");
}

TEST(ClientEvaluatorTest, WrongAnswersAreNamed) {
  auto errorOf = [](const std::string &answer) {
    Recorded client(answer);
    EXPECT_TRUE(client.evaluator.submit(0, first));
    Result<Outcome> outcome = client.evaluator.wait(0);
    return outcome ? std::string() : outcome.error().message;
  };
  EXPECT_EQ(errorOf(""), "the client has gone before it answered a request");
  EXPECT_EQ(errorOf("tile,n,order,x,Valid\n"),
            "line 1 of the client: the header has no column 'runtime': "
            "'tile,n,order,x,Valid'");
  const std::string header = "tile,n,order,x,runtime,Valid\n";
  EXPECT_EQ(errorOf(header),
            "the client has gone before it answered a request");
  EXPECT_EQ(errorOf(header + "1,2\n"),
            "line 2 of the client: it has 2 cells, and the header 6");
  EXPECT_EQ(errorOf(header + "4,6,(1, 2, 0),1.0,fast,True\n"),
            "line 2 of the client: 'runtime' is no finite number: 'fast'");
  EXPECT_EQ(errorOf(header + "4,6,(1, 2, 0),1.0,3,true\n"),
            "line 2 of the client: 'Valid' must be 'True' or 'False', but is "
            "'true'");
  EXPECT_EQ(errorOf(header + "4,6,(1, 2, 0),1.0,nan,True\n"),
            "line 2 of the client: 'runtime' is no finite number: 'nan'");
}

TEST(ClientEvaluatorTest, TablesHaveNoQuotes) {
  auto errorOf = [](const Space &space, const study::ResultColumns &columns) {
    std::istringstream answers;
    std::ostringstream requests;
    Result<void> valid =
        ClientEvaluator(space, columns, answers, requests).check();
    return valid ? std::string() : valid.error().message;
  };
  EXPECT_EQ(errorOf(clientSpace(), {{"time"}}), "");
  EXPECT_EQ(errorOf(clientSpace(), {{"tile"}}),
            "'tile' is a parameter and a column of results");
  Space texts =
      *Space::create({*Parameter::categorical("flags", {"-O2", "-Wl,-z"})});
  EXPECT_NE(errorOf(texts, {{"time"}}).find("value '-Wl,-z' of 'flags'"),
            std::string::npos);
}

TEST(ClientEvaluatorTest, AllCandidatesMayBeFeasible) {
  Recorded client("tile,n,order,x,time\n4,6,(1, 2, 0),1.0,3\n", {{"time"}});
  ASSERT_TRUE(client.evaluator.submit(0, first));
  Result<Outcome> outcome = client.evaluator.wait(0);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->timeNs, 3);
}
