//===- StudyCompare.cpp - baco study compare ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudyTables.h"
#include "baco/Report/Units.h"
#include "baco/StudyReport/StudyJson.h"
#include "baco/Support/Complaint.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::studyreport;
using namespace baco::tool;
using database::Trial;

namespace {
/// The course of one search.
struct Course {
  const StudySummary *study;
  /// The best cost after 1, 2, ... evaluations; NaN before the first trial that
  /// works.
  std::vector<double> incumbents;

  /// After how many evaluations a cost of at most `goal` was known; nullopt:
  /// after none.
  std::optional<size_t> evaluationsUntil(double goal) const {
    auto reached = std::ranges::find_if(
        incumbents, [&](double cost) { return cost <= goal; });
    if (reached == incumbents.end())
      return std::nullopt;
    return static_cast<size_t>(reached - incumbents.begin()) + 1;
  }

  /// The incumbent after so many evaluations; nullopt if there were fewer, or
  /// none that works.
  std::optional<double> after(size_t evaluations) const {
    if (evaluations > incumbents.size() ||
        std::isnan(incumbents[evaluations - 1]))
      return std::nullopt;
    return incumbents[evaluations - 1];
  }
};

/// Searches of one space, whose results have one unit.
struct ComparedStudies {
  std::vector<Course> courses;
  CostUnit unit = CostUnit::Nanoseconds;
  /// The study with the best result; unset if nothing works.
  std::optional<size_t> winner;
  /// A quarter, a half and all of the evaluations of the longest search.
  std::vector<size_t> points;
  /// Parameters with different values in the best configurations, and the value
  /// for each study; null without a best one.
  std::vector<std::pair<std::string, std::vector<Json>>> differences;
  /// Facts that make results hard to compare.
  std::vector<std::string> notes;

  double bestCost() const { return costOfBest(*courses[*winner].study); }
  /// The largest cost that is so near the best one.
  double goal(double margin) const {
    return bestCost() + margin * std::abs(bestCost());
  }
  static double costOfBest(const StudySummary &study) {
    return costOf(study.trials[*study.fastest]);
  }
};

/// How near the best result of all is near.
struct Margin {
  double share;
  const char *title, *member;
};
} // namespace

static constexpr Margin margins[] = {
    {0.05, "within 5 %", "evaluations_within_5_percent"},
    {0.01, "within 1 %", "evaluations_within_1_percent"}};

