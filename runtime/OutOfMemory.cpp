//===- OutOfMemory.cpp - Whom the system killed for memory ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/OutOfMemory.h"

#include <fstream>
#include <optional>
#include <vector>

using namespace baco;
using namespace baco::runtime;

/// The number after the word `oom_kill`; nullopt if the file has none.
static std::optional<int64_t> readCount(const std::string &path) {
  std::ifstream file(path);
  std::string name;
  for (int64_t value; file >> name >> value;)
    if (name == "oom_kill")
      return value;
  return std::nullopt;
}

/// The files in which our control group may count, from a line of
/// /proc/self/cgroup: `NUMBER:CONTROLLERS:GROUP`. The list of controllers is
/// empty in version 2.
static std::vector<std::string> recordsOf(const std::string &line,
                                          const std::string &root) {
  size_t first = line.find(':');
  size_t second =
      first == std::string::npos ? first : line.find(':', first + 1);
  if (second == std::string::npos)
    return {};
  std::string controllers = line.substr(first + 1, second - first - 1);
  std::string group = line.substr(second + 1);
  if (group == "/")
    group.clear();
  if (controllers.empty())
    return {root + group + "/memory.events",
            root + "/unified" + group + "/memory.events"};
  if (("," + controllers + ",").find(",memory,") == std::string::npos)
    return {};
  // A container may see its own group as the root, but be told its full name.
  return {root + "/memory" + group + "/memory.oom_control",
          root + "/memory/memory.oom_control"};
}

int64_t runtime::countOutOfMemoryKills(const SystemFolders &folders) {
  std::ifstream groups(folders.process + "/self/cgroup");
  for (std::string line; std::getline(groups, line);)
    for (const std::string &record : recordsOf(line, folders.controlGroups))
      if (std::optional<int64_t> count = readCount(record))
        return *count;
  return readCount(folders.process + "/vmstat").value_or(0);
}
