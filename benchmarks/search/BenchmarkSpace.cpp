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

#include "baco/Format/Scenario.h"

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
                                               const TimeOf &timeOf) {
  std::optional<uint64_t> count = space.countIfSmall();
  if (!count || *count > maxConfigurations)
    return {ErrorCode::InvalidArgument,
            name + ": a benchmark has at most " +
                std::to_string(maxConfigurations) + " configurations, but " +
                (count ? std::to_string(*count) + " are feasible"
                       : "this space is infinite")};
  BenchmarkSpace result(std::move(name), std::move(space));
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

static Result<std::string> readResults(const std::string &folder) {
  for (const char *name : {"/results.csv", "/results.csv.gz"})
    if (fs::exists(folder + name))
      return readFile(folder + name);
  return {ErrorCode::NotFound,
          folder + ": has neither results.csv nor results.csv.gz"};
}

Result<BenchmarkSpace> BenchmarkSpace::read(const std::string &folder) {
  Result<std::string> scenario = readFile(folder + "/space.json");
  if (!scenario)
    return scenario.error();
  Result<Scenario> read = readScenario(*scenario);
  if (!read)
    return {read.error().code, folder + "/space.json: " + read.error().message};
  Result<std::string> csv = readResults(folder);
  if (!csv)
    return csv.error();
  const Space &space = read->space;
  Result<study::RecordedOutcomes> outcomes =
      study::readReplayTable(*csv, space);
  if (!outcomes)
    return {outcomes.error().code,
            folder + ": results: " + outcomes.error().message};
  if (space.count() != std::to_string(outcomes->size()))
    return {ErrorCode::InvalidArgument,
            folder + ": " + space.count() +
                " configurations are feasible, but the table has results of " +
                std::to_string(outcomes->size())};
  auto timeOf = [&](const Configuration &c) -> std::optional<double> {
    Result<Point> point = space.toPoint(c);
    assert(point && "a configuration of the space");
    auto outcome = outcomes->find(*point);
    if (outcome == outcomes->end() || outcome->second.status != Status::Ok)
      return std::nullopt;
    return outcome->second.timeNs;
  };
  fs::path path(folder);
  if (!path.has_filename())
    path = path.parent_path();
  return compute(path.filename().string(), space, timeOf);
}

Result<std::vector<BenchmarkSpace>>
bench::readSpaces(const std::string &folder) {
  std::vector<std::string> folders;
  std::error_code error;
  if (fs::exists(folder + "/space.json"))
    folders.push_back(folder);
  else
    for (const fs::directory_entry &entry :
         fs::directory_iterator(folder, error))
      if (fs::exists(entry.path() / "space.json"))
        folders.push_back(entry.path().string());
  if (folders.empty())
    return {ErrorCode::NotFound,
            folder + ": has no space.json, nor has a folder in it"};
  std::sort(folders.begin(), folders.end());
  std::vector<BenchmarkSpace> spaces;
  for (const std::string &each : folders) {
    Result<BenchmarkSpace> space = BenchmarkSpace::read(each);
    if (!space)
      return space.error();
    spaces.push_back(std::move(*space));
  }
  return spaces;
}
