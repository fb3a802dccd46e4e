//===- Trace.cpp - Traces for developers ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Support/Trace.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace baco;

/// Indexed by TraceTopic.
static constexpr std::array<std::string_view, 1> topicNames = {"plan"};
using Topics = std::array<bool, topicNames.size()>;

/// Writes a line in one piece, as several threads may write.
static void writeLine(const std::string &line) {
  std::fputs((line + "\n").c_str(), stderr);
}

static Topics readTopics(std::string_view list) {
  Topics topics = {};
  while (!list.empty()) {
    size_t end = std::min(list.find(','), list.size());
    std::string_view name = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    const auto *found = std::find(topicNames.begin(), topicNames.end(), name);
    if (found != topicNames.end())
      topics[found - topicNames.begin()] = true;
    else
      writeLine("baco: BACO_TRACE: unknown topic '" + std::string(name) +
                "'; the topics are: plan");
  }
  return topics;
}

bool baco::isTraced(TraceTopic topic) {
  static const Topics topics = [] {
    const char *list = std::getenv("BACO_TRACE");
    return readTopics(list ? list : "");
  }();
  return topics[static_cast<size_t>(topic)];
}

void baco::trace(TraceTopic topic, std::string_view text) {
  writeLine(std::string(topicNames[static_cast<size_t>(topic)]) + ": " +
            std::string(text));
}
