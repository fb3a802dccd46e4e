//===- ReplayTable.cpp - Recorded outcomes as CSV -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cells are read by the kind of their parameter, because tables don't say what
// their columns hold.
//
//===----------------------------------------------------------------------===//

#include "ReplayTable.h"

#include "Csv.h"

#include "baco/Database/Validation.h"
#include "baco/Support/Complaint.h"
#include "baco/Support/CostUnit.h"
#include "baco/Support/ParseNumber.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

using namespace baco;
using namespace baco::study;

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

void Recording::add(const Result<Configuration> &configuration, Outcome outcome,
                    const std::string &where) {
  Result<Point> point =
      configuration ? space.toPoint(*configuration) : configuration.error();
  if (!point) {
    if (!firstIgnored)
      firstIgnored = where + ": " + point.error().message;
    return;
  }
  auto [known, isNew] = outcomes.try_emplace(std::move(*point), outcome);
  if (!isNew && known->second.status == Status::Cancelled)
    known->second = std::move(outcome);
}

Result<RecordedOutcomes> Recording::take() {
  if (!outcomes.empty())
    return std::move(outcomes);
  return Error{ErrorCode::NotFound,
               "no recorded configuration is in the space" +
                   (firstIgnored ? "; " + *firstIgnored : std::string())};
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

static std::optional<bool> parseBool(std::string_view text) {
  if (text == "1" || text == "true" || text == "True")
    return true;
  if (text == "0" || text == "false" || text == "False")
    return false;
  return std::nullopt;
}

/// `(0, 2, 1)`, or with brackets.
static std::optional<Permutation> parsePermutation(std::string_view text) {
  if (text.size() < 2 || !((text.front() == '(' && text.back() == ')') ||
                           (text.front() == '[' && text.back() == ']')))
    return std::nullopt;
  text = text.substr(1, text.size() - 2);
  Permutation permutation;
  while (true) {
    size_t comma = std::min(text.find(','), text.size());
    std::string_view element = text.substr(0, comma);
    while (element.starts_with(' '))
      element.remove_prefix(1);
    while (element.ends_with(' '))
      element.remove_suffix(1);
    std::optional<int> number = parseNumber<int>(element);
    // Python writes an order of one element "(0,)".
    if (!number)
      return element.empty() && comma == text.size() && permutation.size() == 1
                 ? std::optional(permutation)
                 : std::nullopt;
    permutation.push_back(*number);
    if (comma == text.size())
      return permutation;
    text.remove_prefix(comma + 1);
  }
}

/// The value of a categorical parameter that is written like `cell`.
static std::optional<ParameterValue> findCategory(const Parameter &parameter,
                                                  const std::string &cell) {
  for (uint64_t i = 0; i < parameter.size(); ++i) {
    ParameterValue value = parameter.value(i);
    const std::string *name = std::get_if<std::string>(&value);
    if (name ? *name == cell : toString(value) == cell)
      return value;
  }
  return std::nullopt;
}

static std::optional<ParameterValue> parseCell(const Parameter &parameter,
                                               const std::string &cell) {
  switch (parameter.kind()) {
  case ParameterKind::Boolean:
    return parseBool(cell);
  case ParameterKind::Categorical:
    return findCategory(parameter, cell);
  case ParameterKind::Permutation:
    return parsePermutation(cell);
  case ParameterKind::Real:
  case ParameterKind::Integer:
  case ParameterKind::Ordinal:
    break;
  }
  if (auto integer = parseNumber<int64_t>(cell))
    return ParameterValue(*integer);
  if (auto real = parseNumber<double>(cell))
    return ParameterValue(*real);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

namespace {

/// Which column holds what.
struct Columns {
  /// One for each parameter of the space.
  std::vector<size_t> parameters;
  std::optional<size_t> time;
  /// Nanoseconds in the unit of the times.
  double unitNs = 1;
  /// The wanted results, if the table has all of them. The first one is what is
  /// minimized where there is no time.
  std::vector<std::pair<std::string, size_t>> results;
  std::optional<size_t> feasible;
  std::optional<size_t> status, valid, kernel;
  /// In tables that baco wrote.
  struct Details {
    size_t spread, samples, compileNs, runNs, message;
  };
  std::optional<Details> details;
};

struct TimeColumn {
  std::string_view name;
  double unitNs;
};

} // namespace

static constexpr TimeColumn timeColumns[] = {{"time_ns", 1},
                                             {"time", 1},
                                             {"time_us", 1e3},
                                             {"time_ms", 1e6},
                                             {"time_s", 1e9}};

static std::optional<size_t> findColumn(const CsvRow &header,
                                        std::string_view name) {
  for (size_t i = 0; i < header.cells.size(); ++i)
    if (header.cells[i] == name)
      return i;
  return std::nullopt;
}

/// Columns that only baco's own tables have (writeTrialsCsv).
static std::optional<Columns::Details> findDetails(const CsvRow &header) {
  std::vector<size_t> found;
  for (std::string_view name :
       {"spread", "samples", "compile_ns", "run_ns", "message"})
    if (std::optional<size_t> column = findColumn(header, name))
      found.push_back(*column);
  if (header.cells.front() != "trial" || found.size() != 5)
    return std::nullopt;
  return Columns::Details{found[0], found[1], found[2], found[3], found[4]};
}

/// Finds `columns.time` and `columns.results`.
static void findResults(
    Columns &columns, const std::vector<std::string> &wanted,
    const std::function<std::optional<size_t>(std::string_view)> &find) {
  std::string missing;
  for (const std::string &name : wanted)
    if (std::optional<size_t> column = find(name))
      columns.results.emplace_back(name, *column);
    else
      missing = name;
  if (!missing.empty()) {
    columns.results.clear();
    if (wanted.size() > 1)
      fail({ErrorCode::NotFound,
            "the table has no column for the result '" + missing + "'"});
  }
  // A single result by the name of a time is one.
  bool isNumber =
      !columns.results.empty() &&
      (wanted.size() > 1 ||
       std::ranges::find(timeColumns, wanted.front(), &TimeColumn::name) ==
           std::end(timeColumns));
  if (isNumber)
    return;
  for (const TimeColumn &known : timeColumns)
    if (auto column = find(known.name)) {
      columns.time = *column;
      columns.unitNs = known.unitNs;
      return;
    }
  fail({ErrorCode::Corrupt,
        "the table has no column " +
            (missing.empty() ? std::string() : "'" + missing + "' or ") +
            "'time_ns' ('time', 'time_us', 'time_ms' and 'time_s' are "
            "known too)"});
}

static Columns readHeader(const CsvRow &header, const Space &space,
                          const ResultColumns *wanted) {
  Columns columns;
  for (const Parameter &parameter : space.parameters()) {
    std::optional<size_t> column = findColumn(header, parameter.name());
    if (!column)
      fail({ErrorCode::NotFound, "the table has no column for the parameter '" +
                                     parameter.name() + "'"});
    columns.parameters.push_back(*column);
  }
  // A column with the name of a parameter has no other meaning.
  auto find = [&](std::string_view name) {
    bool isParameter = std::any_of(
        space.parameters().begin(), space.parameters().end(),
        [&](const Parameter &parameter) { return parameter.name() == name; });
    return isParameter ? std::nullopt : findColumn(header, name);
  };
  columns.status = find("status");
  columns.valid = find("valid");
  columns.kernel = find("kernel");
  columns.details = findDetails(header);
  if (wanted && !wanted->feasible.empty())
    columns.feasible = find(wanted->feasible);
  findResults(columns, wanted ? wanted->results : std::vector<std::string>(),
              find);
  return columns;
}

static Configuration readParameters(const CsvRow &row, const Columns &columns,
                                    const Space &space) {
  Configuration configuration;
  for (size_t i = 0; i < columns.parameters.size(); ++i) {
    const Parameter &parameter = space.parameters()[i];
    const std::string &cell = row.cells[columns.parameters[i]];
    std::optional<ParameterValue> value = parseCell(parameter, cell);
    if (!value)
      fail({ErrorCode::InvalidArgument, "parameter '" + parameter.name() +
                                            "' has no value '" + cell + "'"});
    configuration.push_back(std::move(*value));
  }
  return configuration;
}

/// Adds what only baco's own tables have; false if it isn't right.
static bool readDetails(const CsvRow &row, const Columns::Details &columns,
                        Outcome &outcome) {
  for (auto [column, target] : {std::pair(columns.spread, &outcome.spread),
                                {columns.compileNs, &outcome.compileNs},
                                {columns.runNs, &outcome.runNs}}) {
    std::optional<double> number = parseNumber<double>(row.cells[column]);
    if (!number || !(*number >= 0))
      return false;
    *target = *number;
  }
  std::optional<int> samples = parseNumber<int>(row.cells[columns.samples]);
  if (!samples || *samples < 0)
    return false;
  outcome.numSamples = *samples;
  outcome.message = row.cells[columns.message];
  return true;
}

/// The status by the columns that say so; without one, `fallback`.
static Status readStatus(const CsvRow &row, const Columns &columns,
                         const ResultColumns *wanted, Status fallback) {
  Status status = fallback;
  if (columns.valid) {
    const std::string &cell = row.cells[*columns.valid];
    std::optional<bool> valid = parseBool(cell);
    if (!valid)
      fail({ErrorCode::Corrupt,
            "expected 0 or 1 under 'valid', not '" + cell + "'"});
    if (!*valid)
      status = Status::Crashed;
  }
  if (columns.feasible) {
    const std::string &cell = row.cells[*columns.feasible];
    if (cell == wanted->falseValue)
      status = Status::WrongResult;
    else if (cell != wanted->trueValue)
      fail({ErrorCode::Corrupt,
            "expected '" + wanted->trueValue + "' or '" + wanted->falseValue +
                "' under '" + wanted->feasible + "', not '" + cell + "'"});
  }
  if (columns.status) {
    const std::string &cell = row.cells[*columns.status];
    std::optional<Status> known = parseStatus(cell);
    if (!known)
      fail({ErrorCode::Corrupt, "unknown status '" + cell + "'"});
    status = *known;
  }
  return status;
}

/// Adds the results of a candidate that works.
static void readResults(const CsvRow &row, const Columns &columns,
                        Outcome &outcome) {
  for (const auto &[name, column] : columns.results) {
    const std::string &cell = row.cells[column];
    std::optional<double> number = parseNumber<double>(cell);
    if (!number || !std::isfinite(*number))
      fail({ErrorCode::Corrupt,
            "expected a number under '" + name + "', not '" + cell + "'"});
    outcome.metrics.push_back({name, *number});
  }
  if (!columns.time) {
    outcome.timeNs = outcome.metrics.front().value;
    outcome.message = plainNumberNote;
    return;
  }
  const std::string &time = row.cells[*columns.time];
  std::optional<double> number = parseNumber<double>(time);
  outcome.timeNs = number ? *number * columns.unitNs : 0;
  if (std::string wrong = database::findMistake(outcome);
      !number || !wrong.empty())
    fail({ErrorCode::Corrupt, "expected a time, not '" + time +
                                  (number ? "': " + wrong : std::string("'"))});
}

static Outcome readOutcome(const CsvRow &row, const Columns &columns,
                           const ResultColumns *wanted) {
  Outcome outcome;
  outcome.timeNs = std::numeric_limits<double>::quiet_NaN();
  bool isEmpty = columns.time
                     ? row.cells[*columns.time].empty()
                     : std::ranges::all_of(columns.results, [&](auto &result) {
                         return row.cells[result.second].empty();
                       });
  outcome.status =
      readStatus(row, columns, wanted, isEmpty ? Status::Crashed : Status::Ok);
  if (outcome.status != Status::Ok)
    outcome.message = "recorded as a failure";
  else
    outcome.numSamples = 1;
  if (columns.details && !readDetails(row, *columns.details, outcome))
    fail({ErrorCode::Corrupt,
          "expected numbers under 'spread', 'samples', 'compile_ns' and "
          "'run_ns'"});
  if (outcome.status == Status::Ok)
    readResults(row, columns, outcome);
  return outcome;
}

Result<RecordedOutcomes> study::readReplayTable(std::string_view text,
                                                const Space &space,
                                                std::string_view kernel,
                                                const ResultColumns *wanted) {
  return attempt([&] {
    std::vector<CsvRow> rows = need(readCsv(text));
    if (rows.empty())
      fail({ErrorCode::Corrupt, "the file is empty"});
    Columns columns = readHeader(rows.front(), space, wanted);
    Recording recording(space);
    for (size_t i = 1; i < rows.size(); ++i) {
      const CsvRow &row = rows[i];
      std::string where = "line " + std::to_string(row.line);
      if (columns.kernel && !kernel.empty() &&
          row.cells[*columns.kernel] != kernel)
        fail({ErrorCode::InvalidArgument,
              where + ": an outcome of the kernel '" +
                  row.cells[*columns.kernel] + "', not of '" +
                  std::string(kernel) + "'"});
      auto outcome = attempt([&] { return readOutcome(row, columns, wanted); });
      if (!outcome)
        fail({outcome.error().code, where + ": " + outcome.error().message});
      recording.add(
          attempt([&] { return readParameters(row, columns, space); }),
          std::move(*outcome), where);
    }
    return need(recording.take());
  });
}
