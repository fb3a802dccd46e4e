//===- KernelTunerText.cpp - Cache files as JSON --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTunerText.h"

#include "Members.h"

#include <algorithm>

using namespace baco;

static std::string_view withoutSpace(std::string_view text) {
  size_t last = text.find_last_not_of(" \t\r\n");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// Whether the text ends with two braces: an entry ends with one.
static bool hasEnd(std::string_view text) {
  text = withoutSpace(text);
  return text.ends_with('}') &&
         withoutSpace(text.substr(0, text.size() - 1)).ends_with('}');
}

/// The text without the last comma, and with the braces of `cache` and of the
/// whole.
static std::string ended(std::string_view text) {
  text = withoutSpace(text);
  if (text.ends_with(','))
    text = withoutSpace(text.substr(0, text.size() - 1));
  return std::string(text) + "}\n}";
}

/// `text` as it is, or with an end.
static Result<Json> parseAppended(std::string &text, const std::string &file) {
  Result<Json> whole = parseJson(text, file);
  if (whole || hasEnd(text))
    return whole;
  std::string closed = ended(text);
  Result<Json> repaired = parseJson(closed, file);
  size_t lastLine = withoutSpace(text).rfind('\n');
  if (!repaired && lastLine != std::string_view::npos) {
    closed = ended(std::string_view(text).substr(0, lastLine));
    repaired = parseJson(closed, file);
  }
  // A file that is cut off before its entries isn't one that lacks its end.
  if (!repaired || !repaired->contains("cache"))
    return whole;
  text = std::move(closed);
  return repaired;
}

Result<KernelTunerText> baco::parseKernelTuner(std::string_view text,
                                               const std::string &file) {
  KernelTunerText cache{std::string(text), {}, {}};
  Result<Json> json = parseAppended(cache.text, file);
  if (!json)
    return json.error();
  cache.json = std::move(*json);
  std::string where = file.empty() ? "" : file + ":1:1: ";
  auto keys = cache.json.is_object() ? cache.json.find("tune_params_keys")
                                     : cache.json.end();
  bool areNames =
      keys != cache.json.end() && keys->is_array() && !keys->empty() &&
      std::ranges::all_of(*keys,
                          [](const Json &key) { return key.is_string(); });
  if (!areNames)
    return corrupt(where + "a cache file of Kernel Tuner needs a list of names "
                           "under 'tune_params_keys'");
  for (const Json &key : *keys)
    cache.names.push_back(key.get<std::string>());
  return cache;
}
