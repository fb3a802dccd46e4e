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

#include "StudyTables.h"

#include "CommandGroup.h"
#include "StudyChoice.h"

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
static void mergeStudy(Journal &into, const Journal &from,
                       const StudyInfo &info, const std::string &path) {
  std::vector<Trial> theirs = need(from.trials(info.key));
  std::vector<Final> theirFinals = need(from.finals(info.key));
  StudyJournal writer = need(into.openStudy(info));
  std::vector<Trial> mine = need(writer.trials());
  std::vector<Final> finals = need(writer.finals());
  std::string name = report::printable(info.name) + " (" + shortKey(info) + ")";
  std::string line = name + ": ";
  database::MergeReport report;
  size_t numFinals = finals.size();
  if (mine.empty()) {
    // A whole study goes on as it would have.
    report.added = theirs.size();
    mine = std::move(theirs);
    finals = std::move(theirFinals);
  } else {
    report = database::uniteTrials(mine, theirs);
    finals = database::uniteFinals(finals, theirFinals, theirs, mine);
  }
  if (report.added + report.filled > 0 || finals.size() != numFinals)
    need(writer.replaceTrials(mine, finals));
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
}

/// Adds the entries of tuned libraries that `into` doesn't have. Prints how
/// many.
static void mergeEntries(Journal &into, const Journal &from) {
  std::vector<EntryText> entries = need(from.entries());
  if (entries.empty())
    return;
  size_t added = need(into.storeEntries(entries, /*keepsOld=*/true));
  print("tuned library: " + std::to_string(added) + " new, " +
        std::to_string(entries.size() - added) + " known already\n");
}

/// Checks that none of these studies is being written: all are changed, or
/// none.
static void checkIdle(const Journal &journal,
                      const std::vector<StudyInfo> &studies) {
  for (const StudyInfo &info : studies)
    need(journal.checkIdle(info.key));
}

int tool::mergeStudies(const Arguments &arguments) {
  const std::vector<std::string> &paths = arguments.positional();
  if (paths.size() < 2)
    return misuse(
        "study", "merge needs a database to merge into and at least one other");
  // Check that all can be read before anything is changed.
  std::vector<Journal> sources;
  for (size_t i = 1; i < paths.size(); ++i)
    sources.push_back(need(Journal::openReadOnly(paths[i])));
  Journal into = need(Journal::open(paths.front()));
  std::vector<std::vector<StudyInfo>> all;
  for (const Journal &source : sources)
    all.push_back(need(source.studies()));
  for (const std::vector<StudyInfo> &studies : all)
    checkIdle(into, studies);
  for (size_t i = 0; i < sources.size(); ++i)
    for (const StudyInfo &info : all[i])
      mergeStudy(into, sources[i], info, paths[i + 1]);
  for (const Journal &source : sources)
    mergeEntries(into, source);
  return allDone;
}

/// Seconds of "30d" or "12h".
static uint64_t parseAge(const std::string &text) {
  std::string digits = text.substr(0, text.size() - 1);
  uint64_t unit = text.ends_with('d') ? 86400 : text.ends_with('h') ? 3600 : 0;
  // A century is enough.
  constexpr size_t maxDigits = 6;
  if (unit == 0 || digits.empty() || digits.size() > maxDigits ||
      digits.find_first_not_of("0123456789") != std::string::npos)
    fail({ErrorCode::InvalidArgument,
          "option '--older-than' must be a number of days or hours, "
          "such as 30d or 12h, but is '" +
              text + "'"});
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

static void pruneStudy(Journal &journal, const StudyInfo &info,
                       std::optional<uint64_t> numBest, bool isDryRun) {
  std::vector<Trial> trials = need(journal.trials(info.key));
  std::string name = report::printable(info.name) + " (" + shortKey(info) + ")";
  if (!numBest) {
    if (!isDryRun)
      need(journal.removeStudy(info.key));
    print(name + (isDryRun ? ": would be deleted, with " : ": deleted, with ") +
          std::to_string(trials.size()) + " trials\n");
    return;
  }
  std::vector<Final> finals = need(journal.finals(info.key));
  if (StudySummary(info, trials, finals).objectives.areSeveral())
    fail({ErrorCode::InvalidArgument,
          name + " has several results, so that no few trials are the "
                 "best: name other studies with --study, or leave "
                 "--keep-best out"});
  std::vector<Trial> kept = database::keepBest(trials, *numBest, finals);
  if (!isDryRun) {
    StudyJournal writer = need(journal.openStudy(info));
    // A tuner may have gone on until it was locked out.
    trials = need(writer.trials());
    finals = need(writer.finals());
    kept = database::keepBest(trials, *numBest, finals);
    need(writer.replaceTrials(kept, database::keepLast(finals, trials, kept)));
  }
  print(name + (isDryRun ? ": would keep " : ": kept ") +
        std::to_string(kept.size()) + " of " + std::to_string(trials.size()) +
        " trials\n");
}

int tool::pruneStudies(const Arguments &arguments) {
  const std::string &path = arguments.positional().front();
  std::string study = arguments.get("study");
  if (study.empty() && !arguments.has("older-than") &&
      !arguments.has("keep-best"))
    return misuse("study",
                  "prune needs one of --study, --older-than and --keep-best");
  std::optional<uint64_t> numBest = arguments.number("keep-best", 1);
  std::string latest;
  if (arguments.has("older-than"))
    latest = momentBefore(parseAge(arguments.get("older-than")));
  // `open` would make a missing one.
  need(Journal::openReadOnly(path));
  bool isDryRun = arguments.has("dry-run");
  Journal journal =
      need(isDryRun ? Journal::openReadOnly(path) : Journal::open(path));
  auto studies = findStudies(journal, path, study);
  // A name that several have is no reason to delete all.
  if (!study.empty() && studies.size() != 1)
    return complain(notOne(path, studies));
  if (!latest.empty())
    std::erase_if(studies,
                  [&](const StudyInfo &info) { return info.used > latest; });
  checkIdle(journal, studies);
  for (const StudyInfo &info : studies)
    pruneStudy(journal, info, numBest, isDryRun);
  if (!isDryRun)
    need(journal.compact());
  return allDone;
}
