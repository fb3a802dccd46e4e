//===- BenchmarkSpace.h - A space and its times -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a search is replayed on: a space all of whose configurations have a
// known time, read from a folder or computed by a formula.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_SEARCH_BENCHMARKSPACE_H
#define BACO_BENCHMARKS_SEARCH_BENCHMARKSPACE_H

#include "baco/Space/Space.h"

#include <functional>
#include <map>

namespace baco::bench {

/// A space and the times of its configurations. Safe from any thread once made.
class BenchmarkSpace {
public:
  /// The time of a configuration, > 0; nullopt if it fails (a hidden
  /// constraint).
  using TimeOf =
      std::function<std::optional<double>(const Configuration &configuration)>;

  /// Evaluates all configurations. InvalidArgument, naming the space, if it is
  /// infinite or has more than 10 million of them, if all fail, or if a time
  /// isn't positive and finite. O(number of configurations). The group: see
  /// group().
  static Result<BenchmarkSpace> compute(std::string name, Space space,
                                        const TimeOf &timeOf,
                                        std::string group = "");

  /// Reads a folder with `space.json`, a space as readAnySpace has it, and
  /// `results.csv` or `results.csv.gz`: a header, a column for each parameter,
  /// `time`, and `valid` (0 or 1) or `status`. If the table is called
  /// `measured.csv` or `measured.csv.gz`, it may lack configurations; if it
  /// does, a TimePredictor makes up all times from it. `expert.json`, if it is
  /// there, is the configuration of an expert. The name is the folder's,
  /// unless there is another one.
  /// Errors: IOError; Corrupt; InvalidArgument as above, if a configuration
  /// isn't in `results.csv`, or if the expert's fails.
  static Result<BenchmarkSpace> read(const std::string &folder,
                                     std::string name = "");

  const std::string &name() const { return spaceName; }
  /// Where its folder lies, if it was read.
  const std::string &group() const { return spaceGroup; }
  const Space &space() const { return searchSpace; }
  size_t numValid() const { return times.size(); }
  /// The least and the largest time of a valid configuration.
  double best() const { return bestTime; }
  double worst() const { return worstTime; }
  /// The expert's time, if there is an expert.
  std::optional<double> expert() const { return expertTime; }
  /// If times are predicted: from how many, and how well (crossValidate).
  struct Prediction {
    size_t numMeasured;
    double rankCorrelation;
  };
  const std::optional<Prediction> &prediction() const { return predicted; }

  /// The time of a point of this space, or of a space with the same parameters
  /// and fewer constraints; nullopt if it fails or violates a constraint.
  std::optional<double> time(const Point &point) const;

private:
  BenchmarkSpace(std::string name, Space space)
      : spaceName(std::move(name)), searchSpace(std::move(space)) {}

  /// Sets `expertTime` from a file with a configuration.
  Result<void> readExpert(const std::string &file);

  std::string spaceName, spaceGroup;
  Space searchSpace;
  /// Of the valid configurations.
  std::map<Point, double> times;
  double bestTime = 0, worstTime = 0;
  std::optional<double> expertTime;
  std::optional<Prediction> predicted;
};

/// Reads every folder below `folder` that holds a space, in the order of their
/// paths from there, which are the names (`spmv/bayer10`); or only `folder` if
/// it holds one. NotFound if there is none; else the errors of
/// BenchmarkSpace::read.
Result<std::vector<BenchmarkSpace>> readSpaces(const std::string &folder);

} // namespace baco::bench

#endif // BACO_BENCHMARKS_SEARCH_BENCHMARKSPACE_H
