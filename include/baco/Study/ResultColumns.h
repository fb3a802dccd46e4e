//===- ResultColumns.h - Columns of results in tables -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The columns that a table of trials, or a client's answer, has besides those
// of the parameters.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_STUDY_RESULTCOLUMNS_H
#define BACO_STUDY_RESULTCOLUMNS_H

#include <string>
#include <vector>

namespace baco::study {

struct ResultColumns {
  /// The results of candidates, which are numbers; at least one. A single one
  /// is minimized, of several `Objectives` knows the goals.
  std::vector<std::string> results = {"Value"};
  /// Whether candidates work, and the texts for both; empty: there is none, and
  /// all do.
  std::string feasible = {}, trueValue = "True", falseValue = "False";
};

} // namespace baco::study

#endif // BACO_STUDY_RESULTCOLUMNS_H
