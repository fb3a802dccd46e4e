//===- Experiments.h - Small experiments for tests --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A space whose times are known by heart, and runs on it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_SEARCHBENCHMARK_EXPERIMENTS_H
#define BACO_UNITTESTS_SEARCHBENCHMARK_EXPERIMENTS_H

#include "Replay.h"

#include <gtest/gtest.h>

#include <limits>

namespace baco::bench {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// x and y in 1 ... 4 with y >= x; the time is x y, and 16 fails: ten
/// configurations, best 1, worst 12.
inline BenchmarkSpace productSpace(std::string name = "product") {
  Result<Expression> order = Expression::parse("y >= x");
  EXPECT_TRUE(order);
  Result<Space> space = Space::create(
      {*Parameter::integer("x", 1, 4), *Parameter::integer("y", 1, 4)},
      {{*order, "", "", false}});
  EXPECT_TRUE(space);
  auto timeOf = [](const Configuration &c) -> std::optional<double> {
    int64_t product = std::get<int64_t>(c[0]) * std::get<int64_t>(c[1]);
    return product == 16 ? std::nullopt : std::optional(double(product));
  };
  Result<BenchmarkSpace> result =
      BenchmarkSpace::compute(std::move(name), *space, timeOf);
  EXPECT_TRUE(result);
  return *result;
}

inline Technique findTechnique(const std::string &name) {
  Result<std::vector<Technique>> found = findTechniques({name});
  EXPECT_TRUE(found) << found.error().message;
  return found->front();
}

/// A run that found these times, one after each evaluation.
inline Run runOf(std::vector<double> bestTimes) {
  Run run;
  run.bestTimes = std::move(bestTimes);
  return run;
}

} // namespace baco::bench

#endif // BACO_UNITTESTS_SEARCHBENCHMARK_EXPERIMENTS_H
