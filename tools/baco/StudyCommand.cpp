//===- StudyCommand.cpp - baco study --------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The commands that read, and which commands there are.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "CommandGroup.h"
#include "StudyChoice.h"
#include "StudyExports.h"
#include "StudyTables.h"

#include "baco/Database/Export.h"
#include "baco/StudyReport/ParameterShares.h"
#include "baco/StudyReport/StudyJson.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>

using namespace baco;
using namespace baco::studyreport;
using namespace baco::tool;
using database::Journal;
using database::StudyInfo;
using database::Trial;

static constexpr const char *usage = R"(usage: baco study COMMAND ...

Databases of trials, as baco-tune-driver --db writes them.

  list DB [--format=text|json|csv]
        lists the studies in the order in which they were added
  show DB [--study=STUDY] [--format=text|json]
        shows which code the tuned module has, the best configuration, and the
        number of trials with each status
  best DB [STUDY...] [--format=text|json]
        shows the configuration to use, which the last final comparison kept, or
        else the best trial, unconfirmed; with its time, spread and samples,
        and those of the default; a row for each of several studies
  compare DB [STUDY...] [--format=text|json]
        shows searches of one space side by side: technique and seed, after how
        many evaluations each was within 5 % and 1 % of the best result of all,
        its best result after a quarter, a half and all of the evaluations of
        the longest, and what differs between the best configurations; such a
        STUDY may be in another database: FILE#STUDY
  front DB [--study=STUDY] [--format=text|json|csv]
        shows the Pareto front of candidates with several results
  importance DB [--study=STUDY] [--seed=S] [--format=text|json]
        shows how much each parameter, and each pair of them, matters: its share of
        the variance between feasible configurations, by a model of the trials
  export DB [--study=STUDY] [--output=FILE]
         [--format=json|csv|t4|kernel-tuner|lighthouse|library|stock]
        writes the trials as JSON, one object per line, as a table, as T4 results,
        or as a cache file of Kernel Tuner; all can be replayed
        (baco-tune-driver --evaluator=replay:FILE), but only JSON has the final
        comparison, so that a replay writes the same module; lighthouse: the best
        configuration of each study, a list of parameters; library: the tuned
        library of the study, or of all that is known, for baco-opt
        --baco-apply; stock: the part of it that a stock mlir-opt can apply
  merge INTO FROM...
        adds the studies and tuned libraries of other databases to INTO, which
        is created if it doesn't exist; trials of the same study are merged, and
        if two outcomes of a trial differ, INTO keeps its own, as it does of two
        entries for the same function and machine
  prune DB [--study=STUDY] [--older-than=DAYSd] [--keep-best=N] [--dry-run]
        deletes the studies that are named, or that weren't used for so many
        days (hours: 12h), or both; with --keep-best, keeps the first trial and
        the N fastest trials of each; --dry-run only prints what would be deleted

STUDY is a name, or the first four or more characters of a key; best and compare
take all studies of a name, and all of the database without one. Times in JSON
and CSV are nanoseconds. Exit codes are those of baco-tune-driver: 0 done, 1 the
input is wrong, 2 the environment fails (such as an unusable database).
)";

int tool::finishOutput(int code) {
  bool failed = std::fflush(stdout) != 0;
  int reason = errno;
  failed |= std::ferror(stdout) != 0;
  if (!failed || reason == EPIPE)
    return code;
  std::fprintf(stderr, "baco: error: cannot write to standard output: %s\n",
               std::strerror(reason));
  return code == allDone ? badEnvironment : code;
}

static std::vector<StudySummary>
readAll(const Journal &journal, const std::string &path,
        const std::vector<StudyInfo> &studies) {
  std::vector<StudySummary> summaries;
  for (const StudyInfo &info : studies)
    summaries.push_back(need(readStudy(journal, path, info)));
  return summaries;
}

/// The studies that the options name; exactly one, unless there may be `many`.
static std::vector<StudySummary> readStudies(const Arguments &arguments,
                                             bool many) {
  const std::string &path = arguments.positional().front();
  Journal journal = need(Journal::openReadOnly(path));
  auto studies = findStudies(journal, path, arguments.get("study"));
  if (studies.size() != 1 && !many)
    fail(notOne(path, studies));
  return readAll(journal, path, studies);
}

/// The studies that the operands after the database name, in their order; all
/// of the database if there is none.
static std::vector<StudySummary> readNamedStudies(const Arguments &arguments) {
  const std::vector<std::string> &words = arguments.positional();
  std::vector<std::string> names(words.begin() + 1, words.end());
  if (arguments.has("study"))
    names.push_back(arguments.get("study"));
  if (names.empty())
    return readStudies(arguments, /*many=*/true);
  std::vector<StudySummary> summaries;
  // A file is searched for damage each time that it is opened.
  std::map<std::string, Journal> journals;
  for (const std::string &name : names) {
    StudyPlace place = placeOf(name, words.front());
    auto journal = journals.find(place.path);
    if (journal == journals.end())
      journal =
          journals.emplace(place.path, need(Journal::openReadOnly(place.path)))
              .first;
    auto studies = findStudies(journal->second, place.path, place.study);
    // Two names may be those of one study.
    std::erase_if(studies, [&](const StudyInfo &info) {
      return std::ranges::any_of(summaries, [&](const StudySummary &known) {
        return known.info.key == info.key && known.path == place.path;
      });
    });
    std::ranges::move(readAll(journal->second, place.path, studies),
                      std::back_inserter(summaries));
  }
  return summaries;
}

