//===- StudyServerTest.cpp - Tests of StudyServer -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Command/StudyServer.h"

#include "CommandTesting.h"

#include <random>

using namespace baco;
using namespace baco::command;
using namespace baco::command::test;

namespace {
class StudyServerTest : public testing::Test {
protected:
  StudyServerTest()
      : study(*study::AskTell::open(makeSpace())), server(study, 5) {}

  Json request(const std::string &line, uint64_t client = 0) {
    Result<std::string> answer = server.answer(client, line);
    EXPECT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->find('\n'), std::string::npos);
    return Json::parse(*answer);
  }

  study::AskTell study;
  StudyServer server;
};
} // namespace

TEST_F(StudyServerTest, ClientsAskAndTell) {
  Json greeting = Json::parse(server.greet());
  EXPECT_EQ(greeting["protocol"], 1);
  EXPECT_EQ(greeting["parameters"], (Json{"tile", "text"}));
  EXPECT_EQ(request(R"({"op":"best"})")["trial"], nullptr);
  for (int i = 0; i < 5; ++i) {
    Json asked = request(R"({"op":"ask","id":"x"})");
    EXPECT_EQ(asked["trial"], i);
    EXPECT_EQ(asked["id"], "x");
    EXPECT_TRUE(asked["configuration"]["tile"].is_number());
    Json told = request(
        i == 2
            ? R"({"op":"tell","trial":2,"failure":"crashed","message":"a\nb"})"
            : R"({"op":"tell","trial":)" + std::to_string(i) + R"(,"result":)" +
                  std::to_string(-i) + "}");
    EXPECT_EQ(told["trial"], i == 2 ? 1 : i);
  }
  EXPECT_EQ(study.trials()[2].outcome->message, "a b");
  EXPECT_EQ(request(R"({"op":"ask"})")["reason"], "budget");
  EXPECT_EQ(request(R"({"op":"best"})")["result"], -4.0);
  EXPECT_TRUE(request(R"({"op":"space"})")["space"].is_object());
  EXPECT_FALSE(server.isOver());
  request(R"({"op":"quit"})");
  EXPECT_TRUE(server.isOver());
}

TEST_F(StudyServerTest, CandidatesOfClientsThatLeaveAreGivenAgain) {
  Json first = request(R"({"op":"ask"})", 1),
       second = request(R"({"op":"ask"})", 2);
  server.leave(1);
  Json again = request(R"({"op":"ask"})", 2);
  EXPECT_EQ(again["configuration"], first["configuration"]);
  EXPECT_NE(again["configuration"], second["configuration"]);
}

TEST_F(StudyServerTest, MistakesAreAnswers) {
  request(R"({"op":"ask"})");
  for (const char *line :
       {"", "x", "[]", "{}", R"({"op":"x"})", R"({"op":3})", R"({"op":"tell"})",
        R"({"op":"tell","trial":0})", R"({"op":"tell","trial":7,"result":1})",
        R"({"op":"tell","trial":-1,"result":1})",
        R"({"op":"tell","trial":0,"result":"1"})",
        R"({"op":"tell","trial":0,"result":1e999})",
        R"({"op":"tell","trial":0,"failure":"ok"})",
        R"({"op":"tell","trial":0,"failure":"unlucky"})",
        R"({"op":"tell","trial":0,"result":1,"failure":"crashed"})"})
    EXPECT_TRUE(request(line).contains("error")) << line;
  EXPECT_TRUE(request(std::string(500000, '[')).contains("error"));
  EXPECT_TRUE(request(std::string(maxRequestBytes + 1, ' ')).contains("error"));
  // Nothing of that counts.
  EXPECT_FALSE(study.trials()[0].outcome);
}

/// Bytes of valid requests in disorder never end the service, nor break the
/// study.
TEST_F(StudyServerTest, AnyBytesAreAnswered) {
  const std::string parts[] = {
      "{",        "}",           "\"op\"",      ":", "\"ask\"",
      "\"tell\"", ",",           "\"trial\"",   "0", "1e9",
      "-1",       "null",        "\"result\"",  "[", "]",
      "\xff",     "\"failure\"", "\"crashed\"", " ", "\"id\"",
      "\\",       "\"best\"",    "\0"};
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string line = "{\"op\":";
    for (unsigned n = random() % 12; n > 0; --n)
      line += parts[random() % std::size(parts)];
    if (random() % 2)
      line += "}";
    Result<std::string> answer = server.answer(random() % 3, line);
    ASSERT_TRUE(answer) << line;
    ASSERT_TRUE(Json::parse(*answer, nullptr, false).is_object()) << *answer;
  }
}
