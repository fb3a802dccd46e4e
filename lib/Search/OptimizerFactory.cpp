//===- OptimizerFactory.cpp - Search techniques by name -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/OptimizerFactory.h"

#include "baco/Search/BayesianOptimizer.h"
#include "baco/Search/ExhaustiveSearch.h"
#include "baco/Search/UniformSampler.h"

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
  return {};
}

std::vector<std::string_view> baco::search::optimizerNames() {
  return {"baco", "random", "exhaustive"};
}

static Result<std::unique_ptr<Optimizer>> makeExhaustive(Space space) {
  for (const Parameter &parameter : space.parameters())
    if (parameter.kind() == ParameterKind::Real)
      return {ErrorCode::Unsupported,
              "an exhaustive search needs a finite space, but parameter '" +
                  parameter.name() + "' is real: use 'baco' or 'random'"};
  if (!space.countIfSmall())
    return {ErrorCode::Unsupported,
            "an exhaustive search of " + space.count() +
                " configurations would never end: use 'baco' or 'random'"};
  return std::unique_ptr<Optimizer>(
      std::make_unique<ExhaustiveSearch>(std::move(space)));
}

Result<std::unique_ptr<Optimizer>>
baco::search::makeOptimizer(std::string_view name, Space space,
                            const OptimizerOptions &options) {
  if (Result<void> valid = options.validate(); !valid)
    return valid.error();
  if (name == "exhaustive")
    return makeExhaustive(std::move(space));
  if (name == "random")
    return std::unique_ptr<Optimizer>(
        std::make_unique<UniformSampler>(std::move(space), options.seed));
  if (name == "baco")
    return std::unique_ptr<Optimizer>(
        std::make_unique<BayesianOptimizer>(std::move(space), options));
  std::string known;
  for (std::string_view each : optimizerNames())
    known += (known.empty() ? "" : ", ") + std::string(each);
  return {ErrorCode::NotFound, "unknown search technique '" +
                                   std::string(name) +
                                   "': the known ones are " + known};
}
