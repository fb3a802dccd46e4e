//===- Members.cpp - Members of JSON objects ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Members.h"

#include <algorithm>

using namespace baco;

Error baco::corrupt(const std::string &what) {
  return {ErrorCode::Corrupt, what};
}

void baco::checkMembers(const Json &json, const std::string &what,
                        std::initializer_list<const char *> known) {
  if (!json.is_object())
    fail(corrupt(what + " must be a JSON object"));
  for (const auto &[name, member] : json.items())
    if (std::find(known.begin(), known.end(), name) == known.end())
      fail(corrupt(what + " has an unknown member '" + name + "'"));
}

std::string baco::readText(const Json &json, const std::string &what,
                           const char *name, std::string absent) {
  auto found = json.find(name);
  if (found == json.end())
    return absent;
  if (!found->is_string())
    fail(corrupt("'" + std::string(name) + "' of " + what +
                 " must be a string"));
  return found->get<std::string>();
}

bool baco::readFlag(const Json &json, const std::string &what, const char *name,
                    bool absent) {
  auto found = json.find(name);
  if (found == json.end())
    return absent;
  if (!found->is_boolean())
    fail(corrupt("'" + std::string(name) + "' of " + what +
                 " must be true or false"));
  return found->get<bool>();
}

int64_t baco::readInteger(const Json &json, const std::string &what,
                          const char *name, int64_t absent) {
  auto found = json.find(name);
  if (found == json.end())
    return absent;
  std::optional<ParameterValue> value = toValue(*found);
  if (!value || !std::holds_alternative<int64_t>(*value))
    fail(corrupt("'" + std::string(name) + "' of " + what +
                 " must be an integer"));
  return std::get<int64_t>(*value);
}

std::optional<double>
baco::readNumber(const Json &json, const std::string &what, const char *name) {
  auto found = json.find(name);
  if (found == json.end())
    return std::optional<double>();
  if (!found->is_number())
    fail(corrupt("'" + std::string(name) + "' of " + what +
                 " must be a number"));
  return std::optional(found->get<double>());
}

std::vector<ParameterValue> baco::readValues(const Json &json,
                                             const std::string &what) {
  auto list = json.find("values");
  if (list == json.end() || !list->is_array() || list->empty())
    fail(corrupt(what + " needs a list of 'values'"));
  std::vector<ParameterValue> values;
  for (const Json &element : *list) {
    std::optional<ParameterValue> value = toValue(element);
    if (!value)
      fail(corrupt(what + ": " + printJson(element, -1) + " isn't a value"));
    values.push_back(std::move(*value));
  }
  return values;
}

std::vector<double> baco::readWeights(const Json &json, const std::string &what,
                                      const char *name) {
  std::vector<double> weights;
  auto list = json.find(name);
  if (list == json.end())
    return weights;
  if (!list->is_array())
    fail(corrupt("the weights of " + what + " must be a list"));
  for (const Json &weight : *list) {
    if (!weight.is_number())
      fail(corrupt("the weights of " + what + " must be numbers"));
    weights.push_back(weight.get<double>());
  }
  return weights;
}
