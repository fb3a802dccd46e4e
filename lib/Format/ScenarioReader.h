//===- ScenarioReader.h - Scenario files of BaCO ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of a scenario file.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FORMAT_SCENARIOREADER_H
#define BACO_LIB_FORMAT_SCENARIOREADER_H

#include "JsonPlaces.h"
#include "baco/Format/Scenario.h"

#include <span>

namespace baco {

/// Checks the keys of one of a scenario's objects: `used` are read, `ignored`
/// are known and appended to `notes` with `prefix` before them. Corrupt, naming
/// the key, for any other that doesn't start with `x_`.
void checkKeys(const Json &json, const std::string &prefix,
               std::span<const std::string_view> used,
               std::span<const std::string_view> ignored,
               std::vector<std::string> &notes);

/// Reads one of `input_parameters`, less its constraints.
Parameter readScenarioParameter(const std::string &name, const Json &json,
                                std::vector<std::string> &notes);

/// Reads the constraints of all `input_parameters`, which say where they are,
/// and checks that the names in their dependencies exist.
std::vector<Constraint>
readScenarioConstraints(const Json &json,
                        const std::vector<Parameter> &parameters,
                        JsonPlaces &places);

} // namespace baco

#endif // BACO_LIB_FORMAT_SCENARIOREADER_H