//===----------------------------------------------------------------------===//
// Commands that read
//===----------------------------------------------------------------------===//

static int list(const Arguments &arguments) {
  static constexpr std::string_view formats[] = {"text", "json", "csv"};
  std::string format = arguments.oneOf("format", formats);
  auto studies = readStudies(arguments, /*many=*/true);
  print(format == "json"  ? writeListJson(studies)
        : format == "csv" ? writeListCsv(studies)
                          : writeListText(studies));
  return allDone;
}

/// Whether --format is json; else it is text.
static bool wantsJson(const Arguments &arguments) {
  static constexpr std::string_view formats[] = {"text", "json"};
  return arguments.oneOf("format", formats) == "json";
}

static int showImportance(const Arguments &arguments) {
  bool isJson = wantsJson(arguments);
  auto seed = arguments.number("seed", 0);
  auto studies = readStudies(arguments, /*many=*/false);
  print(need(writeImportance(studies.front(), seed.value_or(0), isJson)));
  return allDone;
}

static int show(const Arguments &arguments) {
  bool isJson = wantsJson(arguments);
  auto studies = readStudies(arguments, /*many=*/false);
  const StudySummary &study = studies.front();
  print(isJson ? writeStudyJson(study) : writeStudyText(study));
  return allDone;
}

/// The error of a comparison of less than two studies.
static Error tooFew(const std::string &path,
                    const std::vector<StudySummary> &studies) {
  return {ErrorCode::InvalidArgument,
          "a comparison needs two studies, but " +
              (studies.empty() ? "database '" + path + "' has none"
                               : "there is only " + nameOf(studies.front())) +
              ": name more, of another database as FILE#STUDY"};
}

/// `best` and `compare` have any number of operands after the database.
static int complainOfOperands(const char *command) {
  return misuse("study", std::string("'study ") + command +
                             "' needs the name of one database");
}

static int showBest(const Arguments &arguments) {
  bool isJson = wantsJson(arguments);
  if (arguments.positional().empty())
    return complainOfOperands("best");
  auto studies = readNamedStudies(arguments);
  print(isJson ? writeBestJson(studies) : writeBestText(studies));
  return allDone;
}

static int compare(const Arguments &arguments) {
  bool isJson = wantsJson(arguments);
  if (arguments.positional().empty())
    return complainOfOperands("compare");
  auto studies = readNamedStudies(arguments);
  if (studies.size() < 2)
    return complain(tooFew(arguments.positional().front(), studies));
  print(compareStudies(studies, isJson));
  return allDone;
}

static int showFront(const Arguments &arguments) {
  static constexpr std::string_view formats[] = {"text", "json", "csv"};
  std::string format = arguments.oneOf("format", formats);
  auto studies = readStudies(arguments, /*many=*/false);
  const StudySummary &study = studies.front();
  std::vector<Trial> front;
  if (!study.objectives.empty())
    for (size_t index : study.objectives.front(study.trials))
      front.push_back(study.trials[index]);
  if (front.empty())
    return complain(
        {ErrorCode::NotFound,
         nameOf(study) + (study.objectives.empty()
                              ? " has no front: its candidates have one result"
                              : " has no front: no candidate works")});
  print(format == "json"  ? writeFrontJson(front)
        : format == "csv" ? need(database::writeTrialsCsv(front))
                          : writeFront(front));
  return allDone;
}

/// The tuned library of a study, or of the whole database. It may be known of
/// functions that no study is of: there was nothing to tune.
static std::string exportLibrary(const Arguments &arguments,
                                 bool isForStockTools) {
  const std::string &path = arguments.positional().front();
  Journal journal = need(Journal::openReadOnly(path));
  const std::string &name = arguments.get("study");
  std::string key;
  if (!name.empty()) {
    auto studies = findStudies(journal, path, name);
    if (studies.size() != 1)
      fail(notOne(path, studies));
    key = studies.front().key;
  }
  return writeLibrary(need(journal.entries(key)), path, isForStockTools);
}

static int exportTrials(const Arguments &arguments) {
  std::string format = arguments.oneOf("format", exportFormats);
  bool isLibrary = format == "library" || format == "stock";
  return deliver(
      "study", arguments,
      isLibrary
          ? exportLibrary(arguments, format == "stock")
          : exportStudies(readStudies(arguments, holdsManyStudies(format)),
                          format));
}

//===----------------------------------------------------------------------===//
// The command line
//===----------------------------------------------------------------------===//

int tool::runStudyCommand(std::span<const std::string_view> words) {
  constexpr const char *one = "the name of one database";
  const Command commands[] = {
      {"list", list, "format=", 1, one},
      {"show", show, "study= format=", 1, one},
      {"best", showBest, "study= format=", std::nullopt},
      {"compare", compare, "format=", std::nullopt},
      {"front", showFront, "study= format=", 1, one},
      {"importance", showImportance, "study= seed= format=", 1, one},
      {"export", exportTrials, "study= format= output=", 1, one},
      {"merge", mergeStudies, "", std::nullopt},
      {"prune", pruneStudies, "study= older-than= keep-best= dry-run", 1, one}};
  return runCommand({"study", usage, commands}, words);
}
