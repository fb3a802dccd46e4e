//===- ResultReader.cpp - Results of commands -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "baco/Command/ResultReader.h"

#include "baco/Database/Files.h"
#include "baco/Support/ParseNumber.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>

#include <nlohmann/json.hpp>

using namespace baco;
using namespace baco::command;

/// Lines are read up to here: nobody prints a result behind so much.
static constexpr size_t maxLineLength = 65536;

static Error noResult(const std::string &what) {
  return {ErrorCode::InvalidArgument, what};
}

/// The lines of `text`, the last one first, that aren't empty.
static std::vector<std::string_view> linesFromEnd(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t feed = text.rfind('\n');
    std::string_view line =
        feed == std::string_view::npos ? text : text.substr(feed + 1);
    text = feed == std::string_view::npos ? "" : text.substr(0, feed);
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    if (line.find_first_not_of(" \t") != std::string_view::npos)
      lines.push_back(line);
  }
  return lines;
}

/// The beginning of `text` for a message, on one line.
static std::string excerpt(std::string_view text) {
  constexpr size_t maxLength = 60;
  std::string shown(text.substr(0, maxLength));
  for (char &c : shown)
    if (c < ' ' || c > '~')
      c = '?';
  return "'" + shown + (text.size() > maxLength ? "...'" : "'");
}

static Result<double> toNumber(std::string_view text) {
  size_t first = text.find_first_not_of(" \t");
  text = first == std::string_view::npos ? "" : text.substr(first);
  text = text.substr(0, text.find_last_not_of(" \t") + 1);
  std::optional<double> number = parseNumber<double>(text);
  if (!number)
    return noResult("the result is no number: " + excerpt(text));
  if (!std::isfinite(*number))
    return noResult("the result isn't finite: " + excerpt(text));
  return *number;
}

/// Whether the character before a number lets one begin there: `v2` has none.
static bool mayPrecede(char c) {
  return !std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.';
}

/// Whether what follows a number makes it a part of something else, as in
/// `0x10`, `1_000` or `1.2.3`. A unit doesn't.
static bool continues(std::string_view rest) {
  size_t letters =
      std::min(rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz"
                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ_."),
               rest.size());
  return letters > 0 && letters < rest.size() &&
         std::isdigit(static_cast<unsigned char>(rest[letters]));
}

/// The numbers in `line`, as they are written. A unit may follow.
static std::vector<std::string_view> numbersIn(std::string_view line) {
  std::vector<std::string_view> numbers;
  for (size_t i = 0; i < line.size();) {
    bool isBegin = i == 0 || mayPrecede(line[i - 1]);
    double value;
    const char *from = line.data() + i, *to = line.data() + line.size();
    bool isSigned = *from == '+';
    auto [end, error] = std::from_chars(from + isSigned, to, value);
    // Out of range is a number, too, which isn't finite. Words may begin with
    // `nan` or `inf`.
    bool isWord = std::isalpha(static_cast<unsigned char>(from[isSigned])) ||
                  (from[0] == '-' && end > from + 1 &&
                   std::isalpha(static_cast<unsigned char>(from[1])));
    bool isCut =
        isWord && end < to && std::isalnum(static_cast<unsigned char>(*end));
    if (!isBegin || error == std::errc::invalid_argument || isCut) {
      ++i;
      continue;
    }
    if (continues(std::string_view(end, to)))
      while (end < to && !std::isspace(static_cast<unsigned char>(*end)))
        ++end;
    numbers.push_back(line.substr(i, end - from));
    i = end - line.data();
  }
  return numbers;
}

static Result<double> readLastLine(const CommandEnd &end) {
  std::vector<std::string_view> lines = linesFromEnd(end.output);
  if (lines.empty())
    return noResult("it printed nothing, and the last line should have the "
                    "result; --result says where else it is");
  std::string_view line = lines.front().substr(0, maxLineLength);
  std::vector<std::string_view> numbers = numbersIn(line);
  if (numbers.size() == 1)
    return toNumber(numbers.front());
  return noResult("the last line has " +
                  (numbers.empty()
                       ? std::string("no number")
                       : std::to_string(numbers.size()) + " numbers") +
                  ": " + excerpt(line) + "; --result says where the result is");
}

static Result<double> readPattern(const CommandEnd &end,
                                  const Pattern &pattern) {
  for (std::string_view line : linesFromEnd(end.output))
    if (auto found = pattern.find(line.substr(0, maxLineLength)))
      return toNumber(*found);
  return noResult("no line of its output matches '" + pattern.text() + "'");
}

