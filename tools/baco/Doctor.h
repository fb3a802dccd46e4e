//===- Doctor.h - Limits of measuring on a machine -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_DOCTOR_H
#define BACO_TOOLS_BACO_DOCTOR_H

#include <string>
#include <vector>

namespace baco::tool {

/// What was found out about one thing.
struct Finding {
  enum class Level {
    /// As it should be.
    Good,
    /// Can't be known, or matters to few.
    Note,
    /// Makes times wrong or uncertain, or something impossible.
    Warning
  };
  Level level = Level::Good;
  /// One or two words: "governor".
  std::string topic;
  std::string text;
  /// What to do about it; empty if there is nothing.
  std::string remedy = {};
};

std::string_view levelName(Finding::Level level);

/// What the system's files under `root` (`/`, or a copy of another machine's)
/// say of its CPUs, memory and load, where CPU `measured` measures.
std::vector<Finding> examineSystem(const std::string &root, int measured);

/// How much the times of equal work on CPU `measured` differ. Takes about a
/// second.
Finding examineNoise(int measured);

/// The programs and libraries that some features need.
std::vector<Finding> examinePrograms();

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_DOCTOR_H
