//===- BenchmarkSpace.cpp - A space and its times -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file is read through zlib, which passes on what isn't compressed.
//
//===----------------------------------------------------------------------===//

#include "BenchmarkSpace.h"

#include "ReplayTable.h"
#include "TimePredictor.h"

#include "baco/Format/Scenario.h"
#include "baco/Format/SpaceFormat.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

using namespace baco;
using namespace baco::bench;
namespace fs = std::filesystem;

/// More would not fit in memory with their times.
static constexpr uint64_t maxConfigurations = 10'000'000;

Result<BenchmarkSpace> BenchmarkSpace::compute(std::string name, Space space,
                                               const TimeOf &timeOf,
                                               std::string group) {
  std::optional<uint64_t> count = space.countIfSmall();
  if (!count || *count > maxConfigurations)
    return {ErrorCode::InvalidArgument,
            name + ": a benchmark has at most " +
                std::to_string(maxConfigurations) + " configurations, but " +
                (count ? std::to_string(*count) + " are feasible"
                       : "this space is infinite")};
  BenchmarkSpace result(std::move(name), std::move(space));
  result.spaceGroup = std::move(group);
  result.bestTime = std::numeric_limits<double>::infinity();
  for (uint64_t k = 0; k < *count; ++k) {
    Point point = result.searchSpace.at(k);
    std::optional<double> time =
        timeOf(result.searchSpace.toConfiguration(point));
    if (!time)
      continue;
    if (!std::isfinite(*time) || *time <= 0)
      return {ErrorCode::InvalidArgument,
              result.spaceName +
                  ": times must be positive and finite, but one is " +
                  std::to_string(*time)};
    result.times.emplace(std::move(point), *time);
    result.bestTime = std::min(result.bestTime, *time);
    result.worstTime = std::max(result.worstTime, *time);
  }
  if (result.times.empty())
    return {ErrorCode::InvalidArgument,
            result.spaceName + ": no configuration is valid"};
  return result;
}

std::optional<double> BenchmarkSpace::time(const Point &point) const {
  auto found = times.find(point);
  return found == times.end() ? std::nullopt : std::optional(found->second);
}

/// The contents of a file, decompressed if it was compressed.
static Result<std::string> readFile(const std::string &path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (!file)
    return {ErrorCode::IOError, path + ": cannot be opened"};
  std::string text;
  char buffer[1 << 16];
  int length;
  while ((length = gzread(file, buffer, sizeof(buffer))) > 0)
    text.append(buffer, static_cast<size_t>(length));
  if (gzclose(file) != Z_OK || length < 0)
    return {ErrorCode::IOError, path + ": cannot be read to its end"};
  return text;
}

namespace {
/// The table of a folder.
struct Table {
  std::string csv;
  /// It may lack configurations.
  bool isPartial;
};
} // namespace

static Result<Table> readTable(const std::string &folder) {
  for (bool isPartial : {false, true})
    for (const char *suffix : {".csv", ".csv.gz"}) {
      std::string path =
          folder + (isPartial ? "/measured" : "/results") + suffix;
      if (!fs::exists(path))
        continue;
      Result<std::string> csv = readFile(path);
      if (!csv)
        return csv.error();
      return Table{std::move(*csv), isPartial};
    }
  return {ErrorCode::NotFound, folder + ": has none of results.csv, "
                                        "results.csv.gz, measured.csv and "
                                        "measured.csv.gz"};
}

/// The times of all points of a small space, of which some were measured. Those
/// are predicted, too: what noise made better than all around it couldn't be
/// found by any search.
static std::map<Point, std::optional<double>>
predictAll(const Space &space, const MeasuredPoints &measured) {
  std::vector<Point> points;
  for (uint64_t k = 0; k < *space.countIfSmall(); ++k)
    points.push_back(space.at(k));
  std::vector<std::optional<double>> predicted =
      TimePredictor(space, measured).predict(points);
  std::map<Point, std::optional<double>> times;
  for (size_t i = 0; i < points.size(); ++i)
    times.emplace(std::move(points[i]), predicted[i]);
  return times;
}

