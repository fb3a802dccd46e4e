//===- PtxasReport.cpp - Parser of the report of ptxas --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The output of `ptxas -v` is documented nowhere, but has been the same from
// CUDA 4 to 13.
//
//===----------------------------------------------------------------------===//

#include "baco/Device/Ptxas.h"

#include <charconv>

using namespace baco;
using namespace baco::runtime;

/// Calls `f` with each line.
template <typename F>
static void forEachLine(std::string_view text, F f) {
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    f(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// The number in front of `words` in `line`; 0 if there is none.
static int64_t numberBefore(std::string_view line, std::string_view words) {
  size_t end = line.find(words);
  if (end == std::string_view::npos)
    return 0;
  size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9')
    --begin;
  int64_t number = 0;
  std::from_chars(line.data() + begin, line.data() + end, number);
  return number;
}

std::map<std::string, KernelResources>
runtime::parsePtxasReport(std::string_view text) {
  constexpr std::string_view compiling = "Compiling entry function '",
                             properties = "Function properties for ";
  std::map<std::string, KernelResources> kernels;
  KernelResources *kernel = nullptr;
  // Functions that a kernel calls have properties, too.
  bool isOfKernel = false;
  std::string name;
  forEachLine(text, [&](std::string_view line) {
    if (size_t at = line.find(compiling); at != std::string_view::npos) {
      std::string_view rest = line.substr(at + compiling.size());
      name = rest.substr(0, rest.find('\''));
      kernel = &kernels[name];
      return;
    }
    if (size_t at = line.find(properties); at != std::string_view::npos) {
      isOfKernel = line.substr(at + properties.size()) == name;
      return;
    }
    if (!kernel)
      return;
    if (line.find("bytes stack frame") != std::string_view::npos) {
      if (!isOfKernel)
        return;
      kernel->stackBytes = numberBefore(line, " bytes stack frame");
      kernel->spillBytes = numberBefore(line, " bytes spill stores") +
                           numberBefore(line, " bytes spill loads");
    } else if (line.find(": Used ") != std::string_view::npos) {
      kernel->registers = numberBefore(line, " registers");
      kernel->sharedBytes = numberBefore(line, " bytes smem");
    }
  });
  return kernels;
}

std::string runtime::findPtxasError(std::string_view text) {
  std::string_view first, error;
  forEachLine(text, [&](std::string_view line) {
    if (first.empty() &&
        line.find_first_not_of(" \t\r") != std::string_view::npos)
      first = line;
    for (std::string_view word : {"error", "fatal"})
      if (size_t at = line.find(word);
          error.empty() && at != std::string_view::npos)
        if (size_t colon = line.find(": ", at); colon != std::string_view::npos)
          error = line.substr(colon + 2);
  });
  return std::string(error.empty() ? first : error);
}
