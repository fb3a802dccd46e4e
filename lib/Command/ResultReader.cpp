//===- ResultReader.cpp - Results of commands -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "baco/Command/ResultReader.h"

#include "baco/Database/Files.h"
#include "baco/Support/Json.h"
#include "baco/Support/ParseNumber.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <span>

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

static Result<std::vector<double>>
toNumbers(const std::vector<std::string_view> &texts) {
  std::vector<double> numbers;
  for (std::string_view text : texts) {
    Result<double> number = toNumber(text);
    if (!number)
      return number.error();
    numbers.push_back(*number);
  }
  return numbers;
}

static Result<std::vector<double>> readLastLine(const CommandEnd &end,
                                                size_t number) {
  std::vector<std::string_view> lines = linesFromEnd(end.output);
  if (lines.empty())
    return noResult("it printed nothing, and the last line should have the "
                    "result; --result says where else it is");
  std::string_view line = lines.front().substr(0, maxLineLength);
  std::vector<std::string_view> numbers = numbersIn(line);
  if (numbers.size() == number)
    return toNumbers(numbers);
  std::string found = numbers.empty() ? "no number"
                      : numbers.size() == 1
                          ? "1 number"
                          : std::to_string(numbers.size()) + " numbers";
  return noResult("the last line has " + found +
                  (number > 1 ? ", not " + std::to_string(number) : "") + ": " +
                  excerpt(line) + "; --result says where the result is");
}

static Result<std::vector<double>>
readPattern(const CommandEnd &end, const Pattern &pattern, size_t number) {
  for (std::string_view line : linesFromEnd(end.output)) {
    auto found = pattern.find(line.substr(0, maxLineLength), number);
    if (!found)
      continue;
    return toNumbers({found->begin(), found->end()});
  }
  return noResult("no line of its output matches '" + pattern.text() + "'");
}

