//===- OpenResults.h - Results as other tuners write them -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// T4, the output format of the AutoTuningAssociation; cache files of Kernel
// Tuner; and the parameter lists of lighthouse. Our own members, which other
// readers ignore, hold data without a standard name (the exact time and status,
// spread, message).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FORMAT_OPENRESULTS_H
#define BACO_FORMAT_OPENRESULTS_H

#include "baco/Space/ExplainChoice.h"
#include "baco/Space/Space.h"
#include "baco/Support/Outcome.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baco {

/// Names and values, in the order of the file.
using Assignment = std::vector<std::pair<std::string, ParameterValue>>;

/// A configuration, and what became of it.
struct TuningResult {
  Assignment assignment;
  Outcome outcome;
};

struct TuningResults {
  /// The kernel that the file names, or empty.
  std::string kernel;
  /// Without those that other tuners' constraints forbid.
  std::vector<TuningResult> results;
};

enum class ResultFormat { T4, KernelTuner };

/// Which of the formats a text is in, if it is in one: by a look at its
/// members, also where it is damaged.
std::optional<ResultFormat> findResultFormat(std::string_view text);

/// Reads results. Times that aren't ours are those of the objective (T4), else
/// the median of the run times, or `time`; units are milliseconds unless the
/// file says otherwise. A cache file may lack its end. Errors, with
/// `file:line:column` if the file's name is given: Corrupt if it isn't in the
/// format, or a result has no time; Unsupported for an objective that isn't a
/// time.
Result<TuningResults> readResults(std::string_view text, ResultFormat format,
                                  const std::string &file = "");

/// The inverse: results of `space`, without those that are lost or cancelled.
/// Permutations are strings (Space/Python.h). Two writes of the same results
/// give the same bytes.
std::string
writeResults(const Space &space, std::string_view kernel,
             const std::vector<std::pair<Configuration, Outcome>> &results,
             ResultFormat format);

/// The configuration that a file of another tool means: 0 and 1 may be truth
/// values, and strings orders; members that are no parameters have no effect.
/// InvalidArgument, naming the parameter.
Result<Configuration> toConfiguration(const Space &space,
                                      const Assignment &assignment);

/// The same for some of the parameters. InvalidArgument, naming the values that
/// there are.
Result<ChosenValues> toChoice(const Space &space, const Assignment &assignment);

//===----------------------------------------------------------------------===//
// Lighthouse
//===----------------------------------------------------------------------===//

/// The parameters of one layer in lighthouse's list.
struct LayerParameters {
  std::string layerKind;
  Assignment assignment;
  /// `file:line:column`, or empty.
  std::string location = {};
};

/// Reads a JSON list of objects with a text `layer_kind` each. A list that is
/// an order of 0, 1, ... is a permutation; another list `tile` is the
/// parameters `tile_0`, `tile_1`, .... Corrupt if it isn't such a list.
Result<std::vector<LayerParameters>>
readParameterList(std::string_view json, const std::string &file = "");

/// The inverse; orders are lists.
std::string writeParameterList(const std::vector<LayerParameters> &layers);

} // namespace baco

#endif // BACO_FORMAT_OPENRESULTS_H