Result<BenchmarkSpace> BenchmarkSpace::read(const std::string &folder,
                                            std::string name) {
  Result<std::string> text = readFile(folder + "/space.json");
  if (!text)
    return text.error();
  Result<Space> read = readAnySpace(*text);
  if (!read)
    return {read.error().code, folder + "/space.json: " + read.error().message};
  const Space &space = *read;
  Result<Table> table = readTable(folder);
  if (!table)
    return table.error();
  Result<study::RecordedOutcomes> outcomes =
      study::readReplayTable(table->csv, space);
  if (!outcomes)
    return {outcomes.error().code,
            folder + ": results: " + outcomes.error().message};
  bool isWhole = space.count() == std::to_string(outcomes->size());
  if (!isWhole && !table->isPartial)
    return {ErrorCode::InvalidArgument,
            folder + ": " + space.count() +
                " configurations are feasible, but the table has results of " +
                std::to_string(outcomes->size())};
  fs::path path = fs::absolute(folder).lexically_normal();
  if (!path.has_filename())
    path = path.parent_path();
  if (name.empty())
    name = path.filename();
  MeasuredPoints measured;
  for (const auto &[point, outcome] : *outcomes) {
    measured.points.push_back(point);
    measured.times.push_back(outcome.status == Status::Ok
                                 ? std::optional(outcome.timeNs)
                                 : std::nullopt);
  }
  std::map<Point, std::optional<double>> times;
  auto timeOf = [&](const Configuration &c) -> std::optional<double> {
    Result<Point> point = space.toPoint(c);
    assert(point && "a configuration of the space");
    auto found = times.find(*point);
    return found == times.end() ? std::nullopt : found->second;
  };
  // Else `compute` complains.
  std::optional<uint64_t> count = space.countIfSmall();
  bool canPredict = count && *count <= maxConfigurations &&
                    std::ranges::any_of(measured.times,
                                        [](const std::optional<double> &time) {
                                          return time.has_value();
                                        });
  if (!isWhole && canPredict)
    times = predictAll(space, measured);
  else
    for (size_t i = 0; i < measured.points.size(); ++i)
      times.emplace(measured.points[i], measured.times[i]);
  Result<BenchmarkSpace> result =
      compute(std::move(name), space, timeOf, path.parent_path());
  if (!result)
    return result;
  if (!isWhole)
    result->predicted = {measured.points.size(),
                         crossValidate(space, measured)};
  std::string expert = folder + "/expert.json";
  if (fs::exists(expert))
    if (Result<void> done = result->readExpert(expert); !done)
      return done.error();
  return result;
}

Result<void> BenchmarkSpace::readExpert(const std::string &file) {
  Result<std::string> text = readFile(file);
  if (!text)
    return text.error();
  Result<Configuration> configuration = readConfiguration(searchSpace, *text);
  if (!configuration)
    return {configuration.error().code,
            file + ": " + configuration.error().message};
  Result<Point> point = searchSpace.toPoint(*configuration);
  if (!point)
    return {point.error().code, file + ": " + point.error().message};
  expertTime = time(*point);
  if (!expertTime)
    return {ErrorCode::InvalidArgument,
            file + ": the configuration isn't in the table, or failed"};
  return {};
}

Result<std::vector<BenchmarkSpace>>
bench::readSpaces(const std::string &folder) {
  std::vector<fs::path> folders;
  std::error_code error;
  if (fs::exists(folder + "/space.json"))
    folders.emplace_back(folder);
  else
    for (const fs::directory_entry &entry :
         fs::recursive_directory_iterator(folder, error))
      if (entry.path().filename() == "space.json")
        folders.push_back(entry.path().parent_path());
  if (folders.empty())
    return {ErrorCode::NotFound,
            folder + ": has no space.json, nor has a folder in it"};
  std::sort(folders.begin(), folders.end());
  std::vector<BenchmarkSpace> spaces;
  for (const fs::path &each : folders) {
    Result<BenchmarkSpace> space = BenchmarkSpace::read(
        each.string(),
        each == folder ? "" : each.lexically_relative(folder).generic_string());
    if (!space)
      return space.error();
    spaces.push_back(std::move(*space));
  }
  return spaces;
}
