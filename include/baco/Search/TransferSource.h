//===- TransferSource.h - An earlier study ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What another search learns from. Standard types only.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_TRANSFERSOURCE_H
#define BACO_SEARCH_TRANSFERSOURCE_H

#include "baco/Search/Optimizer.h"

#include <map>
#include <string>

namespace baco::search {

/// What values of parameters are parts of, by the parameters' names: the trip
/// count of the loop that a tile size is for. Not all parameters have one.
using Extents = std::map<std::string, double>;

/// A study whose objective is like that of another one. Its space may differ.
struct TransferSource {
  struct Trial {
    Configuration configuration;
    Observation observation;
  };

  /// What users call it: `matmul on znver4`.
  std::string name;
  Space space;
  /// What was told.
  std::vector<Trial> trials = {};
  Extents extents = {};
};

} // namespace baco::search

#endif // BACO_SEARCH_TRANSFERSOURCE_H
