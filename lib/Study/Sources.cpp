//===- Sources.cpp - Studies to learn from --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Study/Sources.h"

#include "LibrarySources.h"
#include "baco/Database/Journal.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Report/Units.h"
#include "baco/Search/FirstPoints.h"
#include "baco/Support/Complaint.h"
#include "baco/Support/Json.h"

#include <algorithm>
#include <set>
#include <unistd.h>

using namespace baco;
using namespace baco::study;
using database::Journal;
using database::StudyInfo;
using search::TransferSource;

static Error wrong(const std::string &message) {
  return {ErrorCode::InvalidArgument, message};
}

namespace {

/// The database and the study that a part of the list names.
struct Place {
  std::string path, study;
};

} // namespace

static Place placeOf(const std::string &part, const std::string &database) {
  auto exists = [](const std::string &path) {
    return access(path.c_str(), F_OK) == 0;
  };
  size_t hash = part.rfind('#');
  bool isFile = hash == std::string::npos || exists(part);
  if (!isFile)
    return Place{part.substr(0, hash), part.substr(hash + 1)};
  if (exists(part) || isLibrary(part))
    return Place{part, ""};
  if (database.empty())
    fail(wrong("no file '" + part +
               "', and there is no database whose study that could be"));
  return Place{database, part};
}

/// A text that the tool has noted; empty if it hasn't. `about`: the kernel and
/// the machine. `structure`: the structure of the kernel.
static std::string noteOf(const StudyInfo &info, const char *name) {
  Json metadata = tryParseJson(info.metadata);
  if (!metadata.is_object())
    return "";
  auto note = metadata.find(name);
  return note != metadata.end() && note->is_string() ? note->get<std::string>()
                                                     : "";
}

static TransferSource readStudy(const Journal &journal, const StudyInfo &info) {
  Space space = need(readSpace(info.space));
  constexpr size_t numDigits = 8;
  std::string name = info.name;
  if (std::string about = noteOf(info, "about"); !about.empty())
    name += " " + about;
  name += " (" + info.key.substr(0, numDigits) + ")";
  TransferSource source{report::printable(name), std::move(space)};
  for (const database::Trial &trial : need(journal.trials(info.key)))
    if (trial.works())
      source.trials.push_back(
          {need(readConfiguration(source.space, trial.configuration)),
           {trial.outcome->timeNs, true}});
  source.trials = search::informativeTrials(std::move(source.trials));
  return source;
}

/// Whether a source says anything about a space.
static bool teaches(const TransferSource &source, const Space &space) {
  return !source.trials.empty() &&
         !search::CommonSpace(source.space, space).isEmpty();
}

bool study::haveSameNames(const Space &a, const Space &b) {
  return a.parameters().size() == b.parameters().size() &&
         std::ranges::all_of(a.parameters(), [&](const Parameter &parameter) {
           return b.indexOf(parameter.name()).has_value();
         });
}

namespace {

/// A study, by its key.
struct FoundStudy {
  std::string key;
  TransferSource source;
};

/// Collects sources from journals and libraries.
class SourceFinder {
public:
  explicit SourceFinder(const Learner &learner) : learner(learner) {}

  /// The studies or entries of one part of the list.
  void add(const Place &place) {
    if (isLibrary(place.path))
      return take(need(readLibrarySources(place.path, place.study, learner)));
    std::vector<FoundStudy> found =
        read(place.path, [&](const StudyInfo &info) {
          return place.study.empty() || isCalled(info, place.study);
        });
    if (numRead == 0)
      fail(wrong("database '" + place.path + "' has no " +
                 (learner.key.empty() ? "" : "other ") + "study" +
                 (place.study.empty() ? "" : " '" + place.study + "'") +
                 ": 'baco study list' shows its studies"));
    takeStudies(std::move(found));
  }

  /// Studies and entries that are alike.
  void addAlike() {
    addAlikeOf(learner.database);
    std::vector<TransferSource> entries;
    for (const std::string &library : learner.libraries)
      std::ranges::move(need(readAlikeEntries(library, learner)),
                        std::back_inserter(entries));
    entries.erase(entries.begin() +
                      ptrdiff_t(std::min(mostAlike, entries.size())),
                  entries.end());
    take(std::move(entries));
  }

  std::vector<TransferSource> finish() { return std::move(sources); }

private:
  /// The most sources that nobody has named.
  static constexpr size_t mostAlike = 4;

  void take(std::vector<TransferSource> found) {
    std::ranges::move(found, std::back_inserter(sources));
  }

