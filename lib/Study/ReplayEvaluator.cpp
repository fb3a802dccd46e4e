//===- ReplayEvaluator.cpp - Outcomes from a table ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything is read at the start; a candidate is a look-up.
//
//===----------------------------------------------------------------------===//

#include "baco/Study/ReplayEvaluator.h"

#include "ReplayTable.h"

#include "baco/Database/Export.h"
#include "baco/Database/Files.h"
#include "baco/Database/Journal.h"
#include "baco/Database/StudyKey.h"
#include "baco/Database/Validation.h"
#include "baco/Format/OpenResults.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Support/Complaint.h"

#include <filesystem>
#include <unistd.h>

using namespace baco;
using namespace baco::study;
using database::Final;
using database::Journal;
using database::StudyInfo;
using database::Trial;

/// The outcomes of the trials of one study. All trials of a search are in its
/// space, so that a trial outside of this space shows that the study belongs to
/// another one.
static RecordedOutcomes collect(const std::vector<Trial> &trials,
                                const Space &space) {
  Recording recording(space);
  for (const Trial &trial : trials) {
    if (!trial.outcome)
      continue;
    std::string where = "trial " + std::to_string(trial.number);
    auto configuration = readConfiguration(space, trial.configuration);
    if (!configuration)
      fail({ErrorCode::InvalidArgument, where + " belongs to another space: " +
                                            configuration.error().message});
    recording.add(configuration, *trial.outcome, where);
  }
  return need(recording.take());
}

static std::string shortKey(const StudyInfo &info) {
  constexpr size_t numDigits = 8;
  return info.key.substr(0, numDigits);
}

/// Whether a study matches: by the beginning of its key if that is given, else
/// by the name of its kernel.
static bool isMeant(const StudyInfo &info, std::string_view kernel,
                    std::string_view key) {
  if (!key.empty())
    return info.key.starts_with(key);
  return kernel.empty() || info.name == kernel;
}

namespace {

/// A study, or its export.
struct RecordedStudy {
  std::vector<Trial> trials;
  std::vector<Final> finals;
};

} // namespace

/// The study that `ReplayEvaluator::open` describes. If there are several,
/// `note` says which it is.
static RecordedStudy findRecorded(const Journal &journal, const Space &space,
                                  std::string_view kernel, std::string_view key,
                                  std::string &note) {
  std::string names;
  std::optional<Error> firstReason;
  std::vector<std::string> fitting;
  RecordedStudy chosen;
  for (const StudyInfo &info : need(journal.studies())) {
    if (!isMeant(info, kernel, key)) {
      names += (names.empty() ? "'" : ", '") + info.name + "'" +
               (key.empty() ? "" : " (" + shortKey(info) + ")");
      continue;
    }
    std::vector<Trial> trials = need(journal.trials(info.key));
    auto outcomes = attempt([&] { return collect(trials, space); });
    if (outcomes && fitting.empty())
      chosen = {std::move(trials), need(journal.finals(info.key))};
    if (outcomes)
      fitting.push_back(shortKey(info));
    else if (!firstReason)
      firstReason =
          Error{outcomes.error().code,
                "study '" + info.name + "': " + outcomes.error().message};
  }
  if (fitting.size() > 1) {
    note = "replayed study " + fitting.front() +
           ", the first of several that fit; choose another with "
           "replay:FILE#KEY:";
    for (size_t i = 1; i < fitting.size(); ++i)
      note += (i == 1 ? " " : ", ") + fitting[i];
  }
  if (!fitting.empty())
    return chosen;
  if (firstReason)
    fail(*firstReason);
  std::string of = !key.empty() ? " with the key '" + std::string(key) + "'"
                   : !kernel.empty()
                       ? " of the kernel '" + std::string(kernel) + "'"
                       : "";
  fail({ErrorCode::NotFound,
        "it has no study" + of + (names.empty() ? "" : ", but of " + names)});
}

/// Takes `#STUDY` off, unless there is a file of the whole name.
static std::string takeKey(std::string &path) {
  size_t hash = path.rfind('#');
  if (hash == std::string::npos || access(path.c_str(), F_OK) == 0)
    return std::string();
  std::string key = path.substr(hash + 1);
  constexpr size_t fewestDigits = 4;
  if (key.size() < fewestDigits)
    fail({ErrorCode::InvalidArgument,
          "cannot replay '" + path +
              "': write at least 4 digits of a study's key after the '#' (see "
              "'baco study list')"});
  path.resize(hash);
  return key;
}

namespace {

/// The outcomes in a file, and the text for its fingerprint.
struct Contents {
  RecordedOutcomes outcomes;
  RecordedFinals finals;
  std::string text;
};

} // namespace

static Contents contentsOf(RecordedStudy study, const Space &space) {
  RecordedOutcomes outcomes = collect(study.trials, space);
  // The fingerprint is of the outcomes only: a file may change in other ways,
  // and its final comparison has no effect on a search.
  std::string text;
  for (Trial &trial : study.trials) {
    if (!trial.outcome)
      continue;
    // It was read before.
    trial.configuration = writeConfiguration(
        space, *readConfiguration(space, trial.configuration));
    Trial told = trial;
    told.failure.reset();
    text += database::writeTrialsJsonl({told});
  }
  return Contents{std::move(outcomes),
                  {std::move(study.trials), std::move(study.finals)},
                  std::move(text)};
}

