//===- FailureRulesTest.cpp - Tests of FailureRules -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Command/FailureRules.h"

#include <gtest/gtest.h>

#include <csignal>

using namespace baco;
using namespace baco::command;

static CommandEnd endWith(CommandEnd::Kind kind, int code,
                          std::string output = "", std::string errors = "") {
  CommandEnd end;
  end.kind = kind;
  end.code = code;
  end.output = std::move(output);
  end.errors = std::move(errors);
  return end;
}

static std::string rulesError(const std::string &rules) {
  Result<FailureRules> parsed = FailureRules::parse(rules);
  return parsed ? "" : parsed.error().message;
}

TEST(FailureRulesTest, TheFirstRuleDecides) {
  Result<FailureRules> rules =
      FailureRules::parse("wrong-result:exit=3;out-of-memory:signal=KILL;"
                          "wrong-result:output=^FAIL;timed-out:output=FAIL");
  ASSERT_TRUE(rules) << rules.error().message;
  using enum CommandEnd::Kind;
  EXPECT_EQ(rules->find(endWith(Exited, 3)), Status::WrongResult);
  EXPECT_EQ(rules->find(endWith(Exited, 2)), std::nullopt);
  EXPECT_EQ(rules->find(endWith(Signaled, SIGKILL)), Status::OutOfMemory);
  // The number of a signal is no exit code.
  EXPECT_EQ(rules->find(endWith(Signaled, 3)), std::nullopt);
  EXPECT_EQ(rules->find(endWith(Exited, 0, "a\nFAIL: x\n")),
            Status::WrongResult);
  EXPECT_EQ(rules->find(endWith(Exited, 0, "", "no FAIL")), Status::TimedOut);
}

TEST(FailureRulesTest, MistakesAreNamed) {
  EXPECT_EQ(rulesError(""), "");
  EXPECT_NE(rulesError("crashed").find("rule 'crashed': it must be"),
            std::string::npos);
  EXPECT_NE(rulesError("ok:exit=1").find("the kinds are"), std::string::npos);
  EXPECT_NE(rulesError("crashed:exit=256").find("0 to 255"), std::string::npos);
  EXPECT_NE(rulesError("crashed:signal=NONE").find("no such signal"),
            std::string::npos);
  EXPECT_NE(rulesError("crashed:output=(").find("no regular expression"),
            std::string::npos);
  EXPECT_NE(rulesError("crashed:code=1").find("exit=, signal= or output="),
            std::string::npos);
}

TEST(FailureRulesTest, EndsAreDescribedInOneLine) {
  using enum CommandEnd::Kind;
  EXPECT_EQ(describeEnd(endWith(Exited, 2, "out\n", "a\nno such tile\n\n")),
            "exit code 2: no such tile");
  EXPECT_EQ(describeEnd(endWith(Signaled, SIGSEGV, "last\tline\n")),
            "died of SIGSEGV: last?line");
  EXPECT_EQ(describeEnd(endWith(TimedOut, 0)),
            "still running when its time was over");
}
