//===- Members.h - Members of JSON objects ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that the readers of JSON share. `what` names the object in errors.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FORMAT_MEMBERS_H
#define BACO_LIB_FORMAT_MEMBERS_H

#include "baco/Expression/Value.h"
#include "baco/Space/Parameter.h"
#include "baco/Space/Space.h"
#include "baco/Support/Complaint.h"
#include "baco/Support/Json.h"
#include "baco/Support/Result.h"

#include <initializer_list>
#include <optional>

namespace baco {

/// Objects keep the order of their members.

// Errors end what reads (Complaint.h), up to readJson or attempt.

Error corrupt(const std::string &what);

/// Refuses unknown members: they may be misspelt.
void checkMembers(const Json &json, const std::string &what,
                  std::initializer_list<const char *> known);

// A member of a type, or `absent` if it isn't there; Corrupt if it is of
// another type.

std::string readText(const Json &json, const std::string &what,
                     const char *name, std::string absent = "");
bool readFlag(const Json &json, const std::string &what, const char *name,
              bool absent = false);
int64_t readInteger(const Json &json, const std::string &what, const char *name,
                    int64_t absent);

/// Nullopt if it isn't there.
std::optional<double> readNumber(const Json &json, const std::string &what,
                                 const char *name);

/// The list 'values', at least one; Corrupt if it is something else.
std::vector<ParameterValue> readValues(const Json &json,
                                       const std::string &what);

/// A list of numbers; empty if it isn't there.
std::vector<double> readWeights(const Json &json, const std::string &what,
                                const char *name);

/// Corrupt, with the place, if the text isn't JSON, or an object names a member
/// twice. The place is `file:line:column` if the text is that of a file.
Result<Json> parseJson(std::string_view text, const std::string &file = "");

Json toJson(const ParameterValue &value);

/// A number, as an integer if it is one.
Json extentJson(double extent);
/// A boolean, number, string or permutation; nullopt for anything else (null,
/// objects, arrays that aren't permutations, integers beyond 64 bits).
std::optional<ParameterValue> toValue(const Json &json);

/// The parameter that has these values: an ordinal of numbers, which needn't be
/// in order, a boolean, or else a categorical. Its default is the first value.
Result<Parameter> parameterOf(const std::string &name,
                              std::vector<ParameterValue> values,
                              bool isLog = false);

/// The permutation parameter whose orders are listed as strings (Python.h).
/// InvalidArgument if they aren't all orders of as many elements.
Result<Parameter> permutationOf(const std::string &name,
                                const std::vector<ParameterValue> &values,
                                PermutationMetric metric);

/// The value of the parameter that another tool writes as `value`: 0 and 1 may
/// be truth values, and strings orders. `value` itself if there is none.
ParameterValue valueOf(const Parameter &parameter, ParameterValue value);

/// The configuration of these values, one per parameter, in the parameters' own
/// types. Errors: InvalidArgument, naming the parameter without a value or with
/// one that isn't its own.
Result<Configuration>
completeConfiguration(const Space &space,
                      std::vector<std::optional<ParameterValue>> values);

} // namespace baco

#endif // BACO_LIB_FORMAT_MEMBERS_H