/// Results of another tool; those outside of the space are ignored.
static RecordedOutcomes collect(const TuningResults &all, const Space &space,
                                std::string_view kernel) {
  if (!kernel.empty() && !all.kernel.empty() && all.kernel != kernel)
    fail({ErrorCode::InvalidArgument, "results of the kernel '" + all.kernel +
                                          "', not of '" + std::string(kernel) +
                                          "'"});
  Recording recording(space);
  for (size_t i = 0; i < all.results.size(); ++i) {
    const TuningResult &result = all.results[i];
    std::string where = "result " + std::to_string(i);
    if (std::string wrong = database::findMistake(result.outcome);
        !wrong.empty())
      fail({ErrorCode::Corrupt, where + ": " + wrong});
    recording.add(toConfiguration(space, result.assignment), result.outcome,
                  where);
  }
  return need(recording.take());
}

static Contents readText(std::string text, const std::string &path,
                         const Space &space, std::string_view kernel,
                         const ResultColumns *columns) {
  if (text.starts_with("\x1f\x8b"))
    fail({ErrorCode::Unsupported,
          "the file is compressed: unpack it with gunzip"});
  if (std::optional<ResultFormat> format = findResultFormat(text)) {
    RecordedOutcomes outcomes =
        collect(need(readResults(text, *format, path)), space, kernel);
    return {std::move(outcomes), {}, std::move(text)};
  }
  size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '{') {
    RecordedStudy study;
    study.trials = need(database::readTrialsJsonl(text, kernel, &study.finals));
    return contentsOf(std::move(study), space);
  }
  RecordedOutcomes outcomes =
      need(readReplayTable(text, space, kernel, columns));
  return {std::move(outcomes), {}, std::move(text)};
}

Result<std::unique_ptr<ReplayEvaluator>>
ReplayEvaluator::open(const std::string &name, const Space &space,
                      std::string_view kernel, const ResultColumns *columns) {
  std::string path = name, note;
  return attempt([&] {
    std::string key = takeKey(path);
    std::error_code missing;
    bool isEmpty = std::filesystem::file_size(path, missing) == 0;
    std::optional<Journal> journal;
    std::string text;
    if (!isEmpty && database::isDatabase(path))
      journal.emplace(need(Journal::openReadOnly(path)));
    else if (!isEmpty)
      text = need(database::readFile(path));
    if (!isEmpty && !journal && !key.empty())
      fail({ErrorCode::InvalidArgument,
            "cannot replay '" + name +
                "': only databases have studies to choose from"});
    auto contents = attempt([&] {
      return journal
                 ? contentsOf(findRecorded(*journal, space, kernel, key, note),
                              space)
                 : readText(std::move(text), path, space, kernel, columns);
    });
    if (!contents)
      fail({contents.error().code,
            "cannot replay '" + path + "': " + contents.error().message});
    std::unique_ptr<ReplayEvaluator> evaluator(
        new ReplayEvaluator(path, space, std::move(contents->outcomes),
                            database::contentHash(contents->text)));
    evaluator->recordedFinals = std::move(contents->finals);
    evaluator->note = std::move(note);
    return evaluator;
  });
}

ReplayEvaluator::ReplayEvaluator(std::string path, Space space,
                                 RecordedOutcomes outcomes,
                                 std::string contentHash)
    : path(std::move(path)), space(std::move(space)),
      outcomes(std::move(outcomes)), hash(std::move(contentHash)) {}

std::string ReplayEvaluator::exportOutcomes() const {
  std::vector<Trial> trials;
  for (const auto &[point, outcome] : outcomes) {
    Trial &trial = trials.emplace_back();
    trial.number = trials.size() - 1;
    trial.configuration =
        writeConfiguration(space, space.toConfiguration(point));
    trial.outcome = outcome;
  }
  return database::writeTrialsJsonl(trials);
}

Result<void> ReplayEvaluator::submit(uint64_t trial,
                                     const Configuration &configuration) {
  Result<Point> point = space.toPoint(configuration);
  if (!point)
    return point.error();
  auto found = outcomes.find(*point);
  if (found == outcomes.end())
    return Error{ErrorCode::NotFound,
                 "no outcome of " + writeConfiguration(space, configuration) +
                     " is recorded in '" + path + "'"};
  submitted[trial] = found->second;
  return {};
}

Result<Outcome> ReplayEvaluator::wait(uint64_t trial) {
  auto found = submitted.find(trial);
  if (found == submitted.end())
    return Error{ErrorCode::InvalidArgument,
                 "trial " + std::to_string(trial) + " was not submitted"};
  Outcome outcome = std::move(found->second);
  submitted.erase(found);
  // The same search cancels it again. Another search finds no outcome.
  if (outcome.status == Status::Cancelled)
    return Error{ErrorCode::NotFound,
                 "trial " + std::to_string(trial) +
                     " was cancelled, not evaluated, when '" + path +
                     "' was recorded: replay with the same search, seed and "
                     "number in flight"};
  return outcome;
}

void ReplayEvaluator::cancel(uint64_t trial) { submitted.erase(trial); }

std::string ReplayEvaluator::fingerprint() const { return "replay:" + hash; }
