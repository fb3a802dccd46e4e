//===- TransferSource.h - An earlier study ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A study that another search learns from. Standard types only.
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_TRANSFERSOURCE_H
#define BACO_SEARCH_TRANSFERSOURCE_H

#include "baco/Search/Optimizer.h"

#include <string>

namespace baco::search {

/// A study whose objective is like that of another one. Its space may differ.
struct TransferSource {
  struct Trial {
    Configuration configuration;
    Observation observation;
  };

  /// The name for users: `matmul on znver4`.
  std::string name;
  Space space;
  /// The trials with their outcomes.
  std::vector<Trial> trials = {};
};

} // namespace baco::search

#endif // BACO_SEARCH_TRANSFERSOURCE_H
