//===- Json.h - Reading and writing JSON ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Json.cpp compiles the library's parser and printer for all who need no places
// of errors.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_JSON_H
#define BACO_SUPPORT_JSON_H

#include "baco/Support/CheckedJson.h"

#include <string>
#include <string_view>

namespace baco {

/// Objects keep the order of their members.
using Json = nlohmann::ordered_json;

/// Text on one line or, from `indent` = 0 on, on many. NaN and infinity are
/// null; bytes that aren't UTF-8, which compilers and candidates print, are
/// replaced.
std::string printJson(const Json &json, int indent = -1);
std::string printCheckedJson(const CheckedJson &json);

/// The value of `text`. It is discarded (`is_discarded()`) if that isn't JSON,
/// or if it has lists and objects in more than `maxDepth` others: values are
/// printed and destroyed recursively, so that a million brackets must not
/// become one.
Json tryParseJson(std::string_view text, int maxDepth = 100);

/// Throws CheckedJson::parse_error.
CheckedJson parseCheckedJson(std::string_view text);

} // namespace baco

#endif // BACO_SUPPORT_JSON_H
