//===- LoopCommandTest.cpp - The table of commands, and what is made of it ===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/LoopCommand.h"
#include "Nest.h"
#include "baco/LoopPlanner/LoopPlan.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::polyhedral;
using namespace baco::polyhedral::test;

namespace {

using List = std::vector<int64_t>;
using Matrix = std::vector<List>;

/// Some of the values that an argument takes.
std::vector<LoopValue> valuesFor(const LoopArgument &argument) {
  switch (argument.kind) {
  case LoopArgument::Kind::Number:
  case LoopArgument::Kind::Place:
  case LoopArgument::Kind::Loop:
  case LoopArgument::Kind::Size:
  case LoopArgument::Kind::Factor:
    return {int64_t(1), int64_t(64), std::string("K1")};
  case LoopArgument::Kind::Places:
  case LoopArgument::Kind::Coefficients:
    return {List{}, List{0, 2}, std::string("K1")};
  case LoopArgument::Kind::LoopOrder:
    return {List{1}, List{3, 1, 2}, std::string("order")};
  case LoopArgument::Kind::DimensionOrder:
    return {List{0}, List{1, 0}, std::string("order")};
  case LoopArgument::Kind::Matrix:
    return {Matrix{{1, 0}, {-1, 1}}, Matrix{{1, 0, 4}, {1, 1, -4}}};
  case LoopArgument::Kind::Condition:
    return {std::string("L3 >= L1 + K1"), std::string("L2 = 5"),
            std::string("order=3 and L1 mod 2 = 0")};
  case LoopArgument::Kind::Fusion:
    return {std::string("max"), std::string("K1")};
  }
  return {};
}

/// Commands of a kind that have, together, each of these values in each place,
/// with each set of the optional arguments.
std::vector<LoopCommand> commandsOf(const LoopCommandInfo &info) {
  std::vector<LoopCommand> commands;
  size_t numArguments = info.arguments().size();
  for (size_t choice = 0; choice < 3; ++choice)
    for (size_t present = 0; present < size_t(1) << numArguments; ++present) {
      LoopCommand command{info.kind, {}};
      bool lacks = false;
      for (size_t a = 0; a < numArguments; ++a) {
        bool isPresent = present >> a & 1;
        lacks |= !isPresent && !info.arguments()[a].isOptional;
        std::vector<LoopValue> values = valuesFor(info.arguments()[a]);
        command.arguments.push_back(
            isPresent ? values[(choice + a) % values.size()] : LoopValue());
      }
      if (!lacks)
        commands.push_back(std::move(command));
    }
  return commands;
}

LoopCommand read(const std::string &text) {
  Result<std::vector<ScriptCommand>> script = parseLoopScript(text);
  EXPECT_TRUE(script) << script.error().message;
  if (!script || script->size() != 1) {
    ADD_FAILURE() << text << " isn't one command";
    return {LoopCommandKind::Original, {}};
  }
  return script->front().command;
}

std::string errorOf(const std::string &text) {
  Result<std::vector<ScriptCommand>> script = parseLoopScript(text);
  return script ? "" : script.error().message;
}

TEST(LoopCommand, EachCommandReadsAsItPrints) {
  for (const LoopCommandInfo &info : loopCommands()) {
    std::vector<LoopCommand> commands = commandsOf(info);
    ASSERT_FALSE(commands.empty()) << info.name;
    for (const LoopCommand &command : commands)
      EXPECT_EQ(read(command.str()), command) << command.str();
  }
}

TEST(LoopCommand, ArgumentsThatAreLeftOverAreOptionalOnes) {
  EXPECT_EQ(read("permute([2,1])"),
            (LoopCommand{LoopCommandKind::Permute, {{}, List{2, 1}}}));
  EXPECT_EQ(read("permute(1, [2,1])"),
            (LoopCommand{LoopCommandKind::Permute, {int64_t(1), List{2, 1}}}));
  LoopCommand copy{
      LoopCommandKind::DataCopy,
      {int64_t(0), int64_t(3), int64_t(2), int64_t(1), {}, {}, {}, {}}};
  EXPECT_EQ(read("datacopy(0,3,2,1)"), copy);
  EXPECT_EQ(read("datacopy(0,3,2,index=1)"), copy);
  copy.arguments[3] = {};
  copy.arguments[4] = List{1, 0};
  copy.arguments[5] = std::string("W");
  EXPECT_EQ(read("datacopy(0, 3, 2, width = W, order=[1,0])"), copy);
}

TEST(LoopCommand, ScriptsHaveCommentsAndAnySpace) {
  Result<std::vector<ScriptCommand>> script = parseLoopScript(
      " permute([2,1]); # swap (both\n\ttile(0,2,TJ)original()");
  ASSERT_TRUE(script) << script.error().message;
  std::string text;
  for (const ScriptCommand &command : *script)
    text += command.text + ";";
  EXPECT_EQ(text, "permute([2,1]);tile(0,2,TJ);original();");
}

TEST(LoopCommand, ErrorsNameTheCommand) {
  EXPECT_EQ(errorOf("tile(0,2)"),
            "'tile(0,2)' has 2 arguments; expected tile(statement, loop, size, "
            "?outer)");
  EXPECT_EQ(
      errorOf("datacopy(0,1,2,width=1,width=2,1,2,3,4)"),
      "'datacopy(0,1,2,width=1,width=2,1,2,3,4)' has 9 arguments; expected "
      "datacopy(statement, loop, reference, ?index, ?order, ?width, "
      "?panel, ?whole)");
  EXPECT_EQ(errorOf("original(1)"),
            "'original(1)' has 1 arguments; expected original()");
  EXPECT_EQ(errorOf("tilt(1)").substr(0, 58),
            "'tilt(1)' is not a command; the commands are original, per");
  EXPECT_EQ(errorOf("tile(0,2,3"),
            "expected a command such as tile(0,2,TJ), but found 'tile(0,2,3'");
}

TEST(LoopCommand, ArgumentsHaveNames) {
  LoopCommand command = read("datacopy(0, 2, 3, width=W)");
  EXPECT_TRUE(command.uses("W"));
  EXPECT_EQ(command["reference"], LoopValue(3));
  command["order"] = std::vector<int64_t>{1, 0};
  command["width"] = 8;
  command["panel"] = 16;
  EXPECT_FALSE(command.uses("W"));
  EXPECT_EQ(command.str(),
            "datacopy(0, 2, 3, order=[1, 0], width=8, panel=16)");
  // Words of a condition are no arguments.
  EXPECT_FALSE(read("split(0, 1, L1)").uses("L1"));
}

std::string resolved(const std::string &text, const PlanAssignment &knobs) {
  LoopCommand command = read(text);
  bindKnobs(command, [&](std::string_view name) -> std::optional<LoopValue> {
    auto found = knobs.find(std::string(name));
    if (found == knobs.end())
      return std::nullopt;
    return found->second.size() == 1 ? LoopValue(found->second[0])
                                     : LoopValue(found->second);
  });
  Result<void> done = complete(command);
  return done ? command.str() : done.error().message;
}

TEST(LoopCommand, KnobsGetTheirValues) {
  PlanAssignment knobs{{"T", {4}}, {"order", {1, 0}}, {"T2", {8}}, {"L", {3}}};
  EXPECT_EQ(resolved("tile(0, 1, T)", knobs), "tile(0, 1, 4, 1)");
  // Permutations count from 0.
  EXPECT_EQ(resolved("permute(order)", knobs), "permute([2, 1])");
  EXPECT_EQ(resolved("datacopy(0,1,0,order=order,width=T)", knobs),
            "datacopy(0, 1, 0, 0, [1, 0], 4, 0, 0)");
  EXPECT_EQ(resolved("tile(0, 1, U)", knobs), "knob 'U' has no value");
  EXPECT_EQ(resolved("tile(0, 1, order)", knobs),
            "size must be an integer, a knob or the name of one, but is "
            "[1, 0]");
  EXPECT_EQ(resolved("auto(max)", knobs), "auto(max)");
  auto isT = [](std::string_view name) { return name == "T"; };
  EXPECT_EQ(findName(read("tile(0, T, U, V)"), isT), "U");
  EXPECT_EQ(findName(read("split(0, 1, L1 >= p0 + T)"), isT), "");
  EXPECT_EQ(findName(read("auto(smart)"), isT), "");
  EXPECT_EQ(findName(read("auto(greedy)"), isT), "greedy");
}

/// A name in a condition is a word: not a part of one, and not a loop.
TEST(LoopCommand, KnobsInConditionsAreWords) {
  PlanAssignment knobs{{"T", {4}}, {"T2", {8}}, {"L", {3}}};
  EXPECT_EQ(resolved("split(0, 2, L2 >= L1 + T2 + T and T <= p0)", knobs),
            "split(0, 2, L2 >= L1 + 8 + 4 and 4 <= p0)");
  EXPECT_EQ(resolved("split(0, 2, L2 >= L)", knobs), "split(0, 2, L2 >= 3)");
  EXPECT_EQ(resolved("split(0, 2, L2 mod T = 0)", knobs),
            "split(0, 2, L2 mod 4 = 0)");
  EXPECT_EQ(resolved("split(0, 2, L2 >= U)", knobs), "knob 'U' has no value");
  EXPECT_EQ(resolved("split(0, 2, exists T: L2 = 2T)", {}),
            "split(0, 2, exists T: L2 = 2T)");
}

TEST(LoopCommand, PlacesHaveBounds) {
  EXPECT_EQ(resolved("reverse(0, 4294967297)", {}),
            "loop must be from 0 to 1048576, but is 4294967297");
  EXPECT_EQ(resolved("reverse(0, 0)", {}), "loop must be at least 1, but is 0");
  EXPECT_EQ(resolved("fuse([0, -1], 1)", {}),
            "statements must be at least 0, but is -1");
  EXPECT_EQ(resolved("scale(0, 1, 0)", {}), "a loop can't be scaled by 0");
}

/// Knobs get values; orders count from 0.
TEST(LoopCommand, SchedulesFollowCommands) {
  Context context;
  Nest byKnobs(matmul(context, "8")), byNumbers(matmul(context, "8"));
  Result<std::vector<ScriptCommand>> script =
      parseLoopScript("original() permute(order) tile(0,3,T,2)"
                      "split(0,1,L1 >= T)");
  ASSERT_TRUE(script) << script.error().message;
  for (const ScriptCommand &command : *script)
    ASSERT_OK(applyCommand(command.command, {{"T", {4}}, {"order", {2, 0, 1}}},
                           *byKnobs));
  ASSERT_OK(byNumbers.run("permute([3,1,2]) tile(0,3,4,2) split(0,1,L1 >= 4)"));
  EXPECT_EQ(byKnobs.code(), byNumbers.code());
}

} // namespace
