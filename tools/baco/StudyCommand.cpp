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

#include "StudyCommand.h"

#include "CommandGroup.h"
#include "StudyChanges.h"
#include "StudyChoice.h"
#include "StudyExports.h"
#include "StudyImportance.h"
#include "StudyTables.h"

#include "baco/Database/Files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

using namespace baco;
using namespace baco::tool;
using database::Final;
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

STUDY is a name, or the first four or more characters of a key. Times in JSON
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

static Result<StudySummary> readStudy(const Journal &journal,
                                      const StudyInfo &info) {
  Result<std::vector<Trial>> trials = journal.trials(info.key);
  if (!trials)
    return trials.error();
  Result<std::vector<Final>> finals = journal.finals(info.key);
  if (!finals)
    return finals.error();
  return StudySummary(info, std::move(*trials), std::move(*finals));
}

/// The studies that the options name; exactly one, unless there may be `many`.
static Result<std::vector<StudySummary>> readStudies(const Arguments &arguments,
                                                     bool many) {
  const std::string &path = arguments.positional().front();
  Result<Journal> journal = Journal::openReadOnly(path);
  if (!journal)
    return journal.error();
  auto studies = findStudies(*journal, path, arguments.get("study"));
  if (!studies)
    return studies.error();
  if (studies->size() != 1 && !many)
    return notOne(path, *studies);
  std::vector<StudySummary> summaries;
  for (const StudyInfo &info : *studies) {
    Result<StudySummary> study = readStudy(*journal, info);
    if (!study)
      return study.error();
    summaries.push_back(std::move(*study));
  }
  return summaries;
}

//===----------------------------------------------------------------------===//
// Commands that read
//===----------------------------------------------------------------------===//

static int list(const Arguments &arguments) {
  static constexpr std::string_view formats[] = {"text", "json", "csv"};
  Result<std::string> format = arguments.oneOf("format", formats);
  if (!format)
    return complain(format.error());
  const std::string &path = arguments.positional().front();
  Result<Journal> journal = Journal::openReadOnly(path);
  if (!journal)
    return complain(journal.error());
  auto studies = findStudies(*journal, path, "");
  if (!studies)
    return complain(studies.error());
  std::vector<StudySummary> summaries;
  for (const StudyInfo &info : *studies) {
    Result<StudySummary> summary = readStudy(*journal, info);
    if (!summary)
      return complain(summary.error());
    summaries.push_back(std::move(*summary));
  }
  print(*format == "json"  ? writeListJson(summaries)
        : *format == "csv" ? writeListCsv(summaries)
                           : writeListText(summaries));
  return allDone;
}

static int showImportance(const Arguments &arguments) {
  static constexpr std::string_view formats[] = {"text", "json"};
  Result<std::string> format = arguments.oneOf("format", formats);
  if (!format)
    return complain(format.error());
  auto seed = arguments.number("seed", 0);
  if (!seed)
    return complain(seed.error());
  auto studies = readStudies(arguments, /*many=*/false);
  if (!studies)
    return complain(studies.error());
  Result<std::string> text =
      writeImportance(studies->front(), seed->value_or(0), *format == "json");
  if (!text)
    return complain(text.error());
  print(*text);
  return allDone;
}

static int show(const Arguments &arguments) {
  static constexpr std::string_view formats[] = {"text", "json"};
  Result<std::string> format = arguments.oneOf("format", formats);
  if (!format)
    return complain(format.error());
  auto studies = readStudies(arguments, /*many=*/false);
  if (!studies)
    return complain(studies.error());
  const StudySummary &study = studies->front();
  print(*format == "json" ? writeStudyJson(study) : writeStudyText(study));
  return allDone;
}

/// Prints the text, or writes it to --output.
static int deliver(const Arguments &arguments, const std::string &text) {
  if (!arguments.has("output")) {
    print(text);
    return allDone;
  }
  std::error_code missing;
  if (std::filesystem::equivalent(arguments.get("output"),
                                  arguments.positional().front(), missing))
    return misuse("study", "--output names the database itself");
  Result<void> written =
      database::writeFileAtomically(arguments.get("output"), text);
  return written ? allDone : complain(written.error());
}

/// The tuned library of a study, or of the whole database. It may be known of
/// functions that no study is of: there was nothing to tune.
static Result<std::string> exportLibrary(const Arguments &arguments,
                                         bool isForStockTools) {
  const std::string &path = arguments.positional().front();
  Result<Journal> journal = Journal::openReadOnly(path);
  if (!journal)
    return journal.error();
  const std::string &name = arguments.get("study");
  std::string key;
  if (!name.empty()) {
    auto studies = findStudies(*journal, path, name);
    if (!studies)
      return studies.error();
    if (studies->size() != 1)
      return notOne(path, *studies);
    key = studies->front().key;
  }
  Result<std::vector<EntryText>> entries = journal->entries(key);
  if (!entries)
    return entries.error();
  return writeLibrary(*entries, path, isForStockTools);
}

static int exportTrials(const Arguments &arguments) {
  Result<std::string> format = arguments.oneOf("format", exportFormats);
  if (!format)
    return complain(format.error());
  if (*format == "library" || *format == "stock") {
    Result<std::string> text = exportLibrary(arguments, *format == "stock");
    return text ? deliver(arguments, *text) : complain(text.error());
  }
  Result<std::vector<StudySummary>> studies =
      readStudies(arguments, holdsManyStudies(*format));
  if (!studies)
    return complain(studies.error());
  Result<std::string> text = exportStudies(*studies, *format);
  return text ? deliver(arguments, *text) : complain(text.error());
}

//===----------------------------------------------------------------------===//
// The command line
//===----------------------------------------------------------------------===//

int tool::runStudyCommand(std::span<const std::string_view> words) {
  constexpr const char *one = "the name of one database";
  const Command commands[] = {
      {"list", list, {{"format"}}, 1, one},
      {"show", show, {{"study"}, {"format"}}, 1, one},
      {"importance", showImportance, {{"study"}, {"seed"}, {"format"}}, 1, one},
      {"export", exportTrials, {{"study"}, {"format"}, {"output"}}, 1, one},
      {"merge", mergeStudies, {}, std::nullopt},
      {"prune",
       pruneStudies,
       {{"study"}, {"older-than"}, {"keep-best"}, {"dry-run", false}},
       1,
       one}};
  return runCommand({"study", usage, commands}, words);
}
