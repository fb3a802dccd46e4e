//===- KernelList.cpp - Kernels to measure --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelList.h"

#include <sstream>

using namespace baco;
using namespace baco::bench;

Result<std::vector<ListedKernel>>
baco::bench::readKernelList(std::istream &stream, int numArguments) {
  std::vector<ListedKernel> kernels;
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (line.empty() || line[0] == '#')
      continue;
    auto corrupt = [&](const std::string &what) {
      return Error{ErrorCode::Corrupt,
                   "line " + std::to_string(number) + ": " + what};
    };
    ListedKernel kernel;
    std::istringstream words(line);
    words >> kernel.id >> kernel.file >> kernel.name;
    for (unsigned &size : kernel.launch.grid)
      words >> size;
    for (unsigned &size : kernel.launch.block)
      words >> size;
    std::string arguments, more;
    words >> kernel.launch.dynamicSharedBytes >> arguments;
    if (!words || words >> more)
      return corrupt("a kernel has 11 words: ID FILE KERNEL GX GY GZ BX BY BZ "
                     "SHARED ARGUMENTS");
    std::istringstream list(arguments);
    for (std::string word; std::getline(list, word, ',');) {
      if (word.size() != 1 || word[0] < '0' || word[0] >= '0' + numArguments)
        return corrupt("an argument is a number from 0 to " +
                       std::to_string(numArguments - 1) + ", but it is '" +
                       word + "'");
      kernel.arguments.push_back(word[0] - '0');
    }
    kernels.push_back(kernel);
  }
  return kernels;
}
