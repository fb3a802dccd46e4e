//===- StudyCommand.h - baco study ------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_STUDYCOMMAND_H
#define BACO_TOOLS_BACO_STUDYCOMMAND_H

#include "Arguments.h"

namespace baco::tool {

/// `baco study WORDS...`; returns the exit code.
int runStudyCommand(std::span<const std::string_view> words);

/// The exit code after the output: a failed write, such as on a full disk, is
/// an error.
int finishOutput(int code);

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_STUDYCOMMAND_H
