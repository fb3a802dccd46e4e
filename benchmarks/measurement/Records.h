//===- Records.h - What was measured, in a file -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One line of JSON for each comparison, written as soon as it is done, so that
// a run that was stopped goes on where it was.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_MEASUREMENT_RECORDS_H
#define BACO_BENCHMARKS_MEASUREMENT_RECORDS_H

#include "baco/Support/Result.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace baco::bench {

/// One final comparison, as the tuner makes it.
struct Record {
  /// "equal": three names of the same code. "longer": the first takes 3.1 %
  /// longer than the others.
  std::string kind, kernel;
  /// The number of the comparison of this kind, from 0.
  int number = 0;
  /// Time of the first ÷ time of the best of the others, and its interval.
  double ratio = 0, low = 0, high = 0;
  int rounds = 0;
  /// Whether the tuner would replace the first.
  bool isClaim = false;
};

/// The records of a file, and of this run.
class Records {
public:
  /// Reads `path`, if it exists, and appends to it from then on; an empty path
  /// keeps records in memory. IOError if it can't be written; Corrupt if it
  /// holds something else than records. A last line that was cut off is
  /// dropped.
  static Result<Records> open(const std::string &path);

  /// The record of a comparison, if it was made before.
  const Record *find(const std::string &kind, int number) const;
  Result<void> add(const Record &record);

  const std::vector<Record> &all() const { return records; }

private:
  struct Close {
    void operator()(std::FILE *file) const { std::fclose(file); }
  };
  std::vector<Record> records;
  std::string path;
  std::unique_ptr<std::FILE, Close> file;
};

} // namespace baco::bench

#endif // BACO_BENCHMARKS_MEASUREMENT_RECORDS_H