/// The member of `json` that dots lead to.
static Result<double> readMember(const Json &json, const std::string &key,
                                 std::string_view line) {
  const Json *member = &json;
  // A name may have dots itself.
  std::string_view rest = key;
  if (auto whole = json.find(key); whole != json.end()) {
    member = &*whole;
    rest = {};
  }
  while (!rest.empty()) {
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
    return toNumber(printJson(*member));
  return noResult("'" + key + "' is no number: " + excerpt(printJson(*member)));
}

static Result<std::vector<double>>
readJson(const CommandEnd &end, const std::vector<std::string> &keys) {
  for (std::string_view line : linesFromEnd(end.output)) {
    Json json = tryParseJson(line);
    if (!json.is_object())
      continue;
    std::vector<double> numbers;
    for (const std::string &key : keys) {
      Result<double> number = readMember(json, key, line);
      if (!number)
        return number.error();
      numbers.push_back(*number);
    }
    return numbers;
  }
  return noResult("no line of its output is a JSON object");
}

/// The time of files that the command hasn't written: long ago, in whole
/// seconds, which all file systems keep.
static std::filesystem::file_time_type oldTime() {
  return std::chrono::file_clock::from_sys(
      std::chrono::sys_seconds(std::chrono::hours(24)));
}

static Result<std::vector<double>> readFile(const std::string &path,
                                            size_t number) {
  std::error_code failed;
  auto written = std::filesystem::last_write_time(path, failed);
  if (!failed && written == oldTime())
    return noResult("the command hasn't written '" + path + "'");
  Result<std::string> text = database::readFile(path);
  if (!text)
    return noResult("the result: " + text.error().message);
  constexpr std::string_view separators = " \t\r\n,";
  std::vector<std::string_view> found;
  for (std::string_view rest = *text; found.size() < number;) {
    rest.remove_prefix(
        std::min(rest.find_first_not_of(separators), rest.size()));
    if (rest.empty())
      break;
    size_t length = std::min(rest.find_first_of(separators), rest.size());
    found.push_back(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  if (found.empty())
    return noResult("'" + path + "' has no result");
  if (found.size() < number)
    return noResult("'" + path + "' has " + std::to_string(found.size()) +
                    " of " + std::to_string(number) + " results");
  return toNumbers(found);
}

/// The members that have the results. A `key` is the one, or the way to them.
static std::vector<std::string> membersOf(std::string_view key,
                                          std::span<const std::string> names) {
  if (names.empty())
    return {std::string(key)};
  std::vector<std::string> members;
  for (const std::string &name : names)
    members.push_back((key.empty() ? "" : std::string(key) + ".") + name);
  return members;
}

Result<ResultReader>
ResultReader::parse(std::string_view text, const Space &space,
                    const std::vector<std::string> &names) {
  constexpr std::string_view elapsed = "elapsed+";
  ResultReader reader;
  std::span<const std::string> rest = names;
  if (text.starts_with(elapsed)) {
    if (names.size() < 2)
      return noResult("'" + std::string(text) +
                      "' has several results, but candidates have one");
    text.remove_prefix(elapsed.size());
    reader.beginsElapsed = true;
    rest = rest.subspan(1);
  }
  reader.number = std::max<size_t>(rest.size(), 1);
  bool needsKey = rest.empty();
  static constexpr std::pair<std::string_view, Kind> words[] = {
      {"last-line", Kind::LastLine},
      {"elapsed", Kind::Elapsed},
      {"exit-code", Kind::ExitCode}};
  for (auto [word, kind] : words)
    if (text == word) {
      bool isOne = kind != Kind::LastLine;
      if (isOne && reader.beginsElapsed)
        break;
      if (isOne && reader.number > 1)
        return noResult("'" + std::string(text) +
                        "' is one result, but there are " +
                        std::to_string(reader.number) +
                        "; elapsed+ before another way adds the time");
      reader.kind = kind;
      return reader;
    }
  if (text == "json" && !needsKey) {
    reader.kind = Kind::Json;
    reader.keys = membersOf("", rest);
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
    return noResult(
        (reader.beginsElapsed
             ? "after elapsed+, a result is last-line, pattern:REGEX, "
               "json, json:KEY or file:PATH, but not '"
             : "a result is last-line, elapsed, exit-code, pattern:REGEX, "
               "json:KEY or file:PATH, but not '") +
        std::string(text) + "'");
  reader.kind = found->second;
  std::string argument(text.substr(found->first.size()));
  if (reader.kind == Kind::Json)
    reader.keys = membersOf(argument, rest);
  if (reader.kind == Kind::File) {
    // No shell reads the name, so that its quotes are its own.
    Result<CommandTemplate> file = CommandTemplate::parse(argument, space);
    if (!file)
      return file.error();
    reader.file = std::move(*file);
  }
  if (reader.kind == Kind::Pattern) {
    Result<Pattern> pattern = Pattern::compile(argument);
    if (!pattern)
      return pattern.error();
    if (reader.number > 1 && pattern->numGroups() < reader.number)
      return noResult("'" + argument + "' has " +
                      std::to_string(pattern->numGroups()) +
                      " groups, but there are " +
                      std::to_string(reader.number) + " results");
    reader.pattern = std::move(*pattern);
  }
  return reader;
}

Result<std::vector<double>>
ResultReader::readRest(const CommandEnd &end,
                       const Configuration &configuration,
                       const std::string &folder) const {
  switch (kind) {
  case Kind::LastLine:
    return readLastLine(end, number);
  case Kind::Elapsed:
    return std::vector{end.wallNs};
  case Kind::Pattern:
    return readPattern(end, *pattern, number);
  case Kind::Json:
    return readJson(end, keys);
  case Kind::File:
    return readFile(file.expandPlainly(configuration, folder), number);
  case Kind::ExitCode:
    return std::vector{double(end.code)};
  }
  return noResult("unknown kind of result");
}

Result<std::vector<double>>
ResultReader::read(const CommandEnd &end, const Configuration &configuration,
                   const std::string &folder) const {
  Result<std::vector<double>> results = readRest(end, configuration, folder);
  if (results && beginsElapsed)
    results->insert(results->begin(), end.wallNs);
  return results;
}

void ResultReader::prepare(const Configuration &configuration,
                           const std::string &folder) const {
  std::error_code ignored;
  if (kind == Kind::File)
    std::filesystem::last_write_time(file.expandPlainly(configuration, folder),
                                     oldTime(), ignored);
}
