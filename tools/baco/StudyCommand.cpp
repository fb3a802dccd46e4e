//===- StudyCommand.cpp - baco study --------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Readers open databases without changing them; `merge` and `prune` lock each
// study that they change, so that a tuner at work is safe from them.
//
//===----------------------------------------------------------------------===//

#include "StudyCommand.h"

#include "StudyTables.h"

#include "baco/Database/Export.h"
#include "baco/Database/Files.h"
#include "baco/Database/Merge.h"
#include "baco/Report/Units.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>

using namespace baco;
using namespace baco::tool;
using database::Journal;
using database::StudyInfo;
using database::StudyJournal;
using database::Trial;

static constexpr const char *usage = R"(usage: baco study COMMAND ...

Databases of trials, as baco-tune-driver --db writes them.

  list DB [--format=text|json|csv]
        the studies, the oldest first
  show DB [--study=STUDY] [--format=text|json]
        a study: its best configuration, how many trials have which status
  export DB [--study=STUDY] [--format=json|csv] [--output=FILE]
        its trials: a JSON object a line, or a table; either can be replayed
        (baco-tune-driver --evaluator=replay:FILE)
  merge INTO FROM...
        adds the studies of other databases to INTO, which is made if there is
        none; trials of the same study are united, and where two outcomes
        differ that of INTO stays
  prune DB [--study=STUDY] [--older-than=DAYSd] [--keep-best=N] [--dry-run]
        deletes studies: those that are named, or weren't used for so many
        days (hours: 12h), or both; with --keep-best all but the first trial
        and the N fastest of each

STUDY is a name, or the first four or more characters of a key. Times in JSON and CSV are
nanoseconds. Exit codes: 0 done, 1 the input is wrong, 2 the environment fails.
)";

static int complain(const Error &error) {
  std::fprintf(stderr, "baco: error: %s\n", error.message.c_str());
  return error.code == ErrorCode::IOError ? badEnvironment : badInput;
}

static int misuse(const std::string &message) {
  return complain(
      {ErrorCode::InvalidArgument, message + " (see baco study --help)"});
}

