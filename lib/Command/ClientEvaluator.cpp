//===- ClientEvaluator.cpp - Candidates of a client -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Command/ClientEvaluator.h"

#include "baco/Support/CostUnit.h"
#include "baco/Support/ParseNumber.h"

#include <algorithm>
#include <cmath>
#include <istream>
#include <limits>
#include <ostream>

using namespace baco;
using namespace baco::command;

std::string command::referenceText(const Parameter &parameter,
                                   const ParameterValue &value) {
  if (const auto *text = std::get_if<std::string>(&value))
    return *text;
  const auto *whole = std::get_if<int64_t>(&value);
  if (!whole || parameter.kind() != ParameterKind::Ordinal)
    return toString(value);
  for (uint64_t i = 0; i < parameter.size(); ++i)
    if (std::holds_alternative<double>(parameter.value(i)))
      return toString(static_cast<double>(*whole));
  return toString(value);
}

/// The cells of a line: commas in parentheses separate none.
static std::vector<std::string> splitCells(std::string_view line) {
  std::vector<std::string> cells(1);
  int depth = 0;
  for (char c : line) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth <= 0)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  for (std::string &cell : cells) {
    size_t first = cell.find_first_not_of(" \t\r"),
           last = cell.find_last_not_of(" \t\r");
    cell =
        first == std::string::npos ? "" : cell.substr(first, last - first + 1);
  }
  return cells;
}

Error ClientEvaluator::wrongAnswer(const std::string &what) const {
  return {ErrorCode::Corrupt,
          "line " + std::to_string(numLines) + " of the client: " + what};
}

Result<std::string> ClientEvaluator::readLine() {
  std::string line;
  if (!std::getline(answers, line))
    return Error{ErrorCode::IOError,
                 "the client has gone before it answered a request"};
  ++numLines;
  return line;
}

Result<Outcome> ClientEvaluator::readRow(const Cells &header,
                                         const std::string &line) const {
  Cells cells = splitCells(line);
  if (cells.size() != header.size())
    return wrongAnswer("it has " + std::to_string(cells.size()) +
                       " cells, and the header " +
                       std::to_string(header.size()));
  auto cellOf = [&](const std::string &name) {
    return cells[std::ranges::find(header, name) - header.begin()];
  };
  Outcome outcome;
  outcome.numSamples = 1;
  std::string feasible =
      columns.feasible.empty() ? columns.trueValue : cellOf(columns.feasible);
  if (feasible != columns.trueValue && feasible != columns.falseValue)
    return wrongAnswer("'" + columns.feasible + "' must be '" +
                       columns.trueValue + "' or '" + columns.falseValue +
                       "', but is '" + feasible + "'");
  if (feasible == columns.falseValue) {
    outcome.status = Status::WrongResult;
    outcome.timeNs = std::numeric_limits<double>::quiet_NaN();
    outcome.message = "the client says that it isn't feasible";
    return outcome;
  }
  std::vector<double> values;
  for (const std::string &name : columns.results) {
    std::string text = cellOf(name);
    std::optional<double> value = parseNumber<double>(text);
    if (!value || !std::isfinite(*value))
      return wrongAnswer("'" + name + "' is no finite number: '" + text + "'");
    values.push_back(*value);
  }
  if (!objectives.empty())
    return objectives.judge(values);
  outcome.status = Status::Ok;
  outcome.timeNs = values.front();
  outcome.message = plainNumberNote;
  return outcome;
}

/// Sends one request, and reads its answer.
Result<void> ClientEvaluator::exchange() {
  requests << "Request " << waiting.size() << "\n";
  Cells names;
  for (const Parameter &parameter : space.parameters())
    names.push_back(parameter.name());
  auto writeRow = [&](const Cells &cells) {
    for (size_t i = 0; i < cells.size(); ++i)
      requests << (i > 0 ? "," : "") << cells[i];
    requests << "\n";
  };
  writeRow(names);
  for (const auto &[trial, configuration] : waiting) {
    Cells cells;
    for (size_t i = 0; i < configuration.size(); ++i)
      cells.push_back(referenceText(space.parameters()[i], configuration[i]));
    writeRow(cells);
  }
  if (!requests.flush())
    return Error{ErrorCode::IOError, "the client doesn't read requests"};
  Result<std::string> line = readLine();
  if (!line)
    return line.error();
  Cells header = splitCells(*line);
  Cells results = columns.results;
  names.insert(names.end(), results.begin(), results.end());
  if (!columns.feasible.empty())
    names.push_back(columns.feasible);
  for (const std::string &name : names)
    if (std::ranges::find(header, name) == header.end())
      return wrongAnswer("the header has no column '" + name + "': '" +
                         line->substr(0, 100) + "'");
  // Rows come in the order of the request; their parameters aren't looked at.
  for (const auto &[trial, configuration] : waiting) {
    line = readLine();
    if (!line)
      return line.error();
    Result<Outcome> outcome = readRow(header, *line);
    if (!outcome)
      return outcome.error();
    outcomes[trial] = std::move(*outcome);
  }
  waiting.clear();
  return {};
}

/// Whether a cell of a table can have `text`.
static bool isCell(std::string_view text) {
  return text.find_first_of(",()\n\r\"") == std::string_view::npos;
}

Result<void> ClientEvaluator::check() const {
  auto fail = [](const std::string &what) {
    return Error{ErrorCode::InvalidArgument,
                 what + ", which the tables of a client can't have: they have "
                        "no quotes"};
  };
  Cells results = columns.results;
  results.push_back(columns.feasible);
  if (!std::ranges::all_of(results, isCell))
    return fail("a column has a comma, a parenthesis or a quote");
  for (const Parameter &parameter : space.parameters()) {
    if (std::ranges::find(results, parameter.name()) != results.end())
      return Error{ErrorCode::InvalidArgument,
                   "'" + parameter.name() +
                       "' is a parameter and a column of results"};
    if (!isCell(parameter.name()))
      return fail("parameter '" + parameter.name() +
                  "' has a comma, a parenthesis or a quote");
    if (parameter.kind() != ParameterKind::Categorical)
      continue;
    for (uint64_t i = 0; i < parameter.size(); ++i)
      if (std::string text = referenceText(parameter, parameter.value(i));
          !isCell(text))
        return fail("value '" + text + "' of '" + parameter.name() +
                    "' has a comma, a parenthesis or a quote");
  }
  return {};
}

Result<void> ClientEvaluator::submit(uint64_t trial,
                                     const Configuration &configuration) {
  waiting.emplace_back(trial, configuration);
  return {};
}

Result<Outcome> ClientEvaluator::wait(uint64_t trial) {
  auto known = outcomes.find(trial);
  bool isWaiting = std::ranges::any_of(
      waiting, [&](const auto &entry) { return entry.first == trial; });
  if (known == outcomes.end() && !isWaiting)
    return Error{ErrorCode::InvalidArgument,
                 "trial " + std::to_string(trial) + " wasn't submitted"};
  if (known == outcomes.end()) {
    if (Result<void> done = exchange(); !done)
      return done.error();
    known = outcomes.find(trial);
  }
  Outcome outcome = std::move(known->second);
  outcomes.erase(known);
  return outcome;
}

void ClientEvaluator::cancel(uint64_t trial) {
  std::erase_if(waiting,
                [&](const auto &entry) { return entry.first == trial; });
  outcomes.erase(trial);
}
