//===- Csv.cpp - Comma-separated values -----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cell at a time off the front of the text; lines are counted for messages.
//
//===----------------------------------------------------------------------===//

#include "Csv.h"

#include <algorithm>
#include <optional>

using namespace baco;
using namespace baco::study;

static std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

namespace {

/// Takes cells off the front of a text.
class Reader {
public:
  explicit Reader(std::string_view text) : rest(text) {}

  bool atEnd() const { return rest.empty(); }
  size_t currentLine() const { return line; }

  /// The cells up to the end of the line; nullopt if a quote isn't closed.
  std::optional<std::vector<std::string>> row() {
    std::vector<std::string> cells;
    while (true) {
      std::string cell;
      if (!this->cell(cell))
        return std::nullopt;
      cells.push_back(std::move(cell));
      if (rest.empty())
        return cells;
      bool isLast = rest.front() == '\n';
      rest.remove_prefix(1);
      if (isLast) {
        ++line;
        return cells;
      }
    }
  }

private:
  /// Reads up to the next comma, line feed or end, which stays.
  bool cell(std::string &cell) {
    size_t start = std::min(rest.find_first_not_of(" \t"), rest.size());
    if (rest.substr(start, 1) != "\"") {
      size_t end = std::min(rest.find_first_of(",\n"), rest.size());
      cell = trim(rest.substr(0, end));
      rest.remove_prefix(end);
      return true;
    }
    rest.remove_prefix(start + 1);
    while (true) {
      size_t quote = rest.find('"');
      if (quote == std::string_view::npos)
        return false;
      cell += rest.substr(0, quote);
      bool isDoubled = rest.substr(quote + 1, 1) == "\"";
      rest.remove_prefix(quote + (isDoubled ? 2 : 1));
      if (!isDoubled)
        break;
      cell += '"';
    }
    line += static_cast<size_t>(std::count(cell.begin(), cell.end(), '\n'));
    size_t end = std::min(rest.find_first_of(",\n"), rest.size());
    cell += trim(rest.substr(0, end));
    rest.remove_prefix(end);
    return true;
  }

  std::string_view rest;
  size_t line = 1;
};

} // namespace

Result<std::vector<CsvRow>> study::readCsv(std::string_view text) {
  constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(byteOrderMark))
    text.remove_prefix(byteOrderMark.size());
  std::vector<CsvRow> rows;
  Reader reader(text);
  while (!reader.atEnd()) {
    size_t line = reader.currentLine();
    std::optional<std::vector<std::string>> cells = reader.row();
    if (!cells)
      return Error{ErrorCode::Corrupt,
                   "line " + std::to_string(line) + ": a quote is not closed"};
    if (cells->size() == 1 && cells->front().empty())
      continue;
    if (!rows.empty() && cells->size() != rows.front().cells.size())
      return Error{ErrorCode::Corrupt,
                   "line " + std::to_string(line) + ": expected " +
                       std::to_string(rows.front().cells.size()) +
                       " cells, as in the header, not " +
                       std::to_string(cells->size())};
    rows.push_back({line, std::move(*cells)});
  }
  return rows;
}
