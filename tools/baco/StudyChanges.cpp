//===- StudyChanges.cpp - baco study merge, prune -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both lock each study that they change, so that a tuner at work is safe from
// them.
//
//===----------------------------------------------------------------------===//

#include "StudyChanges.h"

#include "CommandGroup.h"
#include "StudyChoice.h"
#include "StudyTables.h"

#include "baco/Database/Merge.h"
#include "baco/Report/Units.h"
#include "baco/Support/CostUnit.h"

#include <ctime>

using namespace baco;
using namespace baco::studyreport;
using namespace baco::tool;
using database::Final;
using database::Journal;
using database::StudyInfo;
using database::StudyJournal;
using database::Trial;

/// Adds one study of `from`. Prints what happened.
static Result<void> mergeStudy(Journal &into, const Journal &from,
                               const StudyInfo &info, const std::string &path) {
  Result<std::vector<Trial>> theirs = from.trials(info.key);
  if (!theirs)
    return theirs.error();
  Result<std::vector<Final>> theirFinals = from.finals(info.key);
  if (!theirFinals)
    return theirFinals.error();
  Result<StudyJournal> writer = into.openStudy(info);
  if (!writer)
    return writer.error();
  Result<std::vector<Trial>> mine = writer->trials();
  if (!mine)
    return mine.error();
  Result<std::vector<Final>> finals = writer->finals();
  if (!finals)
    return finals.error();
  std::string name = report::printable(info.name) + " (" + shortKey(info) + ")";
  std::string line = name + ": ";
  database::MergeReport report;
  size_t numFinals = finals->size();
  if (mine->empty()) {
    // A whole study goes on as it would have.
    report.added = theirs->size();
    mine = std::move(theirs);
    finals = std::move(theirFinals);
  } else {
    report = database::uniteTrials(*mine, *theirs);
    finals = database::uniteFinals(*finals, *theirFinals, *theirs, *mine);
  }
  if (report.added + report.filled > 0 || finals->size() != numFinals)
    if (Result<void> done = writer->replaceTrials(*mine, *finals); !done)
      return done;
  print(line + std::to_string(report.added) + " new, " +
        std::to_string(report.filled) + " completed, " +
        std::to_string(report.same) + " the same, " +
        std::to_string(report.conflicts.size()) + " in conflict\n");
  auto describe = [](const Outcome &outcome) {
    return outcome.status == Status::Ok
               ? report::formatCost(outcome.timeNs, costUnitOf(outcome))
               : std::string(statusName(outcome.status));
  };
  for (const auto &conflict : report.conflicts)
    print("  conflict: " + report::printable(conflict.configuration) + ": " +
          describe(conflict.kept) + " kept, not " + describe(conflict.dropped) +
          " of '" + report::printable(path) + "'\n");
  return {};
}

/// Adds the entries of tuned libraries that `into` doesn't have. Prints how
/// many.
static Result<void> mergeEntries(Journal &into, const Journal &from) {
  Result<std::vector<EntryText>> entries = from.entries();
  if (!entries)
    return entries.error();
  if (entries->empty())
    return {};
  Result<size_t> added = into.storeEntries(*entries, /*keepsOld=*/true);
  if (!added)
    return added.error();
  print("tuned library: " + std::to_string(*added) + " new, " +
        std::to_string(entries->size() - *added) + " known already\n");
  return {};
}

/// Checks that none of these studies is being written: all are changed, or
/// none.
static Result<void> checkIdle(const Journal &journal,
                              const std::vector<StudyInfo> &studies) {
  for (const StudyInfo &info : studies)
    if (Result<void> idle = journal.checkIdle(info.key); !idle)
      return idle;
  return {};
}

int tool::mergeStudies(const Arguments &arguments) {
  const std::vector<std::string> &paths = arguments.positional();
  if (paths.size() < 2)
    return misuse(
        "study", "merge needs a database to merge into and at least one other");
  // Check that all can be read before anything is changed.
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
  for (const Journal &source : sources)
    if (Result<void> done = mergeEntries(*into, source); !done)
      return complain(done.error());
  return allDone;
}

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
      print(name +
            (isDryRun ? ": would be deleted, with " : ": deleted, with ") +
            std::to_string(trials->size()) + " trials\n");
    return removed;
  }
  Result<std::vector<Final>> finals = journal.finals(info.key);
  if (!finals)
    return finals.error();
  if (StudySummary(info, *trials, *finals).objectives.areSeveral())
    return Error{ErrorCode::InvalidArgument,
                 name + " has several results, so that no few trials are the "
                        "best: name other studies with --study, or leave "
                        "--keep-best out"};
  std::vector<Trial> kept = database::keepBest(*trials, *numBest, *finals);
  if (!isDryRun) {
    Result<StudyJournal> writer = journal.openStudy(info);
    if (!writer)
      return writer.error();
    // A tuner may have gone on until it was locked out.
    trials = writer->trials();
    if (!trials)
      return trials.error();
    finals = writer->finals();
    if (!finals)
      return finals.error();
    kept = database::keepBest(*trials, *numBest, *finals);
    if (Result<void> done = writer->replaceTrials(
            kept, database::keepLast(*finals, *trials, kept));
        !done)
      return done;
  }
  print(name + (isDryRun ? ": would keep " : ": kept ") +
        std::to_string(kept.size()) + " of " + std::to_string(trials->size()) +
        " trials\n");
  return {};
}

int tool::pruneStudies(const Arguments &arguments) {
  const std::string &path = arguments.positional().front();
  std::string study = arguments.get("study");
  if (study.empty() && !arguments.has("older-than") &&
      !arguments.has("keep-best"))
    return misuse("study",
                  "prune needs one of --study, --older-than and --keep-best");
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
    return allDone;
  Result<void> compacted = journal->compact();
  return compacted ? allDone : complain(compacted.error());
}
