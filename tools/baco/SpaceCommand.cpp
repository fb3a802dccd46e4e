//===- SpaceCommand.cpp - baco space --------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers about the space that a file describes. Nothing is tuned.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "CommandGroup.h"

#include "baco/Database/Export.h"
#include "baco/Database/Files.h"
#include "baco/Format/ChoiceText.h"
#include "baco/Format/OpenResults.h"
#include "baco/Format/Scenario.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Format/TuningSchema.h"
#include "baco/Space/RawCount.h"
#include "baco/Support/Json.h"

#include <algorithm>
#include <filesystem>

using namespace baco;
using namespace baco::tool;

static constexpr const char *usage = R"(usage: baco space COMMAND FILE ...

Answers questions about a search space. FILE is a scenario of BaCO or HyperMapper (JSON
with input_parameters), a T1 file (JSON with ConfigurationSpace), a cache file of
Kernel Tuner, or what baco-tune-driver --emit-space writes.

  count FILE [--format=text|json]
        prints how many configurations are feasible, and how many there are
        without constraints; real parameters are not counted
  sample FILE [--number=N] [--seed=S] [--format=json|csv]
        draws N feasible configurations (10) uniformly and independently, and
        prints them as JSON, one object per line, or as a table
  explain FILE NAME=VALUE,...
        prints whether parameters may have these values (the others are free),
        and if not, which constraints forbid them (exit code 3)
  explain FILE --list=LIST
        the same for each element of a parameter list of lighthouse; names that
        are no parameters have no effect
  convert FILE [--to=baco|t1] [--name=KERNEL] [--output=FILE]
        writes the space in baco's own format, or as T1
  check FILE
        reads the file and lists parameters, constraints, and keys of a
        scenario that have no effect; errors have file, line and column; for an
        empty space, prints a smallest set of contradictory constraints

Exit codes: 0 done, 1 the input is wrong or the space is empty, 2 the
environment fails, 3 forbidden.
)";

