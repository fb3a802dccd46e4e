//===- CompilerLog.cpp - First error of a compiler ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Device/CompilerLog.h"

using namespace baco;

std::string runtime::firstError(std::string_view log) {
  std::string first;
  while (!log.empty()) {
    std::string_view line = log.substr(0, log.find_first_of("\r\n\0", 0, 3));
    log.remove_prefix(std::min(line.size() + 1, log.size()));
    if (line.find_first_not_of(" \t") == std::string_view::npos)
      continue;
    if (line.find("error") != std::string_view::npos)
      return std::string(line);
    if (first.empty())
      first = line;
  }
  return first;
}