  void takeStudies(std::vector<FoundStudy> found) {
    for (FoundStudy &study : found)
      if (known.insert(study.key).second)
        sources.push_back(std::move(study.source));
  }

  /// The studies of a database that are alike, the last used first: those of
  /// the learner's structure, or else those with the same knobs.
  void addAlikeOf(const std::string &path) {
    if (path.empty() || access(path.c_str(), F_OK) != 0)
      return;
    std::vector<FoundStudy> found = read(path, [&](const StudyInfo &info) {
      return !learner.structure.empty() &&
             noteOf(info, "structure") == learner.structure;
    });
    if (found.empty()) {
      found = read(path, [](const StudyInfo &) { return true; });
      std::erase_if(found, [&](const FoundStudy &study) {
        return !haveSameNames(study.source.space, learner.space);
      });
    }
    found.erase(found.begin() + ptrdiff_t(std::min(mostAlike, found.size())),
                found.end());
    takeStudies(std::move(found));
  }

  /// The studies that teach something, the last used first.
  std::vector<FoundStudy>
  read(const std::string &path,
       const std::function<bool(const StudyInfo &)> &isMeant) {
    Journal journal = need(Journal::openReadOnly(path));
    std::vector<StudyInfo> studies = need(journal.studies());
    std::ranges::sort(studies, std::greater(), [](const StudyInfo &info) {
      return std::pair(info.used, info.key);
    });
    numRead = 0;
    std::vector<FoundStudy> found;
    for (const StudyInfo &info : studies) {
      if (info.key == learner.key || !isMeant(info))
        continue;
      ++numRead;
      auto source = attempt([&] { return readStudy(journal, info); });
      if (!source)
        fail({source.error().code, "database '" + path + "', study '" +
                                       info.name +
                                       "': " + source.error().message});
      if (teaches(*source, learner.space))
        found.push_back({info.key, std::move(*source)});
    }
    return found;
  }

  const Learner &learner;
  /// Keys of `sources`.
  std::set<std::string> known;
  std::vector<TransferSource> sources;
  /// How many studies `read` has read.
  size_t numRead = 0;
};

} // namespace

Result<std::vector<TransferSource>> study::findSources(std::string_view text,
                                                       const Learner &learner) {
  SourceFinder finder(learner);
  return attempt([&] {
    while (!text.empty()) {
      size_t comma = std::min(text.find(','), text.size());
      std::string part(text.substr(0, comma));
      text.remove_prefix(std::min(comma + 1, text.size()));
      if (part == "auto")
        finder.addAlike();
      else if (!part.empty())
        finder.add(placeOf(part, learner.database));
    }
    return finder.finish();
  });
}

Result<std::string>
study::writeSources(const std::vector<TransferSource> &sources) {
  Json list = Json::array();
  for (const TransferSource &source : sources) {
    Result<std::string> space =
        writeSpace(source.space, /*withLocations=*/false);
    if (!space)
      return space.error();
    Json trials = Json::array();
    for (const TransferSource::Trial &trial : source.trials)
      trials.push_back({writeConfiguration(source.space, trial.configuration),
                        trial.observation.feasible
                            ? Json(trial.observation.objective)
                            : Json()});
    list.push_back({{"name", source.name},
                    {"space", std::move(*space)},
                    {"trials", std::move(trials)}});
  }
  return printJson(list);
}

/// Throws Json::exception for another form.
static TransferSource readSource(const Json &json) {
  TransferSource source{json.at("name").get<std::string>(),
                        need(readSpace(json.at("space").get<std::string>()))};
  for (const Json &trial : json.at("trials")) {
    search::Observation observation;
    observation.feasible = !trial.at(1).is_null();
    if (observation.feasible)
      observation.objective = trial.at(1).get<double>();
    source.trials.push_back(
        {need(readConfiguration(source.space, trial.at(0).get<std::string>())),
         observation});
  }
  return source;
}

Result<std::vector<TransferSource>> study::readSources(std::string_view json) {
  std::vector<TransferSource> sources;
  Error other{ErrorCode::Corrupt, "expected a list of studies to learn from"};
  Json list = tryParseJson(json);
  if (!list.is_array())
    return other;
  try {
    for (const Json &each : list)
      sources.push_back(readSource(each));
  } catch (const Json::exception &) {
    return other;
  } catch (const Complaint &complaint) {
    return {ErrorCode::Corrupt, complaint.error.message};
  }
  return sources;
}
