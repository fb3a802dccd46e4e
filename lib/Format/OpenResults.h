//===- OpenResults.h - Common parts of T4 and cache files -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FORMAT_OPENRESULTS_H
#define BACO_LIB_FORMAT_OPENRESULTS_H

#include "JsonPlaces.h"
#include "baco/Format/OpenResults.h"

namespace baco {

/// Kernel Tuner's name for a failure; empty for `ok`.
std::string_view failureName(Status status);

/// The name of the time of an outcome: `time`, or `cost` (StaticCost.h).
std::string_view objectiveName(const Outcome &outcome);

/// Milliseconds.
double toMs(double ns);
double toNs(double ms);

/// A configuration as the member of a result.
void writeConfiguration(const Space &space, const Configuration &configuration,
                        Json &json);

/// Adds what the formats have no word for: `time_ns`, `spread`, `samples`,
/// `status`, `message`.
void writeDetails(const Outcome &outcome, Json &json);
/// Reads it if it is there: whether the time is.
Result<bool> readDetails(const Json &json, Outcome &outcome);

Result<TuningResults> readT4(std::string_view text, const std::string &file);
Result<TuningResults> readKernelTuner(std::string_view text,
                                      const std::string &file);
std::string
writeT4(const Space &space, std::string_view kernel,
        const std::vector<std::pair<Configuration, Outcome>> &results);
std::string
writeKernelTuner(const Space &space, std::string_view kernel,
                 const std::vector<std::pair<Configuration, Outcome>> &results);

} // namespace baco

#endif // BACO_LIB_FORMAT_OPENRESULTS_H