static Course courseOf(const StudySummary &study) {
  Course course{&study, {}};
  for (std::optional<size_t> best : incumbentsOf(study))
    course.incumbents.push_back(best ? costOf(study.trials[*best])
                                     : std::nan(""));
  return course;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The members of a space's parameters, by name.
static std::map<std::string, Json> parametersOf(const Json &space) {
  std::map<std::string, Json> parameters;
  if (space.is_object() && space.contains("parameters"))
    for (const Json &parameter : space["parameters"])
      if (parameter.is_object())
        if (Json name = parameter.value("name", Json()); name.is_string())
          parameters.emplace(name.get<std::string>(), parameter);
  return parameters;
}

/// The first difference between two spaces, which there is.
static std::string describeDifference(const std::string &a,
                                      const std::string &b) {
  auto first = parametersOf(parseOrText(a)),
       second = parametersOf(parseOrText(b));
  auto quote = [](const std::string &name) {
    return "parameter '" + report::printable(name) + "' ";
  };
  for (const auto &[name, parameter] : first) {
    auto found = second.find(name);
    if (found == second.end())
      return quote(name) + "is only in the first";
    if (found->second != parameter)
      return quote(name) + "differs";
  }
  for (const auto &[name, parameter] : second)
    if (!first.contains(name))
      return quote(name) + "is only in the second";
  return "the constraints differ";
}

/// Whether two studies can be compared at all.
static void checkComparable(const StudySummary &a, const StudySummary &b) {
  auto refuse = [&](const std::string &what, const std::string &reason) {
    fail({ErrorCode::InvalidArgument, "studies " + nameOf(a) + " and " +
                                          nameOf(b) + " have different " +
                                          what + ": " + reason});
  };
  if (a.info.space != b.info.space)
    return refuse("spaces", describeDifference(a.info.space, b.info.space) +
                                "; name studies of one space");
  if (a.objectives.text() != b.objectives.text() ||
      a.objectives.orderText() != b.objectives.orderText())
    return refuse("objectives", "'" + a.objectives.text() + "' by '" +
                                    a.objectives.orderText() + "' and '" +
                                    b.objectives.text() + "' by '" +
                                    b.objectives.orderText() +
                                    "'; name studies of one");
  if (a.fastest && b.fastest && a.unit() != b.unit())
    return refuse("units of results",
                  std::string(unitName(a.unit())) + " and " +
                      std::string(unitName(b.unit())) +
                      "; name studies with one kind of result");
}

/// The members of the metadata that say what was run, and where.
static std::vector<std::string>
findNotes(const std::vector<StudySummary> &studies) {
  std::vector<std::string> notes;
  const StudySummary &first = studies.front();
  for (const char *name : {"about", "structure", "compile", "run"}) {
    auto other = std::ranges::find_if(studies, [&](const StudySummary &study) {
      return metadataOf(study, name) != metadataOf(first, name);
    });
    if (other != studies.end())
      notes.push_back("'" + std::string(name) + "' of " + nameOf(first) +
                      " and " + nameOf(*other) +
                      " differs: their results may not be comparable (baco "
                      "study show)");
  }
  return notes;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

static std::vector<size_t> choosePoints(const std::vector<Course> &courses) {
  size_t longest = 0;
  for (const Course &course : courses)
    longest = std::max(longest, course.incumbents.size());
  std::vector<size_t> points;
  for (size_t parts : {4, 2, 1})
    if (size_t point = (longest + parts - 1) / parts;
        point > 0 && (points.empty() || points.back() < point))
      points.push_back(point);
  return points;
}

static std::vector<std::pair<std::string, std::vector<Json>>>
findDifferences(const std::vector<StudySummary> &studies) {
  std::vector<std::pair<std::string, std::vector<Json>>> table;
  // Studies of one space have the same parameters.
  for (size_t i = 0; i < studies.size(); ++i) {
    if (!studies[i].fastest)
      continue;
    Json configuration =
        parseOrText(studies[i].trials[*studies[i].fastest].configuration);
    for (const auto &[name, value] : configuration.items()) {
      auto row = std::ranges::find_if(
          table, [&](const auto &entry) { return entry.first == name; });
      if (row == table.end())
        row = table.insert(
            row, {name, std::vector<Json>(studies.size(), Json(nullptr))});
      row->second[i] = value;
    }
  }
  std::erase_if(table, [&](const auto &row) {
    const Json *first = nullptr;
    for (size_t i = 0; i < studies.size(); ++i) {
      if (!studies[i].fastest)
        continue;
      if (first && row.second[i] != *first)
        return false;
      first = &row.second[i];
    }
    return true;
  });
  return table;
}

static ComparedStudies compare(const std::vector<StudySummary> &studies) {
  ComparedStudies compared;
  const StudySummary *reference = nullptr;
  for (const StudySummary &study : studies) {
    if (study.objectives.areSeveral())
      fail({ErrorCode::InvalidArgument,
            nameOf(study) + " has several results, of which none is the "
                            "one to compare: see 'study front'"});
    checkComparable(studies.front(), study);
    // The first study may have no result, and so no unit.
    if (study.fastest && !reference)
      reference = &study;
    if (reference)
      checkComparable(*reference, study);
    compared.courses.push_back(courseOf(study));
    if (study.fastest && (!compared.winner || ComparedStudies::costOfBest(
                                                  study) < compared.bestCost()))
      compared.winner = compared.courses.size() - 1;
  }
  if (reference)
    compared.unit = reference->unit();
  compared.points = choosePoints(compared.courses);
  compared.differences = findDifferences(studies);
  compared.notes = findNotes(studies);
  return compared;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// A value for people; a dash for null.
static std::string writeValue(const Json &value) {
  return value.is_null()     ? "-"
         : value.is_string() ? report::printable(value.get<std::string>())
                             : printJson(value);
}

/// The name of a study, and its file if there are several.
static std::string labelOf(const StudySummary &study,
                           const ComparedStudies &compared) {
  bool hasFiles =
      std::ranges::any_of(compared.courses, [&](const Course &course) {
        return course.study->path != study.path;
      });
  return (hasFiles ? report::printable(study.path) + "#" : std::string()) +
         report::printable(study.info.name);
}

static std::vector<std::string> writeRow(const Course &course,
                                         const ComparedStudies &compared) {
  const StudySummary &study = *course.study;
  auto cost = [&](std::optional<double> value) {
    return value ? report::formatCost(*value, compared.unit) : "-";
  };
  std::vector<std::string> row = {
      shortKey(study.info),
      labelOf(study, compared),
      writeValue(metadataOf(study, "optimizer")),
      writeValue(metadataOf(study, "seed")),
      std::to_string(study.numEvaluations()),
      std::to_string(study.numFailed()),
      study.fastest ? cost(ComparedStudies::costOfBest(study)) : "-"};
  for (const Margin &margin : margins) {
    std::optional<size_t> reached =
        compared.winner ? course.evaluationsUntil(compared.goal(margin.share))
                        : std::nullopt;
    row.push_back(reached ? std::to_string(*reached) : "-");
  }
  for (size_t point : compared.points)
    row.push_back(cost(course.after(point)));
  return row;
}

static std::string writeDifferences(const ComparedStudies &compared) {
  if (compared.differences.empty())
    return "the best configurations are the same\n";
  std::vector<std::vector<std::string>> rows = {{"best"}};
  for (const Course &course : compared.courses)
    rows.front().push_back(shortKey(course.study->info));
  for (const auto &[name, values] : compared.differences) {
    rows.push_back({report::printable(name)});
    for (const Json &value : values)
      rows.back().push_back(writeValue(value));
  }
  return report::alignColumns(rows);
}

static std::string writeText(const ComparedStudies &compared) {
  std::vector<std::vector<std::string>> rows = {
      {"key", "name", "technique", "seed", "trials", "failed", "best"}};
  for (const Margin &margin : margins)
    rows.front().emplace_back(margin.title);
  for (size_t point : compared.points)
    rows.front().push_back("after " + std::to_string(point));
  for (const Course &course : compared.courses)
    rows.push_back(writeRow(course, compared));
  std::string text = report::alignColumns(rows);
  if (!compared.winner)
    return text + "no candidate works\n";
  text += "within: the evaluations until a trial was so near " +
          report::formatCost(compared.bestCost(), compared.unit) +
          ", the best of all; after: the best of so many evaluations\n\n" +
          writeDifferences(compared);
  for (const std::string &note : compared.notes)
    text += "note: " + note + "\n";
  return text;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static Json courseJson(const Course &course, const ComparedStudies &compared) {
  const StudySummary &study = *course.study;
  Json json = {{"database", study.path},
               {"key", study.info.key},
               {"name", study.info.name},
               {"optimizer", metadataOf(study, "optimizer")},
               {"seed", metadataOf(study, "seed")},
               {"evaluations", study.numEvaluations()},
               {"pending", study.numPending()},
               {"failed", study.numFailed()},
               {"statuses", statusesJson(study)},
               {"best", nullptr}};
  if (study.fastest) {
    const Trial &trial = study.trials[*study.fastest];
    json["best"] = {{"trial", trial.number},
                    {"time_ns", costOf(trial)},
                    {"configuration", parseOrText(trial.configuration)}};
  }
  for (const Margin &margin : margins) {
    std::optional<size_t> reached =
        compared.winner ? course.evaluationsUntil(compared.goal(margin.share))
                        : std::nullopt;
    json[margin.member] = reached ? Json(*reached) : Json(nullptr);
  }
  json["after"] = Json::array();
  for (size_t point : compared.points) {
    std::optional<double> cost = course.after(point);
    json["after"].push_back({{"evaluations", point},
                             {"time_ns", cost ? Json(*cost) : Json(nullptr)}});
  }
  return json;
}

static std::string writeJson(const ComparedStudies &compared) {
  Json json = {{"unit", unitName(compared.unit)},
               {"best_time_ns",
                compared.winner ? Json(compared.bestCost()) : Json(nullptr)},
               {"studies", Json::array()},
               {"differences", Json::object()},
               {"notes", compared.notes}};
  for (const Course &course : compared.courses)
    json["studies"].push_back(courseJson(course, compared));
  for (const auto &[name, values] : compared.differences)
    json["differences"][name] = values;
  return toText(json);
}

std::string tool::compareStudies(const std::vector<StudySummary> &studies,
                                 bool isJson) {
  ComparedStudies compared = compare(studies);
  return isJson ? writeJson(compared) : writeText(compared);
}
