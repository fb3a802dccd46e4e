//===- ProgramSpace.h - Spaces of programs ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_PROGRAMSPACE_H
#define BACO_TOOLS_BACO_PROGRAMSPACE_H

#include "Arguments.h"

#include "baco/Command/ClientEvaluator.h"
#include "baco/Space/Space.h"

namespace baco::tool {

/// A space, and what a scenario says of its search.
struct ProgramSpace {
  Space space;
  /// The name of the file without its ending.
  std::string name;
  std::string optimizer = "baco";
  uint64_t budget = 60;
  double timeLimitSeconds = 0;
  /// The columns of results, and whether a client evaluates.
  study::ResultColumns columns = {};
  bool isClientServer = false;
  /// Trials before the first model; 0: the technique's own number.
  uint64_t initialDesign = 0;
};

/// Reads a file in any format of spaces. Keys of a scenario that have no effect
/// are reported on standard error. InvalidArgument, naming the place; also if
/// the scenario has settings that would change a result, and aren't supported.
ProgramSpace readProgramSpace(const std::string &path);

/// The options --objectives and --order, or what a scenario has instead.
study::Objectives readObjectives(const Arguments &arguments,
                                 const ProgramSpace &input);

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_PROGRAMSPACE_H