static Space openSpace(const std::string &path,
                       std::vector<std::string> *ignored = nullptr) {
  std::string text = need(database::readFile(path));
  return needInput(readAnySpace(text, path, ignored));
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

static std::string boundNote(const Space &space) {
  return space.isCountExact() ? "" : "at most ";
}

/// The lines of text that `count` and `check` print.
static std::string describeCount(const Space &space) {
  bool hasReals = std::any_of(
      space.parameters().begin(), space.parameters().end(),
      [](const Parameter &p) { return p.kind() == ParameterKind::Real; });
  return "feasible     " + boundNote(space) + space.count() +
         (hasReals ? " for each choice of the reals" : "") + "\nraw          " +
         rawCount(space) + "\n";
}

static int count(const Arguments &arguments) {
  static constexpr std::string_view formats[] = {"text", "json"};
  std::string format = arguments.oneOf("format", formats);
  Space space = openSpace(arguments.positional()[0]);
  if (format == "text") {
    print(describeCount(space));
    return allDone;
  }
  // Counts are strings, as they may have any number of digits.
  Json json = {{"feasible", space.count()},
               {"is_bound", !space.isCountExact()},
               {"raw", rawCount(space)}};
  print(printJson(json) + "\n");
  return allDone;
}

static int sample(const Arguments &arguments) {
  static constexpr std::string_view formats[] = {"json", "csv"};
  std::string format = arguments.oneOf("format", formats);
  auto number = arguments.number("number", 1);
  auto seed = arguments.number("seed", 0);
  Space space = openSpace(arguments.positional()[0]);
  bool isTable = format == "csv";
  std::string header;
  for (const Parameter &parameter : space.parameters())
    header += (header.empty() ? "" : ",") + database::csvCell(parameter.name());
  if (isTable)
    print(header + "\n");
  Random random(seed.value_or(1));
  constexpr uint64_t usualNumber = 10;
  // Stop when the reader has closed the pipe.
  for (uint64_t n = number.value_or(usualNumber);
       n > 0 && std::ferror(stdout) == 0; --n) {
    Configuration drawn = space.toConfiguration(space.sample(random));
    std::string row;
    for (const ParameterValue &value : drawn) {
      const auto *text = std::get_if<std::string>(&value);
      row += (row.empty() ? "" : ",") +
             database::csvCell(text ? *text : toString(value));
    }
    print((isTable ? row : writeConfiguration(space, drawn)) + "\n");
  }
  return allDone;
}

/// Whether the values of one element are allowed, and why not, as text.
static std::string explainLayer(const Space &space,
                                const LayerParameters &layer,
                                bool &areAllowed) {
  std::string text = layer.location + ": " + layer.layerKind + "\n";
  Result<ChosenValues> choice = toChoice(space, layer.assignment);
  if (!choice) {
    areAllowed = false;
    return text + choice.error().message + "\n";
  }
  if (choice->empty())
    return text + "no parameter of the space is named\n";
  auto explanation = need(explainChoice(space, *choice));
  areAllowed &= explanation.isAllowed;
  return text + describeChoice(space, *choice, explanation);
}

static int explainList(const Space &space, const std::string &path) {
  std::string text = need(database::readFile(path));
  bool areAllowed = true;
  for (const LayerParameters &layer : needInput(readParameterList(text, path)))
    print(explainLayer(space, layer, areAllowed));
  return areAllowed ? allDone : nothingWorks;
}

static int explain(const Arguments &arguments) {
  if (arguments.positional().size() != (arguments.has("list") ? 1 : 2))
    return misuse("space", "'space explain' needs the name of one file, and "
                           "NAME=VALUE,... or --list=LIST");
  Space space = openSpace(arguments.positional()[0]);
  if (arguments.has("list"))
    return explainList(space, arguments.get("list"));
  ChosenValues choice = need(readChoice(space, arguments.positional()[1]));
  auto explanation = need(explainChoice(space, choice));
  print(describeChoice(space, choice, explanation));
  return explanation.isAllowed ? allDone : nothingWorks;
}

static int check(const Arguments &arguments) {
  std::vector<std::string> ignored;
  Space space = openSpace(arguments.positional()[0], &ignored);
  std::string text;
  for (const Parameter &parameter : space.parameters())
    text += "parameter    " + parameter.name() + ": " +
            describeValues(parameter) + "\n";
  std::vector<size_t> loose = space.looseConstraints();
  for (size_t i = 0; i < space.constraints().size(); ++i) {
    const Constraint &constraint = space.constraints()[i];
    text += "constraint   " + constraint.expression.text();
    if (!constraint.reason.empty())
      text += ": " + constraint.reason;
    if (constraint.advisory)
      text += " (advisory)";
    if (std::binary_search(loose.begin(), loose.end(), i))
      text += " (not counted in the number of feasible configurations)";
    text += "\n";
  }
  text += describeCount(space);
  for (const std::string &key : ignored)
    text += "no effect    " + key + "\n";
  print(text);
  return allDone;
}

static int convert(const Arguments &arguments) {
  static constexpr std::string_view formats[] = {"baco", "t1"};
  std::string format = arguments.oneOf("to", formats);
  const std::string &path = arguments.positional()[0];
  Space space = openSpace(path);
  std::string name = arguments.has("name")
                         ? arguments.get("name")
                         : std::filesystem::path(path).stem().string();
  std::string text =
      needInput(format == "t1" ? writeT1(space, name)
                               : writeSpace(space, /*withLocations=*/false));
  if (arguments.has("output"))
    need(database::writeFileAtomically(arguments.get("output"), text));
  else
    print(text);
  return allDone;
}

//===----------------------------------------------------------------------===//
// The command line
//===----------------------------------------------------------------------===//

int tool::runSpaceCommand(std::span<const std::string_view> words) {
  constexpr const char *one = "the name of one file";
  const Command commands[] = {
      {"count", count, "format=", 1, one},
      {"sample", sample, "number= seed= format=", 1, one},
      {"explain", explain, "list=", std::nullopt},
      {"convert", convert, "to= name= output=", 1, one},
      {"check", check, "", 1, one}};
  return runCommand({"space", usage, commands}, words);
}
