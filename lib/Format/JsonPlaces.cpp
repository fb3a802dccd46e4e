//===- JsonPlaces.cpp - Where the parts of a JSON file are ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonPlaces.h"

#include <algorithm>
#include <set>

using namespace baco;

std::string baco::placeInFile(const std::string &file, std::string_view text,
                              size_t offset) {
  std::string_view before = text.substr(0, offset);
  size_t line = 1 + std::count(before.begin(), before.end(), '\n');
  size_t start = before.rfind('\n');
  size_t column = start == std::string_view::npos ? offset : offset - start - 1;
  return file + ":" + std::to_string(line) + ":" + std::to_string(column + 1);
}

/// Walks text and values side by side. The text is known to be valid. Of a name
/// that an object has twice, only the last value is there: the text of another
/// one is walked with that or with null.
class JsonPlaces::Scanner {
public:
  Scanner(std::string_view text, JsonPlaces &places)
      : text(text), places(places) {}

  void value(const Json *json) {
    skipSpace();
    if (json)
      places.offsets[json] = at;
    char first = at < text.size() ? text[at] : '\0';
    if (first == '{')
      members(json && json->is_object() ? json : nullptr);
    else if (first == '[')
      elements(json && json->is_array() ? json : nullptr);
    else if (first == '"')
      (void)string();
    else
      while (at < text.size() && !isEnd(text[at]))
        ++at;
  }

private:
  static bool isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
  }
  static bool isEnd(char c) {
    return isSpace(c) || c == ',' || c == ']' || c == '}';
  }
  void skipSpace() {
    while (at < text.size() && isSpace(text[at]))
      ++at;
  }
  /// Skips white space and one character if it is `c`.
  bool take(char c) {
    skipSpace();
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  /// The text of a string with its quotes.
  std::string_view string() {
    skipSpace();
    size_t start = at++;
    while (at < text.size() && text[at] != '"')
      at += text[at] == '\\' ? 2 : 1;
    ++at;
    return text.substr(start, at - start);
  }

  void members(const Json *json) {
    (void)take('{');
    std::set<std::string> names;
    while (at < text.size() && !take('}')) {
      skipSpace();
      size_t start = at;
      std::string name = tryParseJson(string()).get<std::string>();
      if (!names.insert(name).second)
        places.repeated = start;
      (void)take(':');
      auto found = json ? json->find(name) : Json::const_iterator();
      value(json && found != json->end() ? &*found : nullptr);
      (void)take(',');
    }
  }

  void elements(const Json *json) {
    (void)take('[');
    for (size_t i = 0; at < text.size() && !take(']'); ++i) {
      value(json && i < json->size() ? &(*json)[i] : nullptr);
      (void)take(',');
    }
  }

  std::string_view text;
  JsonPlaces &places;
  size_t at = 0;
};

JsonPlaces::JsonPlaces(std::string file, std::string_view text,
                       const Json &json)
    : file(std::move(file)), text(text) {
  Scanner(text, *this).value(&json);
}

std::string JsonPlaces::of(const Json &value) const {
  auto found = offsets.find(&value);
  return found == offsets.end() ? std::string()
                                : placeInFile(file, text, found->second);
}

std::string JsonPlaces::ofRepeated() const {
  return repeated ? placeInFile(file, text, *repeated) : std::string();
}

Error JsonPlaces::locate(const Json &value, Error error) {
  std::string place = of(value);
  if (isLocated || place.empty())
    return error;
  isLocated = true;
  error.message = place + ": " + error.message;
  return error;
}
