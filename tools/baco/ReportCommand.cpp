//===- ReportCommand.cpp - baco report ------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "CommandGroup.h"
#include "StopSignals.h"
#include "StudyChoice.h"

#include "baco/StudyReport/WriteReport.h"

#include <algorithm>
#include <chrono>
#include <thread>

using namespace baco;
using namespace baco::studyreport;
using namespace baco::tool;
using database::Journal;
using database::StudyInfo;

static constexpr const char *usage =
    R"(usage: baco report DB [STUDY...] [-o FILE] [--format=text|json|html]

Shows what a database of trials knows: the kernels by their share of the time;
for each study the best configuration over evaluations and seconds, which
parameter matters and how, where trials fail, and the final comparison.

  -o FILE, --output=FILE   writes FILE instead of printing
  --format=html            a page with plots that opens without a network; what
                           FILE.html means by itself. Likewise json, which has
                           exact numbers and all trials (of FILE.json). Else text

  --live[=PORT]            serves the page on this machine until it is interrupted,
                           and prints its address; it follows a tuner that writes DB

STUDY is a name, or the first four or more characters of a key; all studies
without one. Exit codes: 0 done, 1 the input is wrong, 2 the environment fails.
)";

static constexpr std::string_view formats[] = {"text", "json", "html"};

/// --format, or else the one that the output's name ends in.
static ReportFormat formatOf(const Arguments &arguments) {
  if (!arguments.has("format"))
    return formatOfFile(arguments.get("output"));
  return formatOfFile("." + arguments.oneOf("format", formats));
}

/// The studies that the operands after the database name, in its order; all if
/// there are none.
static std::vector<StudyInfo> chooseStudies(const Journal &journal,
                                            const Arguments &arguments) {
  const std::vector<std::string> &words = arguments.positional();
  std::vector<StudyInfo> all = findStudies(journal, words[0], "");
  if (all.empty())
    fail(notOne(words[0], all));
  for (size_t i = 1; i < words.size(); ++i)
    findStudies(journal, words[0], words[i]);
  std::erase_if(all, [&](const StudyInfo &info) {
    return words.size() > 1 &&
           std::none_of(words.begin() + 1, words.end(),
                        [&](const std::string &word) {
                          return database::isCalled(info, word);
                        });
  });
  return all;
}

static int writeReport(const Arguments &arguments) {
  ReportFormat format = formatOf(arguments);
  const std::string &path = arguments.positional().front();
  Journal journal = need(Journal::openReadOnly(path));
  std::vector<StudyInfo> infos = chooseStudies(journal, arguments);
  ReportFacts facts = need(gatherReport(journal, path, infos));
  return deliver("report", arguments,
                 need(studyreport::writeReport(facts, format)));
}

/// Serves the page until a signal comes.
static int serveReport(const Arguments &arguments) {
  if (arguments.positional().size() > 1 || arguments.has("format") ||
      arguments.has("output"))
    return misuse("report", "--live shows all studies of one database");
  const std::string &path = arguments.positional().front();
  // A mistaken name would be waited for.
  need(Journal::openReadOnly(path));
  stopBySignals(/*interruptsReads=*/true);
  auto live = startLive(arguments, path);
  constexpr auto step = std::chrono::milliseconds(100);
  while (!stopRequested)
    std::this_thread::sleep_for(step);
  return interrupted;
}

static int runReport(const Arguments &arguments) {
  if (arguments.positional().empty())
    return misuse("report", "'report' needs the name of one database");
  return arguments.has("live") ? serveReport(arguments)
                               : writeReport(arguments);
}

int tool::runReportCommand(std::span<const std::string_view> words) {
  // The one short option, as compilers have it.
  std::vector<std::string> texts;
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i] == "-o")
      texts.push_back("--output=" +
                      std::string(++i < words.size() ? words[i] : ""));
    else
      texts.emplace_back(words[i]);
  std::vector<std::string_view> views(texts.begin(), texts.end());
  return runCommand(
      {"report", runReport, "output= format= live[=]", std::nullopt}, usage,
      views);
}
