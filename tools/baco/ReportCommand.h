//===- ReportCommand.h - baco report ----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_REPORTCOMMAND_H
#define BACO_TOOLS_BACO_REPORTCOMMAND_H

#include <span>
#include <string_view>

namespace baco::tool {

/// `baco report`; returns the exit code.
int runReportCommand(std::span<const std::string_view> words);

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_REPORTCOMMAND_H
