//===- StopConditionParser.cpp - Conditions to stop, as text --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   condition := conjunction {'||' conjunction}
//   conjunction := single {'&&' single}
//   single := '(' condition ')' | 'never' | name '(' number [',' number] ')'
//
// A number may be followed by a unit.
//
//===----------------------------------------------------------------------===//

#include "baco/Search/StopCondition.h"

#include <charconv>
#include <cmath>

using namespace baco;
using namespace baco::search;

/// Deeper conditions could overflow the stack.
static constexpr int maxDepth = 100;

/// The largest whole number that a double holds for certain.
static constexpr double maxCount = 0x1p53;

namespace {

/// A number as it is written: 10min.
struct Quantity {
  double number;
  std::string unit;
  size_t begin;
};

class Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  Result<StopCondition> run();

private:
  Result<StopCondition> condition();
  Result<StopCondition> conjunction();
  Result<StopCondition> single();
  Result<StopCondition> call(std::string_view name, size_t begin);

  Result<Quantity> quantity();
  Result<uint64_t> count(const Quantity &quantity) const;
  Result<double> share(const Quantity &quantity) const;
  Result<stop::Seconds> time(const Quantity &quantity) const;
  Result<double> plain(const Quantity &quantity) const;

  void skipBlanks();
  bool take(std::string_view symbol);
  std::string_view word();
  Error error(size_t where, const std::string &what) const {
    return {ErrorCode::InvalidArgument,
            "in '" + std::string(text) + "', column " +
                std::to_string(where + 1) + ": " + what};
  }

  std::string_view text;
  size_t at = 0;
  int depth = 0;
};

} // namespace

void Parser::skipBlanks() {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
    ++at;
}

bool Parser::take(std::string_view symbol) {
  skipBlanks();
  if (text.substr(at, symbol.size()) != symbol)
    return false;
  at += symbol.size();
  return true;
}

/// Letters, '_' and '%'.
std::string_view Parser::word() {
  size_t begin = at;
  auto isInWord = [](char c) {
    return (c >= 'a' && c <= 'z') || c == '_' || c == '%';
  };
  while (at < text.size() && isInWord(text[at]))
    ++at;
  return text.substr(begin, at - begin);
}

Result<StopCondition> Parser::run() {
  Result<StopCondition> parsed = condition();
  if (!parsed)
    return parsed;
  skipBlanks();
  if (at != text.size())
    return error(at, "expected '&&', '||' or the end");
  return parsed;
}

Result<StopCondition> Parser::condition() {
  Result<StopCondition> left = conjunction();
  while (left && take("||")) {
    Result<StopCondition> right = conjunction();
    if (!right)
      return right;
    left = *left || *right;
  }
  return left;
}

Result<StopCondition> Parser::conjunction() {
  Result<StopCondition> left = single();
  while (left && take("&&")) {
    Result<StopCondition> right = single();
    if (!right)
      return right;
    left = *left && *right;
  }
  return left;
}

Result<StopCondition> Parser::single() {
  if (take("(")) {
    if (++depth > maxDepth)
      return error(at, "the condition is nested too deeply");
    Result<StopCondition> inner = condition();
    --depth;
    if (inner && !take(")"))
      return error(at, "expected ')'");
    return inner;
  }
  skipBlanks();
  size_t begin = at;
  std::string_view name = word();
  if (name == "never")
    return StopCondition();
  return call(name, begin);
}

Result<StopCondition> Parser::call(std::string_view name, size_t begin) {
  bool isSpeedup = name == "speedup";
  if (!isSpeedup && name != "evaluations" && name != "duration" &&
      name != "fraction" && name != "cost" && name != "expected_improvement")
    return error(begin, "expected a condition: never, evaluations(60), "
                        "duration(10min), fraction(10%), cost(0.5), "
                        "speedup(1.05, 20), speedup(1.05, 30s) or "
                        "expected_improvement(1%)");
  if (!take("("))
    return error(at, "expected '('");
  Result<Quantity> first = quantity();
  if (!first)
    return first.error();
  if (isSpeedup && !take(","))
    return error(at, "expected ', ' and a number of evaluations or a time");
  Result<Quantity> second = isSpeedup ? quantity() : first;
  if (!second)
    return second.error();
  if (!take(")"))
    return error(at, "expected ')'");

  auto build = [](auto value, auto factory) -> Result<StopCondition> {
    if (!value)
      return value.error();
    return factory(*value);
  };
  if (name == "evaluations")
    return build(count(*first), stop::evaluations);
  if (name == "duration")
    return build(time(*first), stop::duration);
  if (name == "fraction")
    return build(share(*first), stop::fraction);
  if (name == "expected_improvement")
    return build(share(*first), stop::expectedImprovement);
  Result<double> number = plain(*first);
  if (!number)
    return number.error();
  if (name == "cost")
    return stop::cost(*number);
  if (!(*number > 1))
    return error(first->begin, "a speed-up is more than 1");
  if (second->unit.empty())
    return build(count(*second),
                 [&](uint64_t n) { return stop::speedup(*number, n); });
  return build(time(*second),
               [&](stop::Seconds t) { return stop::speedup(*number, t); });
}

Result<Quantity> Parser::quantity() {
  skipBlanks();
  Quantity quantity = {0, "", at};
  const char *begin = text.data() + at, *end = text.data() + text.size();
  auto [next, code] = std::from_chars(begin, end, quantity.number);
  if (code != std::errc() || !std::isfinite(quantity.number))
    return error(at, "expected a number");
  at += static_cast<size_t>(next - begin);
  quantity.unit = word();
  return quantity;
}

Result<double> Parser::plain(const Quantity &quantity) const {
  if (!quantity.unit.empty())
    return error(quantity.begin, "expected a number without a unit");
  return quantity.number;
}

Result<uint64_t> Parser::count(const Quantity &quantity) const {
  double n = quantity.number;
  if (!quantity.unit.empty() || !(n >= 1 && n <= maxCount) ||
      n != std::floor(n))
    return error(quantity.begin, "expected a whole number of evaluations, at "
                                 "least 1");
  return static_cast<uint64_t>(n);
}

Result<double> Parser::share(const Quantity &quantity) const {
  bool isPercent = quantity.unit == "%";
  double share = isPercent ? quantity.number / 100 : quantity.number;
  if (!(isPercent || quantity.unit.empty()) || !(share > 0 && share <= 1))
    return error(quantity.begin,
                 "expected a share, more than 0 and up to 1 or 100%");
  return share;
}

Result<stop::Seconds> Parser::time(const Quantity &quantity) const {
  static constexpr std::pair<std::string_view, double> units[] = {
      {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}};
  for (auto [name, seconds] : units)
    if (quantity.unit == name && quantity.number > 0)
      return stop::Seconds(quantity.number * seconds);
  return error(quantity.begin, "expected a time, more than 0, such as 500ms, "
                               "30s, 10min or 2h");
}

Result<StopCondition> StopCondition::parse(std::string_view text) {
  return Parser(text).run();
}
