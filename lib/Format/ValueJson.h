//===- ValueJson.h - Values as JSON -----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only header that brings the JSON library in; see SpaceFormat.h for the
// formats.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FORMAT_VALUEJSON_H
#define BACO_LIB_FORMAT_VALUEJSON_H

#include "baco/Expression/Value.h"
#include "baco/Support/Result.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace baco {

/// Objects keep the order of their members.
using Json = nlohmann::ordered_json;

/// Corrupt, with the place, if the text isn't JSON, or an object names a member
/// twice. The place is `file:line:column` if the text is that of a file.
Result<Json> parseJson(std::string_view text, const std::string &file = "");

/// On one line if `indent` is negative. Bytes that aren't UTF-8 are replaced.
std::string printJson(const Json &json, int indent);

Json toJson(const ParameterValue &value);

/// A number, as an integer if it is one.
Json extentJson(double extent);
/// A boolean, number, string or permutation; nullopt for anything else (null,
/// objects, arrays that aren't permutations, integers beyond 64 bits).
std::optional<ParameterValue> toValue(const Json &json);

} // namespace baco

#endif // BACO_LIB_FORMAT_VALUEJSON_H
