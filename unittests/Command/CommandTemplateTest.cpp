//===- CommandTemplateTest.cpp - Tests of CommandTemplate -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Command/CommandTemplate.h"
#include "baco/Command/RunCommand.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::command;

/// Texts that a shell takes for more than words.
static const std::vector<std::string> nastyTexts = {"plain",
                                                    "",
                                                    "two words",
                                                    "'; echo pwned; '",
                                                    "$(echo pwned)",
                                                    "`echo pwned`",
                                                    "a\"b\\c",
                                                    "$HOME",
                                                    "*",
                                                    "a\nb",
                                                    "~",
                                                    "#x",
                                                    "!!",
                                                    "\\",
                                                    "&& echo pwned"};

static Space nastySpace() {
  return *Space::create(
      {*Parameter::integer("tile", 1, 64),
       *Parameter::categorical("text", {nastyTexts.begin(), nastyTexts.end()}),
       *Parameter::permutation("order", 3)});
}

static std::string expand(const std::string &line,
                          const Configuration &configuration) {
  Result<CommandTemplate> parsed = CommandTemplate::parse(line, nastySpace());
  EXPECT_TRUE(parsed) << parsed.error().message;
  return parsed ? parsed->expand(configuration, "/tmp/a b") : "";
}

/// What the shell prints for a line with the values of a candidate.
static std::string run(const std::string &line,
                       const Configuration &configuration) {
  Result<CommandTemplate> parsed = CommandTemplate::parse(line, nastySpace());
  EXPECT_TRUE(parsed) << parsed.error().message;
  if (!parsed)
    return "";
  Result<CommandEnd> end =
      runCommand(parsed->lineOf(configuration),
                 parsed->variables(configuration, "/tmp/a b"), {});
  EXPECT_TRUE(end) << end.error().message;
  return end ? end->output : "";
}

static std::string templateError(const std::string &line) {
  Result<CommandTemplate> parsed = CommandTemplate::parse(line, nastySpace());
  return parsed ? "" : parsed.error().message;
}

static const Configuration simple = {int64_t(8), std::string("plain"),
                                     Permutation{2, 0, 1}};

TEST(CommandTemplateTest, PlacesHaveValues) {
  EXPECT_EQ(expand("./app -t={tile} {order} {text}", simple),
            "./app -t=8 2,0,1 plain");
  EXPECT_EQ(expand("{dir}/app", simple), "'/tmp/a b'/app");
  EXPECT_EQ(expand("no places", simple), "no places");
}

TEST(CommandTemplateTest, BracesOfTheShellStay) {
  for (const char *line :
       {"echo ${tile}", "awk '{ print $1 }'", "echo {a,b}", "f() { ls; }",
        "echo {", "echo \\{tile}", "ls # {tile} isn't read"})
    EXPECT_EQ(expand(line, simple), line);
}

TEST(CommandTemplateTest, UnknownNamesAreErrors) {
  EXPECT_EQ(
      templateError("./app {tiel}"),
      "column 7 of the command: '{tiel}' is no parameter; these are tile, "
      "text, order; for a shell's braces write a space behind the first "
      "one");
}

/// The shell itself says what reaches the program, in each kind of quotes, and
/// where lines are joined. People who copy the line get the same.
TEST(CommandTemplateTest, TextsStayTexts) {
  for (const std::string &text : nastyTexts)
    for (const char *line :
         {"printf %s {text}", "printf %s \"{text}\"", "printf %s '{text}'",
          "printf %s \"\"{text}''", "echo x >/dev/null; printf %s {text}",
          "# don't\nprintf %s {text}", "printf \\\n%s {text}",
          "echo foo\\\n#' '>/dev/null\nprintf %s {text}"}) {
      Configuration configuration = simple;
      configuration[1] = text;
      EXPECT_EQ(run(line, configuration), text) << line;
      Result<CommandEnd> copied =
          runCommand(expand(line, configuration), {}, {});
      ASSERT_TRUE(copied);
      EXPECT_EQ(copied->output, text) << line;
    }
}

/// Whatever the parser makes of a line, no text becomes a command.
TEST(CommandTemplateTest, NoTextIsRun) {
  for (const char *line :
       {R"(echo "${A:-${B}"{text}"}")", "echo \"$\\\n(echo \"{text}\")\"",
        "cat <\\\n<E\n{text}\nE\n", R"(echo "${H:+{text}}")",
        "case x in x) echo {text};; esac", "echo `echo {text}`"}) {
    Result<CommandTemplate> parsed = CommandTemplate::parse(line, nastySpace());
    // Refused lines are safe as well.
    if (!parsed)
      continue;
    for (const std::string &text : nastyTexts) {
      Configuration configuration = simple;
      configuration[1] = text;
      std::string output = run(line, configuration);
      EXPECT_NE(output, "pwned\n") << line << " with " << text;
      EXPECT_EQ(output.find("\npwned\n"), std::string::npos) << line;
    }
  }
}

TEST(CommandTemplateTest, DigitsAreNoDescriptors) {
  EXPECT_EQ(run("echo {tile}>&1", simple), "8\n");
  EXPECT_EQ(run("echo $(( {tile} * 2 ))", simple), "16\n");
  EXPECT_EQ(run("cd / && ls -d {dir} 2>/dev/null; echo \"$BACO_DIR\"", simple),
            "/tmp/a b\n");
}

TEST(CommandTemplateTest, TextsBehindSubstitutionsAreRefused) {
  for (const char *line :
       {"echo $(cat x) {text}", "echo `cat {text}`", "cat <<E\n{text}\nE",
        "echo $'a' {text}", "echo ${x:-'a'} {text}"})
    EXPECT_NE(templateError(line).find("BACO_PARAM_text"), std::string::npos)
        << line;
  // Numbers are always words.
  EXPECT_EQ(expand("echo $(expr {tile} + 1)", simple), "echo $(expr 8 + 1)");
}