static void print(const std::string &text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

int tool::finishOutput(int code) {
  bool failed = std::fflush(stdout) != 0;
  int reason = errno;
  failed |= std::ferror(stdout) != 0;
  if (!failed || reason == EPIPE)
    return code;
  std::fprintf(stderr, "baco: error: cannot write to standard output: %s\n",
               std::strerror(reason));
  return code == success ? badEnvironment : code;
}

//===----------------------------------------------------------------------===//
// Choosing studies
//===----------------------------------------------------------------------===//

/// A study by its name, or by the beginning of its key.
static bool isCalled(const StudyInfo &info, const std::string &study) {
  // Less of a key would often mean several.
  constexpr size_t leastLength = 4;
  return study.empty() || info.name == study ||
         (study.size() >= leastLength && info.key.starts_with(study));
}

static Result<std::vector<StudyInfo>> findStudies(const Journal &journal,
                                                  const std::string &path,
                                                  const std::string &study) {
  Result<std::vector<StudyInfo>> studies = journal.studies();
  if (!studies)
    return studies;
  std::erase_if(*studies,
                [&](const StudyInfo &info) { return !isCalled(info, study); });
  if (studies->empty() && !study.empty())
    return Error{ErrorCode::NotFound,
                 "database '" + path + "' has no study '" + study +
                     "': baco study list shows which it has"};
  return studies;
}

static Result<StudySummary> readStudy(const Journal &journal,
                                      const StudyInfo &info) {
  Result<std::vector<Trial>> trials = journal.trials(info.key);
  if (!trials)
    return trials.error();
  return StudySummary(info, std::move(*trials));
}

/// That the options don't name one study.
static Error notOne(const std::string &path,
                    const std::vector<StudyInfo> &studies) {
  std::string names;
  for (const StudyInfo &info : studies)
    names += (names.empty() ? "" : ", ") + shortKey(info) + " (" +
             report::printable(info.name) + ")";
  return {ErrorCode::InvalidArgument,
          "database '" + path + "' has " +
              (names.empty()
                   ? "no study"
                   : "several studies: choose one with --study: " + names)};
}

/// The one study that the options name.
static Result<StudySummary> readOne(const Arguments &arguments) {
  const std::string &path = arguments.positional().front();
  Result<Journal> journal = Journal::openReadOnly(path);
  if (!journal)
    return journal.error();
  auto studies = findStudies(*journal, path, arguments.get("study"));
  if (!studies)
    return studies.error();
  if (studies->size() != 1)
    return notOne(path, *studies);
  return readStudy(*journal, studies->front());
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
  return success;
}

static int show(const Arguments &arguments) {
  static constexpr std::string_view formats[] = {"text", "json"};
  Result<std::string> format = arguments.oneOf("format", formats);
  if (!format)
    return complain(format.error());
  Result<StudySummary> study = readOne(arguments);
  if (!study)
    return complain(study.error());
  print(*format == "json" ? writeStudyJson(*study) : writeStudyText(*study));
  return success;
}

static int exportTrials(const Arguments &arguments) {
  static constexpr std::string_view formats[] = {"json", "csv"};
  Result<std::string> format = arguments.oneOf("format", formats);
  if (!format)
    return complain(format.error());
  Result<StudySummary> study = readOne(arguments);
  if (!study)
    return complain(study.error());
  const std::string &kernel = study->info.name;
  Result<std::string> text =
      *format == "csv"
          ? writeTrialsCsv(study->trials, kernel)
          : Result<std::string>(writeTrialsJsonl(study->trials, kernel));
  if (!text)
    return complain(text.error());
  if (!arguments.has("output")) {
    print(*text);
    return success;
  }
  std::error_code missing;
  if (std::filesystem::equivalent(arguments.get("output"),
                                  arguments.positional().front(), missing))
    return misuse("--output names the database itself");
  Result<void> written =
      database::writeFileAtomically(arguments.get("output"), *text);
  return written ? success : complain(written.error());
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

/// Adds one study of `from`. Prints what happened.
static Result<void> mergeStudy(Journal &into, const Journal &from,
                               const StudyInfo &info, const std::string &path) {
  Result<std::vector<Trial>> theirs = from.trials(info.key);
  if (!theirs)
    return theirs.error();
  Result<StudyJournal> writer = into.openStudy(info);
  if (!writer)
    return writer.error();
  Result<std::vector<Trial>> mine = writer->trials();
  if (!mine)
    return mine.error();
  std::string name = report::printable(info.name) + " (" + shortKey(info) + ")";
  std::string line = name + ": ";
  database::MergeReport report;
  if (mine->empty()) {
    // A whole study goes on as it would have.
    report.added = theirs->size();
    mine = std::move(theirs);
  } else {
    report = database::uniteTrials(*mine, *theirs);
  }
  if (report.added + report.filled > 0)
    if (Result<void> done = writer->replaceTrials(*mine); !done)
      return done;
  print(line + std::to_string(report.added) + " new, " +
        std::to_string(report.filled) + " completed, " +
        std::to_string(report.same) + " the same, " +
        std::to_string(report.conflicts.size()) + " in conflict\n");
  auto describe = [](const Outcome &outcome) {
    return outcome.status == Status::Ok
               ? report::formatTime(outcome.timeNs)
               : std::string(statusName(outcome.status));
  };
  for (const auto &conflict : report.conflicts)
    print("  conflict: " + report::printable(conflict.configuration) + ": " +
          describe(conflict.kept) + " stays, not " +
          describe(conflict.dropped) + " of '" + report::printable(path) +
          "'\n");
  return {};
}

/// That nobody is writing to one of these studies: all are changed, or none.
static Result<void> checkIdle(const Journal &journal,
                              const std::vector<StudyInfo> &studies) {
  for (const StudyInfo &info : studies)
    if (Result<void> idle = journal.checkIdle(info.key); !idle)
      return idle;
  return {};
}

static int merge(const Arguments &arguments) {
  const std::vector<std::string> &paths = arguments.positional();
  if (paths.size() < 2)
    return misuse("merge needs a database to merge into, and others");
  // Nothing is made or changed unless all can be read.
  std::vector<Journal> sources;
  for (size_t i = 1; i < paths.size(); ++i) {
    Result<Journal> from = Journal::openReadOnly(paths[i]);
    if (!from)
      return complain(from.error());
    sources.push_back(std::move(*from));
  }
  Result<Journal> into = Journal::open(paths.front());
  if (!into)
    return complain(into.error());
  std::vector<std::vector<StudyInfo>> all;
  for (const Journal &source : sources) {
    Result<std::vector<StudyInfo>> studies = source.studies();
    if (!studies)
      return complain(studies.error());
    all.push_back(std::move(*studies));
  }
  for (const std::vector<StudyInfo> &studies : all)
    if (Result<void> idle = checkIdle(*into, studies); !idle)
      return complain(idle.error());
  for (size_t i = 0; i < sources.size(); ++i)
    for (const StudyInfo &info : all[i])
      if (Result<void> done = mergeStudy(*into, sources[i], info, paths[i + 1]);
          !done)
        return complain(done.error());
  return success;
}

//===----------------------------------------------------------------------===//
// Pruning
//===----------------------------------------------------------------------===//

/// Seconds of "30d" or "12h".
static Result<uint64_t> parseAge(const std::string &text) {
  std::string digits = text.substr(0, text.size() - 1);
  uint64_t unit = text.ends_with('d') ? 86400 : text.ends_with('h') ? 3600 : 0;
  // A century is enough.
  constexpr size_t maxDigits = 6;
  if (unit == 0 || digits.empty() || digits.size() > maxDigits ||
      digits.find_first_not_of("0123456789") != std::string::npos)
    return Error{ErrorCode::InvalidArgument,
                 "option '--older-than' must be a number of days or hours, "
                 "such as 30d or 12h, but is '" +
                     text + "'"};
  return std::stoul(digits) * unit;
}

/// The moment so many seconds ago, as studies have it.
static std::string momentBefore(uint64_t seconds) {
  std::time_t moment = std::time(nullptr) - static_cast<std::time_t>(seconds);
  std::tm utc = {};
  gmtime_r(&moment, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

static Result<void> pruneStudy(Journal &journal, const StudyInfo &info,
                               std::optional<uint64_t> numBest, bool isDryRun) {
  Result<std::vector<Trial>> trials = journal.trials(info.key);
  if (!trials)
    return trials.error();
  std::string name = report::printable(info.name) + " (" + shortKey(info) + ")";
  if (!numBest) {
    Result<void> removed;
    if (!isDryRun)
      removed = journal.removeStudy(info.key);
    if (removed)
      print(name + ": deleted, with " + std::to_string(trials->size()) +
            " trials\n");
    return removed;
  }
  std::vector<Trial> kept = database::keepBest(*trials, *numBest);
  if (!isDryRun) {
    Result<StudyJournal> writer = journal.openStudy(info);
    if (!writer)
      return writer.error();
    // A tuner may have gone on until it was locked out.
    trials = writer->trials();
    if (!trials)
      return trials.error();
    kept = database::keepBest(*trials, *numBest);
    if (Result<void> done = writer->replaceTrials(kept); !done)
      return done;
  }
  print(name + ": kept " + std::to_string(kept.size()) + " of " +
        std::to_string(trials->size()) + " trials\n");
  return {};
}

static int prune(const Arguments &arguments) {
  const std::string &path = arguments.positional().front();
  std::string study = arguments.get("study");
  if (study.empty() && !arguments.has("older-than") &&
      !arguments.has("keep-best"))
    return misuse("prune needs to know what to delete: --study, --older-than "
                  "or --keep-best");
  Result<std::optional<uint64_t>> numBest = arguments.number("keep-best", 1);
  if (!numBest)
    return complain(numBest.error());
  std::string latest;
  if (arguments.has("older-than")) {
    Result<uint64_t> age = parseAge(arguments.get("older-than"));
    if (!age)
      return complain(age.error());
    latest = momentBefore(*age);
  }
  // `open` would make a missing one.
  if (Result<Journal> reader = Journal::openReadOnly(path); !reader)
    return complain(reader.error());
  bool isDryRun = arguments.has("dry-run");
  Result<Journal> journal =
      isDryRun ? Journal::openReadOnly(path) : Journal::open(path);
  if (!journal)
    return complain(journal.error());
  auto studies = findStudies(*journal, path, study);
  if (!studies)
    return complain(studies.error());
  // A name that several have is no reason to delete all.
  if (!study.empty() && studies->size() != 1)
    return complain(notOne(path, *studies));
  if (!latest.empty())
    std::erase_if(*studies,
                  [&](const StudyInfo &info) { return info.used > latest; });
  if (Result<void> idle = checkIdle(*journal, *studies); !idle)
    return complain(idle.error());
  for (const StudyInfo &info : *studies)
    if (Result<void> done = pruneStudy(*journal, info, *numBest, isDryRun);
        !done)
      return complain(done.error());
  if (isDryRun)
    return success;
  Result<void> compacted = journal->compact();
  return compacted ? success : complain(compacted.error());
}

//===----------------------------------------------------------------------===//
// The command line
//===----------------------------------------------------------------------===//

namespace {
struct Command {
  std::string_view name;
  int (*run)(const Arguments &);
  std::vector<OptionSpec> options;
  /// Only one database.
  bool takesOne = true;
};
} // namespace

int tool::runStudyCommand(std::span<const std::string_view> words) {
  static const Command commands[] = {
      {"list", list, {{"format"}}},
      {"show", show, {{"study"}, {"format"}}},
      {"export", exportTrials, {{"study"}, {"format"}, {"output"}}},
      {"merge", merge, {}, /*takesOne=*/false},
      {"prune",
       prune,
       {{"study"}, {"older-than"}, {"keep-best"}, {"dry-run", false}}}};
  if (words.empty())
    return misuse("'baco study' needs a command");
  if (std::find(words.begin(), words.end(), "--help") != words.end()) {
    print(usage);
    return success;
  }
  auto command = std::find_if(
      std::begin(commands), std::end(commands),
      [&](const Command &known) { return known.name == words.front(); });
  if (command == std::end(commands))
    return misuse("unknown command 'study " + std::string(words.front()) + "'");
  Result<Arguments> arguments =
      Arguments::parse(words.subspan(1), command->options);
  if (!arguments)
    return misuse(arguments.error().message);
  if (command->takesOne && arguments->positional().size() != 1)
    return misuse("'study " + std::string(command->name) +
                  "' needs the name of one database");
  return command->run(*arguments);
}
