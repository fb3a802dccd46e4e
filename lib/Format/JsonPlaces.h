//===- JsonPlaces.h - Where the parts of a JSON file are --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON library forgets where it has read a value. Messages about files that
// people write need it, so a second pass over the text finds it again.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FORMAT_JSONPLACES_H
#define BACO_LIB_FORMAT_JSONPLACES_H

#include "Members.h"

#include "baco/Support/Complaint.h"

#include <unordered_map>

namespace baco {

/// `file:line:column` of the byte at `offset`, both from 1.
std::string placeInFile(const std::string &file, std::string_view text,
                        size_t offset);

/// The places of the values of one parsed file. Values are known by their
/// addresses: they must not be moved.
class JsonPlaces {
public:
  /// For a text that is no file: no value has a place.
  JsonPlaces() = default;
  /// `json` is what parseJson has made of `text`.
  JsonPlaces(std::string file, std::string_view text, const Json &json);

  /// `file:line:column`, or empty.
  std::string of(const Json &value) const;
  /// The place of the last name that an object has twice; empty if there is
  /// none.
  std::string ofRepeated() const;
  /// `error` with the place of `value` in front of its message. The first
  /// value that is given for an error counts: the innermost one, where readers
  /// of objects pass on the errors of their members.
  Error locate(const Json &value, Error error);
  /// What `read` returns. An error at which it ends gets the place of `value`.
  template <typename Read>
  auto within(const Json &value, Read read) {
    try {
      return read();
    } catch (Complaint &complaint) {
      fail(locate(value, std::move(complaint.error)));
    }
  }

private:
  class Scanner;

  std::string file;
  std::string_view text;
  /// Only looked up, never iterated.
  std::unordered_map<const Json *, size_t> offsets;
  std::optional<size_t> repeated;
  bool isLocated = false;
};

/// What `read` makes of JSON and its places; errors have a place in `file`, if
/// that isn't empty.
template <typename Read>
auto readJson(std::string_view text, const std::string &file, Read read) {
  return attempt([&] {
    Json json = need(parseJson(text, file));
    JsonPlaces places =
        file.empty() ? JsonPlaces() : JsonPlaces(file, text, json);
    return places.within(json, [&] { return read(json, places); });
  });
}

} // namespace baco

#endif // BACO_LIB_FORMAT_JSONPLACES_H
