//===- Objectives.cpp - Several results of a candidate --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Study/Objectives.h"

#include "baco/Database/Validation.h"
#include "baco/Search/MultiObjectiveSearch.h"
#include "baco/Support/CostUnit.h"
#include "baco/Support/Json.h"
#include "baco/Support/ParseNumber.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

using namespace baco;
using namespace baco::study;
using database::Trial;
using Goal = Objective::Goal;

static Error invalid(const std::string &what) {
  return {ErrorCode::InvalidArgument, what};
}

static std::string numberText(double value) {
  return toString(ParameterValue(value));
}

bool Objective::Bound::holds(double value) const {
  return symbol == "<="  ? value <= limit
         : symbol == "<" ? value < limit
         : symbol == ">" ? value > limit
                         : value >= limit;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string_view trimBlanks(std::string_view text) {
  size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

static std::vector<std::string_view> splitAtCommas(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    size_t comma = text.find(',');
    parts.push_back(trimBlanks(text.substr(0, comma)));
    if (comma == std::string_view::npos)
      return parts;
    text.remove_prefix(comma + 1);
  }
}

/// The first word of a text.
static std::string_view firstWord(std::string_view text) {
  return text.substr(0, text.find_first_of(" \t"));
}

static Result<Objective> parseObjective(std::string_view text) {
  Objective objective;
  std::string_view word = firstWord(text);
  bool hasGoal = word == "min" || word == "max";
  if (word == "max")
    objective.goal = Goal::Maximize;
  if (hasGoal)
    text = trimBlanks(text.substr(word.size()));
  size_t symbol = text.find_first_of("<>=");
  objective.name = trimBlanks(text.substr(0, symbol));
  if (objective.name.empty())
    return invalid("a result has no name; expected [min|max] NAME [>= NUMBER], "
                   "separated by commas");
  if (symbol == std::string_view::npos)
    return objective;
  std::string_view rest = text.substr(symbol);
  size_t length = rest.substr(1, 1) == "=" ? 2 : 1;
  Objective::Bound bound;
  bound.symbol = rest.substr(0, length);
  std::optional<double> limit =
      parseNumber<double>(trimBlanks(rest.substr(length)));
  if (rest[0] == '=' || !limit || !std::isfinite(*limit))
    return invalid("the bound of '" + objective.name +
                   "' must be <=, <, >= or > and a number, but is '" +
                   std::string(rest) + "'");
  bound.limit = *limit;
  objective.bound = bound;
  if (!hasGoal)
    objective.goal = Goal::Bounded;
  return objective;
}

Result<Objectives> Objectives::parse(std::string_view text,
                                     std::string_view order) {
  Objectives read;
  for (std::string_view part : splitAtCommas(text)) {
    Result<Objective> objective = parseObjective(part);
    if (!objective)
      return objective.error();
    read.all.push_back(std::move(*objective));
  }
  if (Result<void> ok = read.setOrder(order); !ok)
    return ok.error();
  return read;
}

Result<Objectives> Objectives::minimizing(const std::vector<std::string> &names,
                                          std::string_view order) {
  Objectives made;
  for (const std::string &name : names)
    made.all.push_back({name});
  if (Result<void> ok = made.setOrder(order); !ok)
    return ok.error();
  return made;
}

static Result<std::vector<double>> parseWeights(std::string_view text) {
  std::vector<double> weights;
  for (std::string_view part : splitAtCommas(text)) {
    std::optional<double> weight = parseNumber<double>(part);
    if (!weight || !std::isfinite(*weight) || *weight < 0)
      return invalid("a weight must be a number, at least 0, but is '" +
                     std::string(part) + "'");
    weights.push_back(*weight);
  }
  return weights;
}

Result<void> Objectives::setOrder(std::string_view text) {
  constexpr std::string_view weighted = "weighted:";
  order = trimBlanks(text);
  if (order.empty())
    order = "pareto";
  if (order == "pareto") {
    ranking = search::paretoOrder();
  } else if (order == "lexicographic") {
    kind = Kind::Lexicographic;
    ranking = search::lexicographicOrder();
  } else if (order.starts_with(weighted)) {
    kind = Kind::Weighted;
    Result<std::vector<double>> weights =
        parseWeights(std::string_view(order).substr(weighted.size()));
    if (!weights)
      return weights.error();
    if (weights->size() != numOptimized())
      return invalid("'" + order +
                     "' needs as many weights as there are results to "
                     "minimize, " +
                     std::to_string(numOptimized()));
    double total = std::accumulate(weights->begin(), weights->end(), 0.0);
    if (!(total > 0 && std::isfinite(total)))
      return invalid("the sum of weights must be positive and finite");
    // Written alike, however it was given.
    order = weighted;
    for (double weight : *weights)
      order += (order.ends_with(':') ? "" : ",") + numberText(weight);
    ranking = search::weightedOrder(std::move(*weights));
  } else {
    kind = Kind::Formula;
    Result<Expression> parsed = Expression::parse(order);
    if (!parsed)
      return invalid("the order '" + order +
                     "' is neither pareto, lexicographic, weighted:NUMBERS, "
                     "nor an expression: " +
                     parsed.error().message);
    formula = std::move(*parsed);
  }
  return check();
}

/// Why something can't be the name of a result; empty if it can.
static std::string findMistakeInName(const std::string &name) {
  std::string written = printJson(Json(name));
  bool isText = std::ranges::none_of(name, [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == 0x7f;
  });
  if (!isText || tryParseJson(written).get<std::string>() != name)
    return "a name has control characters, or is no UTF-8";
  std::string_view word = firstWord(name);
  for (std::string_view goal : {"min", "max", "minimize", "maximize"})
    if (word == goal)
      return "'" + name +
             "' begins like a goal; these are min and max, before " +
             "the name of a result";
  if (name.find_first_of(",<>=") != std::string::npos)
    return "the name '" + name + "' has a comma or a comparison";
  // Columns of tables of trials.
  for (std::string_view column :
       {"trial", "status", "time_ns", "spread", "samples", "compile_ns",
        "run_ns", "kernel", "message", "timestamp"})
    if (name == column)
      return "'" + name + "' is a column of all tables of trials: choose " +
             "another name";
  return {};
}

Result<void> Objectives::checkSpace(const Space &space) const {
  for (const Parameter &parameter : space.parameters())
    if (std::ranges::find(all, parameter.name(), &Objective::name) != all.end())
      return invalid("'" + parameter.name() +
                     "' is a parameter and a result: choose another name");
  return {};
}

Result<void> Objectives::check() const {
  for (size_t i = 0; i < all.size(); ++i) {
    if (std::string wrong = findMistakeInName(all[i].name); !wrong.empty())
      return invalid(wrong);
    auto isSame = [&](const Objective &other) {
      return other.name == all[i].name;
    };
    if (std::count_if(all.begin(), all.end(), isSame) > 1)
      return invalid("two results have the name '" + all[i].name + "'");
    if (kind == Kind::Weighted && all[i].goal == Goal::Maximize)
      return invalid("weights are for results to minimize, but '" +
                     all[i].name + "' is maximized");
  }
  if (kind == Kind::Formula) {
    for (const std::string &name : formula->variables())
      if (std::ranges::find(all, name, &Objective::name) == all.end())
        return invalid("the order reads '" + name +
                       "', which is no result of candidates; others are "
                       "pareto, lexicographic and weighted:NUMBERS");
    if (formula->variables().empty())
      return invalid("the order '" + order + "' reads no result");
    const ParameterValue one = 1.0;
    Result<ParameterValue> value =
        formula->evaluate([&](std::string_view) { return &one; });
    if (value && std::holds_alternative<bool>(*value))
      return invalid("the order '" + order +
                     "' is true or false; a number is minimized");
  } else if (numOptimized() == 0) {
    return invalid("no result is minimized or maximized: write min or max "
                   "before one that has a bound");
  }
  return {};
}

std::vector<std::string> Objectives::names() const {
  std::vector<std::string> names;
  for (const Objective &objective : all)
    names.push_back(objective.name);
  return names;
}

std::string Objectives::text() const {
  std::string text;
  for (const Objective &objective : all) {
    text += text.empty() ? "" : ", ";
    if (objective.goal == Goal::Maximize)
      text += "max ";
    else if (objective.goal == Goal::Minimize)
      text += "min ";
    text += objective.name;
    if (objective.bound)
      text += " " + objective.bound->symbol + " " +
              numberText(objective.bound->limit);
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Outcomes
//===----------------------------------------------------------------------===//

size_t Objectives::numOptimized() const {
  return static_cast<size_t>(
      std::count_if(all.begin(), all.end(), [](const Objective &objective) {
        return objective.goal != Goal::Bounded;
      }));
}

bool Objectives::areSeveral() const {
  return kind != Kind::Formula && numOptimized() > 1;
}

bool Objectives::minimizesFirst() const {
  return kind != Kind::Formula && !all.empty() &&
         all.front().goal == Goal::Minimize;
}

/// The value of an expression, NaN if it has none.
static double evaluateOver(const Expression &formula,
                           const std::vector<Metric> &metrics) {
  std::vector<ParameterValue> values;
  for (const Metric &metric : metrics)
    values.emplace_back(metric.value);
  Result<ParameterValue> value =
      formula.evaluate([&](std::string_view name) -> const ParameterValue * {
        auto found = std::ranges::find(metrics, name, &Metric::name);
        return found == metrics.end() ? nullptr
                                      : &values[found - metrics.begin()];
      });
  double number = std::numeric_limits<double>::quiet_NaN();
  if (value)
    std::visit(
        [&](const auto &known) {
          if constexpr (std::is_arithmetic_v<std::decay_t<decltype(known)>>)
            number = static_cast<double>(known);
        },
        *value);
  return number;
}

Outcome Objectives::judge(const std::vector<double> &values,
                          double unitNs) const {
  assert(values.size() == all.size() && "a result for each objective");
  Outcome outcome;
  outcome.numSamples = 1;
  outcome.status = Status::WrongResult;
  outcome.timeNs = std::numeric_limits<double>::quiet_NaN();
  for (size_t i = 0; i < all.size(); ++i)
    outcome.metrics.push_back({all[i].name, values[i]});
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].bound && !all[i].bound->holds(values[i])) {
      outcome.message = all[i].name + " is " + numberText(values[i]) +
                        ", but must be " + all[i].bound->symbol + " " +
                        numberText(all[i].bound->limit);
      return outcome;
    }
  const search::Costs costs = costsOf(outcome);
  double cost =
      formula ? evaluateOver(*formula, outcome.metrics) : costs.front();
  if (!std::isfinite(cost)) {
    outcome.message = "'" + order + "' has no finite value";
    return outcome;
  }
  if (kind == Kind::Weighted && std::ranges::min(costs) <= 0) {
    outcome.message = "weights need results above 0, but one is " +
                      numberText(std::ranges::min(costs));
    return outcome;
  }
  bool isTime = unitNs > 0 && minimizesFirst();
  if (isTime && !database::isTime(cost * unitNs)) {
    outcome.message = "a time is from 1e-06 to 1e18 ns, but " +
                      all.front().name + " is " + numberText(cost) +
                      "; without --unit it may be any number";
    return outcome;
  }
  outcome.status = Status::Ok;
  outcome.timeNs = isTime ? cost * unitNs : cost;
  if (!isTime)
    outcome.message = plainNumberNote;
  return outcome;
}

Result<Outcome> Objectives::judgeAgain(const Outcome &recorded,
                                       double unitNs) const {
  if (recorded.status != Status::Ok && recorded.metrics.empty())
    return recorded;
  std::vector<double> values;
  for (const Objective &objective : all) {
    auto found =
        std::ranges::find(recorded.metrics, objective.name, &Metric::name);
    if (found == recorded.metrics.end())
      return Error{ErrorCode::NotFound, "a recorded candidate has no result '" +
                                            objective.name + "'"};
    values.push_back(found->value);
  }
  Outcome outcome = recorded;
  Outcome judged = judge(values, unitNs);
  outcome.status = judged.status;
  outcome.timeNs = judged.timeNs;
  outcome.message = std::move(judged.message);
  outcome.metrics = std::move(judged.metrics);
  return outcome;
}

search::Costs Objectives::costsOf(const Outcome &outcome) const {
  search::Costs costs;
  for (const Objective &objective : all) {
    if (objective.goal == Goal::Bounded)
      continue;
    auto found =
        std::ranges::find(outcome.metrics, objective.name, &Metric::name);
    // See checkTrial.
    double value = found == outcome.metrics.end()
                       ? std::numeric_limits<double>::quiet_NaN()
                       : found->value;
    costs.push_back(objective.goal == Goal::Maximize ? -value : value);
  }
  return costs;
}

Result<void> Objectives::checkTrial(const Trial &trial) const {
  if (!trial.outcome || trial.outcome->status != Status::Ok)
    return {};
  for (const Objective &objective : all)
    if (std::ranges::find(trial.outcome->metrics, objective.name,
                          &Metric::name) == trial.outcome->metrics.end())
      return {ErrorCode::Corrupt, "trial " + std::to_string(trial.number) +
                                      " has no result '" + objective.name +
                                      "'"};
  return {};
}

double Objectives::shown(double cost) const {
  if (kind == Kind::Formula)
    return cost;
  auto first = std::ranges::find_if(all, [](const Objective &objective) {
    return objective.goal != Goal::Bounded;
  });
  return first != all.end() && first->goal == Goal::Maximize ? -cost : cost;
}

//===----------------------------------------------------------------------===//
// Trials
//===----------------------------------------------------------------------===//

/// The trials that work, and their costs.
static std::pair<std::vector<size_t>, std::vector<search::Costs>>
costsOfWorking(const Objectives &objectives, const std::vector<Trial> &trials) {
  std::pair<std::vector<size_t>, std::vector<search::Costs>> found;
  for (size_t i = 0; i < trials.size(); ++i)
    if (trials[i].works()) {
      found.first.push_back(i);
      found.second.push_back(objectives.costsOf(*trials[i].outcome));
    }
  return found;
}

std::optional<size_t> Objectives::best(const std::vector<Trial> &trials) const {
  if (hasSimpleBest()) {
    std::optional<size_t> least;
    for (size_t i = 0; i < trials.size(); ++i)
      if (trials[i].works() &&
          (!least || isBetter(*trials[i].outcome, *trials[*least].outcome)))
        least = i;
    return least;
  }
  auto [working, costs] = costsOfWorking(*this, trials);
  std::vector<size_t> best = ranking->best(costs);
  return best.empty() ? std::nullopt : std::optional(working[best.front()]);
}

bool Objectives::isBetter(const Outcome &a, const Outcome &b) const {
  assert(hasSimpleBest() && "weights depend on all trials");
  return areSeveral() ? costsOf(a) < costsOf(b) : a.timeNs < b.timeNs;
}

std::vector<size_t> Objectives::front(const std::vector<Trial> &trials) const {
  if (numOptimized() < 2) {
    std::optional<size_t> only = best(trials);
    return only ? std::vector{*only} : std::vector<size_t>();
  }
  auto [working, costs] = costsOfWorking(*this, trials);
  std::vector<size_t> indices = search::paretoFront(costs);
  std::ranges::stable_sort(indices, {}, [&](size_t i) { return costs[i]; });
  for (size_t &index : indices)
    index = working[index];
  return indices;
}

Result<std::unique_ptr<search::Optimizer>>
Objectives::makeOptimizer(std::string_view technique, const Space &space,
                          const search::OptimizerOptions &options) const {
  auto made = search::makeOptimizer(technique, space, options);
  if (!made || !areSeveral())
    return made;
  return std::unique_ptr<search::Optimizer>(
      std::make_unique<search::MultiObjectiveSearch>(
          [technique = std::string(technique), space, options] {
            return search::makeOptimizer(technique, space, options);
          },
          ranking, options.seed));
}
