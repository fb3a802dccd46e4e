//===- Commands.h - The commands of baco ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each command takes the words behind its name, and returns the exit code.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_COMMANDS_H
#define BACO_TOOLS_BACO_COMMANDS_H

#include "Arguments.h"

#include <span>
#include <string_view>

namespace baco::tool {

/// Runs `baco cluster` and returns its exit code.
int runClusterCommand(std::span<const std::string_view> words);

/// `words` are the arguments behind `doctor`. Returns the exit code.
int runDoctorCommand(std::span<const std::string_view> words);

/// `baco report`; returns the exit code.
int runReportCommand(std::span<const std::string_view> words);

/// Runs `baco serve` with these words behind it; the exit code.
int runServeCommand(std::span<const std::string_view> words);

/// `baco space WORDS...`; returns the exit code.
int runSpaceCommand(std::span<const std::string_view> words);

/// `baco study WORDS...`; returns the exit code.
int runStudyCommand(std::span<const std::string_view> words);

/// The exit code after the output: a failed write, such as on a full disk, is
/// an error.
int finishOutput(int code);

/// `baco tensor WORDS...`; returns the exit code.
int runTensorCommand(std::span<const std::string_view> words);

/// Runs `baco tune` with these words behind it; the exit code.
int runTuneCommand(std::span<const std::string_view> words);

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_COMMANDS_H
