//===- Objectives.cpp - Several results of a candidate --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Study/Objectives.h"

#include "baco/Search/MultiObjectiveSearch.h"
#include "baco/Support/CostUnit.h"
#include "baco/Support/ParseNumber.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace baco;
using namespace baco::study;
using database::Trial;
using Goal = Objective::Goal;

static Error invalid(const std::string &what) {
  return {ErrorCode::InvalidArgument, what};
}

static std::string numberText(double value) { return toString(Value(value)); }

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

static Result<Objective> parseObjective(std::string_view text) {
  Objective objective;
  bool hasGoal = false;
  for (auto [word, goal] :
       {std::pair("min ", Goal::Minimize), std::pair("max ", Goal::Maximize)})
    if (text.starts_with(word)) {
      objective.goal = goal;
      hasGoal = true;
      text = trimBlanks(text.substr(4));
      break;
    }
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
      return invalid("there are " + std::to_string(weights->size()) +
                     " weights for " + std::to_string(numOptimized()) +
                     " results to minimize");
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

Result<void> Objectives::check() const {
  for (size_t i = 0; i < all.size(); ++i) {
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
                       "', which is no result of candidates");
    if (formula->variables().empty())
      return invalid("the order '" + order + "' reads no result");
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
  std::vector<Value> values;
  for (const Metric &metric : metrics)
    values.emplace_back(metric.value);
  Result<Value> value =
      formula.evaluate([&](std::string_view name) -> const Value * {
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
  double cost = formula ? evaluateOver(*formula, outcome.metrics)
                        : costsOf(outcome).front();
  bool isTime = unitNs > 0 && minimizesFirst();
  if (!std::isfinite(cost)) {
    outcome.message = "'" + order + "' has no finite value";
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
  for (size_t i = 0; i < all.size() && i < outcome.metrics.size(); ++i)
    if (all[i].goal != Goal::Bounded)
      costs.push_back(all[i].goal == Goal::Maximize ? -outcome.metrics[i].value
                                                    : outcome.metrics[i].value);
  return costs;
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
  if (!areSeveral()) {
    std::optional<size_t> least;
    for (size_t i = 0; i < trials.size(); ++i)
      if (trials[i].works() && (!least || trials[i].outcome->timeNs <
                                              trials[*least].outcome->timeNs))
        least = i;
    return least;
  }
  auto [working, costs] = costsOfWorking(*this, trials);
  if (working.empty())
    return std::nullopt;
  // Nothing dominates what is first of all.
  if (kind == Kind::Pareto)
    return working[std::ranges::min_element(costs) - costs.begin()];
  std::vector<size_t> best = ranking->best(costs);
  return best.empty() ? std::nullopt : std::optional(working[best.front()]);
}

std::vector<size_t> Objectives::front(const std::vector<Trial> &trials) const {
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