static Result<double> readJson(const CommandEnd &end, const std::string &key) {
  for (std::string_view line : linesFromEnd(end.output)) {
    auto json =
        nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object())
      continue;
    const nlohmann::json *member = &json;
    for (std::string_view rest = key; !rest.empty();) {
      size_t dot = rest.find('.');
      auto found = member->is_object()
                       ? member->find(std::string(rest.substr(0, dot)))
                       : member->end();
      if (found == member->end())
        return noResult("its JSON has no '" + key + "': " + excerpt(line));
      member = &*found;
      rest = dot == std::string_view::npos ? "" : rest.substr(dot + 1);
    }
    if (member->is_number())
      return toNumber(member->dump());
    return noResult(
        "'" + key + "' is no number: " +
        excerpt(member->dump(-1, ' ', false,
                             nlohmann::json::error_handler_t::replace)));
  }
  return noResult("no line of its output is a JSON object");
}

/// The time of files that the command hasn't written: long ago, in whole
/// seconds, which all file systems keep.
static std::filesystem::file_time_type oldTime() {
  return std::chrono::file_clock::from_sys(
      std::chrono::sys_seconds(std::chrono::hours(24)));
}

static Result<double> readFile(const std::string &path) {
  std::error_code failed;
  auto written = std::filesystem::last_write_time(path, failed);
  if (!failed && written == oldTime())
    return noResult("the command hasn't written '" + path + "'");
  Result<std::string> text = database::readFile(path);
  if (!text)
    return noResult("the result: " + text.error().message);
  size_t first = text->find_first_not_of(" \t\r\n,");
  if (first == std::string::npos)
    return noResult("'" + path + "' has no result");
  size_t last = text->find_first_of(" \t\r\n,", first);
  return toNumber(std::string_view(*text).substr(
      first, last == std::string::npos ? last : last - first));
}

Result<ResultReader> ResultReader::parse(std::string_view text,
                                         const Space &space) {
  ResultReader reader;
  static constexpr std::pair<std::string_view, Kind> words[] = {
      {"last-line", Kind::LastLine},
      {"elapsed", Kind::Elapsed},
      {"exit-code", Kind::ExitCode}};
  for (auto [word, kind] : words)
    if (text == word) {
      reader.kind = kind;
      return reader;
    }
  static constexpr std::pair<std::string_view, Kind> prefixes[] = {
      {"pattern:", Kind::Pattern},
      {"json:", Kind::Json},
      {"file:", Kind::File}};
  const auto *found = std::ranges::find_if(prefixes, [&](const auto &entry) {
    return text.starts_with(entry.first) && text.size() > entry.first.size();
  });
  if (found == std::end(prefixes))
    return noResult("a result is last-line, elapsed, exit-code, pattern:REGEX, "
                    "json:KEY or file:PATH, but not '" +
                    std::string(text) + "'");
  reader.kind = found->second;
  reader.argument = text.substr(found->first.size());
  if (reader.kind == Kind::File) {
    // No shell reads the name, so that its quotes are its own.
    Result<CommandTemplate> file =
        CommandTemplate::parse(reader.argument, space);
    if (!file)
      return file.error();
    reader.file = std::move(*file);
  }
  if (reader.kind == Kind::Pattern) {
    Result<Pattern> pattern = Pattern::compile(reader.argument);
    if (!pattern)
      return pattern.error();
    reader.pattern = std::move(*pattern);
  }
  return reader;
}

Result<double> ResultReader::read(const CommandEnd &end,
                                  const Configuration &configuration,
                                  const std::string &folder) const {
  switch (kind) {
  case Kind::LastLine:
    return readLastLine(end);
  case Kind::Elapsed:
    return end.wallNs;
  case Kind::Pattern:
    return readPattern(end, *pattern);
  case Kind::Json:
    return readJson(end, argument);
  case Kind::File:
    return readFile(file.expandPlainly(configuration, folder));
  case Kind::ExitCode:
    return double(end.code);
  }
  return noResult("unknown kind of result");
}

void ResultReader::prepare(const Configuration &configuration,
                           const std::string &folder) const {
  std::error_code ignored;
  if (kind == Kind::File)
    std::filesystem::last_write_time(file.expandPlainly(configuration, folder),
                                     oldTime(), ignored);
}
