//===- ValueJson.cpp - Values as JSON -------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonPlaces.h"
#include "Members.h"
#include "baco/Expression/Permutation.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

using namespace baco;

/// The part of the library's message that says what is wrong, on one line.
static std::string reasonOf(const std::exception &exception) {
  std::string text = exception.what();
  size_t start = text.find("] ");
  if (start != std::string::npos)
    text = text.substr(start + 2);
  for (char &c : text)
    if (static_cast<unsigned char>(c) < ' ')
      c = ' ';
  return text;
}

/// The same for an error of the grammar, with its place in the file.
static std::string locate(const Json::parse_error &error, std::string_view text,
                          const std::string &file) {
  std::string reason = reasonOf(error);
  if (file.empty())
    return "not JSON: " + reason;
  // The library's own place, "parse error at line 1, column 2: ".
  size_t colon = reason.find(": ");
  if (colon != std::string::npos)
    reason = reason.substr(colon + 2);
  size_t offset = error.byte > 0 ? error.byte - 1 : 0;
  return placeInFile(file, text, std::min(offset, text.size())) +
         ": not JSON: " + reason;
}

Json baco::extentJson(double extent) {
  constexpr double limit = 0x1p53;
  if (extent == std::floor(extent) && extent < limit)
    return static_cast<int64_t>(extent);
  return extent;
}

namespace {

/// Says how far the parser has read: its errors have no place unless they are
/// of the grammar.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char *;
  using reference = const char &;

  reference operator*() const { return *at; }
  CountingIterator &operator++() {
    ++at;
    ++*numRead;
    return *this;
  }
  bool operator==(const CountingIterator &other) const {
    return at == other.at;
  }

  const char *at;
  size_t *numRead;
};

} // namespace

Result<Json> baco::parseJson(std::string_view text, const std::string &file) {
  // Deeper than any of our formats; the parser itself has no limit, but
  // destroying or printing what it returns recurses.
  constexpr int maxDepth = 100;
  std::vector<std::set<std::string>> members;
  std::string twice;
  size_t numRead = 0;
  std::optional<size_t> tooDeep;
  auto watch = [&](int depth, Json::parse_event_t event, Json &parsed) {
    if (event == Json::parse_event_t::object_start)
      members.emplace_back();
    else if (event == Json::parse_event_t::object_end)
      members.pop_back();
    else if (event == Json::parse_event_t::key &&
             !members.back().insert(parsed.get<std::string>()).second)
      twice = parsed.get<std::string>();
    if (depth > maxDepth && !tooDeep)
      tooDeep = numRead - 1;
    return depth <= maxDepth;
  };
  auto place = [&](size_t offset) {
    return file.empty() ? "" : placeInFile(file, text, offset) + ": ";
  };
  try {
    const char *end = text.data() + text.size();
    Json json = Json::parse(CountingIterator{text.data(), &numRead},
                            CountingIterator{end, &numRead}, watch);
    if (tooDeep)
      return Error{ErrorCode::Corrupt,
                   place(*tooDeep) + "the JSON is nested too deeply"};
    if (!twice.empty())
      return Error{ErrorCode::Corrupt,
                   (file.empty()
                        ? ""
                        : JsonPlaces(file, text, json).ofRepeated() + ": ") +
                       "'" + twice + "' is given twice"};
    return json;
  } catch (const Json::parse_error &error) {
    return Error{ErrorCode::Corrupt, locate(error, text, file)};
  } catch (const Json::exception &exception) {
    // A number that no double holds.
    constexpr std::string_view ofNumbers = "0123456789.eE+-";
    size_t last = text.substr(0, numRead).find_last_of(ofNumbers);
    size_t before = text.find_last_not_of(ofNumbers, last);
    return Error{ErrorCode::Corrupt,
                 place(before == text.npos ? 0 : before + 1) +
                     "not JSON: " + reasonOf(exception)};
  }
}

Json baco::toJson(const ParameterValue &value) {
  return std::visit([](const auto &content) { return Json(content); }, value);
}

std::optional<ParameterValue> baco::toValue(const Json &json) {
  if (json.is_boolean())
    return json.get<bool>();
  if (json.is_number_unsigned() && json.get<uint64_t>() > INT64_MAX)
    return std::nullopt;
  if (json.is_number_integer())
    return json.get<int64_t>();
  if (json.is_number_float())
    return json.get<double>();
  if (json.is_string())
    return json.get<std::string>();
  if (!json.is_array())
    return std::nullopt;
  Permutation p;
  for (const Json &element : json) {
    if (!element.is_number_integer() || element < 0 || element >= json.size())
      return std::nullopt;
    p.push_back(element.get<int>());
  }
  if (p.empty() || !isPermutation(p))
    return std::nullopt;
  return p;
}
