//===- FrontTable.h - Pareto fronts as text ---------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_FRONTTABLE_H
#define BACO_TOOLS_BACO_FRONTTABLE_H

#include "baco/Database/Trial.h"

namespace baco::tool {

/// A table for people: results and configuration of each trial, the first ones
/// of many.
///
/// \param front  trials that work, all with the same metrics; not empty
std::string writeFront(const std::vector<database::Trial> &front);

/// The same as JSON, a list of all of them.
std::string writeFrontJson(const std::vector<database::Trial> &front);

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_FRONTTABLE_H
