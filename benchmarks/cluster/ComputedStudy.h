//===- ComputedStudy.h - A study of computed outcomes -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A space as those of matmuls, and workers that compute outcomes after a time.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CLUSTER_COMPUTEDSTUDY_H
#define BACO_BENCHMARKS_CLUSTER_COMPUTEDSTUDY_H

#include "baco/Cluster/ClusterEvaluator.h"

namespace baco::bench {

/// Prints an error of the environment and exits with 2.
[[noreturn]] void fail(const std::string &message);

/// The value of a result, which has to be one.
template <typename T>
T take(Result<T> result) {
  if (!result)
    fail(result.error().message);
  return std::move(*result);
}

Space matmulSpace();
Outcome computeOutcome(const Configuration &configuration);

/// Seconds since any moment.
double now();

struct Worker {
  std::string url, id;
  uint64_t slots = 1, taskMs = 0, depth = 1;
};

/// Works until SIGTERM.
void work(const Worker &worker);

struct Study {
  std::string url;
  uint64_t trials = 0, inFlight = 1;
};

/// The seconds that a study by `random` takes, with its journal, without the
/// time to find workers.
double runStudy(const Study &study);

/// The milliseconds of an ask and a tell, on average, after so many outcomes.
struct SearchCost {
  uint64_t told = 0;
  double ms = 0;
};
/// Of `optimizer`, each for the next few asks after `told` outcomes, the most
/// of which were random.
SearchCost measureSearch(const std::string &optimizer, uint64_t told,
                         uint64_t inFlight);

} // namespace baco::bench

#endif // BACO_BENCHMARKS_CLUSTER_COMPUTEDSTUDY_H
