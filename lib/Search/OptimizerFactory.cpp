//===- OptimizerFactory.cpp - Search techniques by name -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/OptimizerFactory.h"

#include "baco/Search/BanditSearch.h"
#include "baco/Search/BayesianOptimizer.h"
#include "baco/Search/ExhaustiveSearch.h"
#include "baco/Search/ForestSearch.h"
#include "baco/Search/GeneticAlgorithm.h"
#include "baco/Search/IndexSearch.h"
#include "baco/Search/ParallelRankOrder.h"
#include "baco/Search/RawSampler.h"
#include "baco/Search/SimulatedAnnealing.h"
#include "baco/Search/UniformSampler.h"
#include "baco/Search/WalkSampler.h"

using namespace baco;
using namespace baco::search;

Result<void> OptimizerOptions::validate() const {
  if (initialDesign < 0)
    return {ErrorCode::InvalidArgument,
            "option 'initialDesign' must be at least 1 (or 0 for automatic), "
            "but it is " +
                std::to_string(initialDesign)};
  if (numCandidates < 1)
    return {ErrorCode::InvalidArgument,
            "option 'numCandidates' must be at least 1, but it is " +
                std::to_string(numCandidates)};
  if (simplexSize < 0)
    return {ErrorCode::InvalidArgument,
            "option 'simplexSize' must be at least 0, but it is " +
                std::to_string(simplexSize)};
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

template <RankOrderSimplex::Expansion expansion>
static Made makeRankOrder(Space space, const OptimizerOptions &options) {
  size_t smallest = RankOrderSimplex::smallestSize(space);
  auto size = static_cast<size_t>(options.simplexSize);
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

Result<std::unique_ptr<Optimizer>>
baco::search::makeOptimizer(std::string_view name, Space space,
                            const OptimizerOptions &options) {
  if (Result<void> valid = options.validate(); !valid)
    return valid.error();
  for (const Maker &maker : makers)
    if (maker.name == name)
      return maker.make(std::move(space), options);
  std::string known;
  for (const Maker &maker : makers)
    known += (known.empty() ? "" : ", ") + std::string(maker.name);
  return {ErrorCode::NotFound, "unknown search technique '" +
                                   std::string(name) +
                                   "': the known ones are " + known};
}
