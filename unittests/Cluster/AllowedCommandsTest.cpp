//===- AllowedCommandsTest.cpp - Tests of what workers run ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Cluster/ClusterEvaluator.h"

#include "baco/Format/SpaceFormat.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::cluster;

TEST(AllowedCommandsTest, OnlyNamedProgramsRun) {
  const std::vector<std::string> allowed = {"/opt/app", "make"};
  EXPECT_TRUE(checkAllowed("/opt/app {tile} --unroll={unroll}", allowed));
  EXPECT_TRUE(checkAllowed("make", allowed));
  for (const char *line : {"",
                           "/opt/application",
                           "./app",
                           " make",
                           "/bin/sh -c make",
                           "make; rm x",
                           "make && rm x",
                           "make | sh",
                           "make > x",
                           "make $HOME",
                           "make `id`",
                           "make $(id)",
                           "make\nrm x",
                           "make 'a",
                           "make \"a",
                           "make &",
                           "make *",
                           "make \\x",
                           "make #",
                           "make ~",
                           "A=1 make",
                           "make \xc3\xa4"}) {
    Result<void> checked = checkAllowed(line, allowed);
    ASSERT_FALSE(checked) << line;
    EXPECT_EQ(checked.error().code, ErrorCode::InvalidArgument);
  }
  EXPECT_NE(
      checkAllowed("ls -l", {}).error().message.find("--allow-command=ls"),
      std::string::npos);
}

TEST(AllowedCommandsTest, RunnersAreMadeForThemOnly) {
  Space space = *Space::create({*Parameter::integer("tile", 1, 4)});
  command::CommandOptions options;
  options.run = "echo {tile}";
  Payload payload = {Payload::Kind::Command, *writeSpace(space),
                     command::writeCommandOptions(options)};
  auto refused = makeProgramRunner(payload, {{}, "/nowhere", 0});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("--allow-command=echo"),
            std::string::npos)
      << refused.error().message;
  options.compile = "cc {tile}";
  payload.text = command::writeCommandOptions(options);
  refused = makeProgramRunner(payload, {{"echo"}, "/nowhere", 0});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("--allow-command=cc"),
            std::string::npos)
      << refused.error().message;
}
