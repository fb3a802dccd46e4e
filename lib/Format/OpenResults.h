//===- OpenResults.h - Code for T4 and cache files --------------*- C++ -*-===//
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

/// The name of an outcome's time: `time`, or `cost` (StaticCost.h).
std::string_view objectiveName(const Outcome &outcome);

/// Milliseconds.
double toMs(double ns);
double toNs(double ms);

/// A configuration as the member of a result.
void writeConfiguration(const Space &space, const Configuration &configuration,
                        Json &json);

/// Adds the fields that the formats don't define: `time_ns`, `spread`,
/// `samples`, `status`, `message`.
void writeDetails(const Outcome &outcome, Json &json);
/// Reads these fields if there are any. Whether the time is among them.
bool readDetails(const Json &json, Outcome &outcome);

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
