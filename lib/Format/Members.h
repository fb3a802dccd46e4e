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

#include "ValueJson.h"

#include "baco/Support/Complaint.h"

#include <initializer_list>

namespace baco {

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

} // namespace baco

#endif // BACO_LIB_FORMAT_MEMBERS_H
