//===- OptimizerFactory.cpp - Search techniques by name -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Techniques/OptimizerFactory.h"

#include "baco/Search/BayesianOptimizer.h"
#include "baco/Search/Rivals/BanditSearch.h"
#include "baco/Search/Rivals/ExhaustiveSearch.h"
#include "baco/Search/Rivals/ForestSearch.h"
#include "baco/Search/Rivals/GeneticAlgorithm.h"
#include "baco/Search/Rivals/IndexSearch.h"
#include "baco/Search/Rivals/ParallelRankOrder.h"
#include "baco/Search/Rivals/RandomSamplers.h"
#include "baco/Search/Rivals/SimulatedAnnealing.h"

#include <algorithm>
#include <charconv>

using namespace baco;
using namespace baco::search;

Result<void> OptimizerOptions::validate() const {
  if (Result<void> valid = BayesianOptions::validate(); !valid)
    return valid;
  if (simplexSize < 0)
    return {ErrorCode::InvalidArgument,
            "option 'simplexSize' must be at least 0, but it is " +
                std::to_string(simplexSize)};
  if (simplexFactor < 0 || simplexFactor == 1 ||
      (simplexFactor != 0 && simplexSize != 0))
    return {ErrorCode::InvalidArgument,
            "option 'simplexFactor' must be at least 2, or 0 where "
            "'simplexSize' is given, but it is " +
                std::to_string(simplexFactor)};
  return {};
}

using Made = Result<std::unique_ptr<Optimizer>>;

static Made makeExhaustive(Space space, const OptimizerOptions &options) {
  for (const Parameter &parameter : space.parameters())
    if (parameter.kind() == ParameterKind::Real)
      return {ErrorCode::Unsupported,
              "an exhaustive search needs a finite space, but parameter '" +
                  parameter.name() + "' is real: use 'baco' or 'random'"};
  if (!space.countIfSmall())
    return {ErrorCode::Unsupported,
            "an exhaustive search of " +
                std::string(space.isCountExact() ? "" : "up to ") +
                space.count() +
                " configurations would never end: use 'baco' or 'random'"};
  return std::unique_ptr<Optimizer>(
      std::make_unique<ExhaustiveSearch>(std::move(space)));
}

static Made makeBaco(Space space, const OptimizerOptions &options) {
  return std::unique_ptr<Optimizer>(
      std::make_unique<BayesianOptimizer>(std::move(space), options));
}

static Made makeBacoMinusMinus(Space space, const OptimizerOptions &options) {
  OptimizerOptions reduced = options;
  reduced.baco = BacoOptions::minusMinus();
  return makeBaco(std::move(space), reduced);
}

static Made makeBacoPublished(Space space, const OptimizerOptions &options) {
  OptimizerOptions reduced = options;
  reduced.baco = BacoOptions::published();
  return makeBaco(std::move(space), reduced);
}

template <RankOrderSimplex::Expansion expansion>
static Made makeRankOrder(Space space, const OptimizerOptions &options) {
  size_t smallest = RankOrderSimplex::smallestSize(space);
  auto size = static_cast<size_t>(options.simplexSize);
  // At least 2 where there is but one parameter, or none.
  if (options.simplexFactor != 0)
    size = std::max(smallest, options.simplexFactor * (smallest - 1));
  if (size != 0 && size < smallest)
    return {ErrorCode::InvalidArgument,
            "option 'simplexSize' must be at least " +
                std::to_string(smallest) +
                " (one more than there are parameters with several values; or "
                "0 for automatic), but it is " +
                std::to_string(size)};
  if (size == 0)
    size = RankOrderSimplex::defaultSize(space);
  return std::unique_ptr<Optimizer>(std::make_unique<ParallelRankOrder>(
      std::move(space), options.seed, size, expansion));
}

static Made makeOpenTuner(Space space, const OptimizerOptions &options) {
  auto techniques = openTunerTechniques(space);
  return std::unique_ptr<Optimizer>(std::make_unique<BanditSearch>(
      std::move(space), options.seed, std::move(techniques)));
}

/// OpenTuner's techniques over the numbers of the configurations.
static Made makeAtfBandit(Space space, const OptimizerOptions &options) {
  Result<Space> numbers = IndexSearch::numbers(space);
  if (!numbers)
    return numbers.error();
  Made technique = makeOpenTuner(std::move(*numbers), options);
  if (!technique)
    return technique.error();
  return std::unique_ptr<Optimizer>(
      std::make_unique<IndexSearch>(std::move(space), std::move(*technique)));
}

/// A technique that has no other option than the seed.
template <typename Technique>
static Made makeSeeded(Space space, const OptimizerOptions &options) {
  return std::unique_ptr<Optimizer>(
      std::make_unique<Technique>(std::move(space), options.seed));
}

namespace {

struct Maker {
  std::string_view name;
  Made (*make)(Space space, const OptimizerOptions &options);
};

} // namespace

