//===- Json.cpp - Reading and writing JSON --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Support/Json.h"

using namespace baco;

std::string baco::printJson(const Json &json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string baco::printCheckedJson(const CheckedJson &json) {
  return json.dump(-1, ' ', false, CheckedJson::error_handler_t::replace);
}

Json baco::tryParseJson(std::string_view text, int maxDepth) {
  bool isTooDeep = false;
  auto keep = [&](int depth, Json::parse_event_t, Json &) {
    isTooDeep |= depth > maxDepth;
    return depth <= maxDepth;
  };
  Json parsed = Json::parse(text, keep, /*allow_exceptions=*/false);
  return isTooDeep ? Json(Json::value_t::discarded) : parsed;
}

CheckedJson baco::parseCheckedJson(std::string_view text) {
  return CheckedJson::parse(text);
}
