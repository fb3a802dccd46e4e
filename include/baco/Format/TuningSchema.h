//===- TuningSchema.h - Spaces as other tuners write them -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// T1, the input format of the AutoTuningAssociation that Kernel Tuner, KTT and
// others read, and the parameters in a cache file of Kernel Tuner. Their
// results: OpenResults.h.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FORMAT_TUNINGSCHEMA_H
#define BACO_FORMAT_TUNINGSCHEMA_H

#include "baco/Space/Space.h"

namespace baco {

/// T1 lists all orders of a permutation, so that one has at most so many
/// elements there.
inline constexpr int maxListedPermutation = 8;

/// The space of a T1 file (a JSON object with `ConfigurationSpace`). Lists of
/// numbers are ordinals, ranges integers, lists of other values categoricals;
/// the default is `Default`, else the first value of the list. `ignored`, if it
/// isn't null, gets what was given and has no effect.
///
/// Errors: Corrupt if it isn't T1, Unsupported for Python beyond Python.h and
/// Numexpr.h, else those of Parameter and Space::create; with
/// `file:line:column` if the file's name is given.
Result<Space> readT1(std::string_view json, const std::string &file = "",
                     std::vector<std::string> *ignored = nullptr);

/// The inverse, as Kernel Tuner reads it. Parameters have members that the
/// schema doesn't know where its types don't say all: `BacoKind`
/// (`permutation`, whose values are strings of Python.h, `categorical`, or
/// `boolean`, whose values are 0 and 1), `Metric`, `Log`, `Weights`; and so
/// have conditions: `Reason`, `Advisory`. A condition of ours (`active_if`)
/// becomes one that has the parameter at its default elsewhere.
///
/// Unsupported, naming it, for a real parameter, a permutation of more than
/// maxListedPermutation elements, and what writePython refuses.
Result<std::string> writeT1(const Space &space, std::string_view kernel);

/// The space of the `tune_params` in a cache file of Kernel Tuner, which has no
/// constraints. Errors: as those of readT1.
Result<Space> readKernelTunerSpace(std::string_view json,
                                   const std::string &file = "");

} // namespace baco

#endif // BACO_FORMAT_TUNINGSCHEMA_H