static constexpr Maker makers[] = {
    {"baco", makeBaco},
    {"baco--", makeBacoMinusMinus},
    {"baco-published", makeBacoPublished},
    {"forest", makeSeeded<ForestSearch>},
    {"random", makeSeeded<UniformSampler>},
    {"random-raw", makeSeeded<RawSampler>},
    {"random-walk", makeSeeded<WalkSampler>},
    {"exhaustive", makeExhaustive},
    {"annealing", makeSeeded<SimulatedAnnealing>},
    {"atf-bandit", makeAtfBandit},
    {"opentuner", makeOpenTuner},
    {"pro", makeRankOrder<RankOrderSimplex::Expansion::CheckFirst>},
    {"pro-c", makeRankOrder<RankOrderSimplex::Expansion::Together>},
    {"genetic", makeSeeded<GeneticAlgorithm>},
};

std::vector<std::string_view> baco::search::optimizerNames() {
  std::vector<std::string_view> names;
  for (const Maker &maker : makers)
    names.push_back(maker.name);
  return names;
}

//===----------------------------------------------------------------------===//
// Settings in a technique's name
//===----------------------------------------------------------------------===//

namespace {

/// `key=value` behind a name.
struct Setting {
  std::string_view key;
  /// Whether the technique has it.
  bool (*isOf)(std::string_view technique);
  /// Its values, for people.
  std::string_view values;
  /// False if `value` isn't one.
  bool (*apply)(std::string_view value, OptimizerOptions &options);
};

} // namespace

static bool isBaco(std::string_view technique) {
  return technique.starts_with("baco");
}

static bool isRankOrder(std::string_view technique) {
  return technique == "pro" || technique == "pro-c";
}

/// A whole number from 1 to a million.
static bool readCount(std::string_view text, int &count) {
  constexpr int largest = 1'000'000;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), count);
  return error == std::errc() && end == text.data() + text.size() &&
         count >= 1 && count <= largest;
}

static bool setSurrogate(std::string_view value, OptimizerOptions &options) {
  options.surrogate =
      value == "forest" ? Surrogate::RandomForest : Surrogate::GaussianProcess;
  return value == "forest" || value == "process";
}

static bool setInitial(std::string_view value, OptimizerOptions &options) {
  return readCount(value, options.initialDesign);
}

static bool setCandidates(std::string_view value, OptimizerOptions &options) {
  return readCount(value, options.numCandidates);
}

static bool setSimplex(std::string_view value, OptimizerOptions &options) {
  options.simplexSize = options.simplexFactor = 0;
  if (!value.ends_with('N'))
    return readCount(value, options.simplexSize);
  value.remove_suffix(1);
  return readCount(value, options.simplexFactor) && options.simplexFactor > 1;
}

static constexpr Setting settings[] = {
    // The model of the objective.
    {"surrogate", isBaco, "process or forest", setSurrogate},
    // Trials before the first model.
    {"initial", isBaco, "1, 2, ...", setInitial},
    // Random candidates of a suggestion.
    {"candidates", isBaco, "1, 2, ...", setCandidates},
    // Vertices; N is the number of parameters with several values.
    {"simplex", isRankOrder, "2, 3, ... or 2N, 3N, ...", setSimplex},
};

/// Reads one `key=value`.
static Result<void> applySetting(std::string_view technique,
                                 std::string_view text,
                                 OptimizerOptions &options) {
  auto wrong = [&](const std::string &what) {
    return Error{ErrorCode::InvalidArgument,
                 "search technique '" + std::string(technique) + "': " + what};
  };
  size_t equals = text.find('=');
  std::string_view key = text.substr(0, equals);
  std::string known;
  for (const Setting &setting : settings) {
    if (!setting.isOf(technique))
      continue;
    known += (known.empty() ? "" : ", ") + std::string(setting.key);
    if (setting.key != key)
      continue;
    std::string_view value =
        equals == std::string_view::npos ? "" : text.substr(equals + 1);
    if (setting.apply(value, options))
      return {};
    return wrong("'" + std::string(key) + "' must be " +
                 std::string(setting.values) + ", but is '" +
                 std::string(value) + "'");
  }
  return wrong("unknown setting '" + std::string(key) + "': " +
               (known.empty() ? "it has none" : "the known ones are " + known));
}

/// The technique that `text` names, with its settings in `options`.
static Result<const Maker *> readTechnique(std::string_view text,
                                           OptimizerOptions &options) {
  size_t colon = text.find(':');
  std::string_view name = text.substr(0, colon);
  const Maker *found = std::ranges::find(makers, name, &Maker::name);
  if (found == std::end(makers)) {
    std::string known;
    for (std::string_view other : optimizerNames())
      known += (known.empty() ? "" : ", ") + std::string(other);
    return {ErrorCode::NotFound, "unknown search technique '" +
                                     std::string(name) +
                                     "': the known ones are " + known};
  }
  while (colon != std::string_view::npos) {
    text.remove_prefix(colon + 1);
    colon = text.find(',');
    if (auto done = applySetting(name, text.substr(0, colon), options); !done)
      return done.error();
  }
  return found;
}

Result<void> baco::search::checkOptimizer(std::string_view text) {
  OptimizerOptions options;
  Result<const Maker *> maker = readTechnique(text, options);
  return maker ? Result<void>() : maker.error();
}

Result<std::unique_ptr<Optimizer>>
baco::search::makeOptimizer(std::string_view text, Space space,
                            const OptimizerOptions &options) {
  OptimizerOptions own = options;
  Result<const Maker *> maker = readTechnique(text, own);
  if (!maker)
    return maker.error();
  if (Result<void> valid = own.validate(); !valid)
    return valid.error();
  return (*maker)->make(std::move(space), own);
}
