//===- Progress.h - Progress of twenty trials -------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_SEARCH_PROGRESS_H
#define BACO_UNITTESTS_SEARCH_PROGRESS_H

#include "baco/Search/StopCondition.h"

#include <optional>
#include <vector>

namespace baco::search {

/// 20 configurations.
inline SearchProgress progressOf20() {
  Result<Space> space = Space::create(
      {*Parameter::integer("x", 1, 10), *Parameter::boolean("y")});
  return SearchProgress(*space);
}

inline const std::vector<std::optional<double>> costs = {
    std::nullopt, 100, 110, 80, std::nullopt, 79, 79, 78, 39, 90, 90, 90};

} // namespace baco::search

#endif // BACO_UNITTESTS_SEARCH_PROGRESS_H
