//===- baco-bench-space.cpp - Building large spaces -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two tables: what it takes to build and to sample large spaces, and what the
// chain of trees saves on the BaCO paper's MM_GPU space (section 5.3: 6 times
// in the local search, 80 times in sampling, 70 % of all time).
//
//   baco-bench-space [--check]
//
// --check: exits with 1 if a space takes more than its limits.
//
//===----------------------------------------------------------------------===//

#include "LargeSpaces.h"
#include "baco/Search/Techniques/OptimizerFactory.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <sys/resource.h>

using namespace baco;
using namespace baco::bench;
using namespace baco::search;

/// Prints what is wrong and ends the program.
[[noreturn]] static void fail(const std::string &message) {
  std::fprintf(stderr, "baco-bench-space: %s\n", message.c_str());
  std::exit(2);
}

static Space build(SpaceParts parts) {
  Result<Space> space =
      Space::create(std::move(parts.parameters), std::move(parts.constraints));
  if (!space)
    fail(space.error().message);
  return *space;
}

static double secondsOf(const std::function<void()> &work) {
  auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// Processor time, which other processes disturb less.
static double processorSecondsOf(const std::function<void()> &work) {
  std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// The largest memory that this process has had.
static double peakMiB() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024.0;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

namespace {
struct Case {
  std::string name;
  SpaceParts parts;
  /// Limits for building, counting and 10000 samples together.
  double maxSeconds;
  double maxMiB = HUGE_VAL;
};
} // namespace

static double rawSize(const SpaceParts &parts) {
  double size = 1;
  for (const Parameter &parameter : parts.parameters)
    size *= static_cast<double>(parameter.size());
  return size;
}

/// Prints a row; false if it takes more than it may.
static bool runCase(const Case &each) {
  constexpr int numSamples = 10'000;
  std::optional<Space> space;
  double building = secondsOf([&] { space = build(each.parts); });
  Random random(1);
  double sampling = secondsOf([&] {
    for (int i = 0; i < numSamples; ++i)
      space->sample(random);
  });
  size_t numEdges = 0;
  for (const Group &group : space->groups())
    numEdges += group.numEdges;
  double peak = peakMiB();
  bool ok = building + sampling <= each.maxSeconds && peak <= each.maxMiB;
  std::string count =
      (space->isCountExact() ? "" : "<= ") + std::string(space->count());
  std::printf("%-30s %8.1e %31s %5zu %9zu %9.1f %9.1f %9.0f%s\n",
              each.name.c_str(), rawSize(each.parts), count.c_str(),
              space->looseConstraints().size(), numEdges, 1e3 * building,
              1e3 * sampling, peak, ok ? "" : "  MISSED");
  return ok;
}

static bool runCases() {
  // From small to large: the memory is the process's peak.
  std::vector<Case> cases = {
      {"XgemmDirect, N = 1024", xgemmDirect(1024, true), 0.1, 100},
      {"MM_GPU", matmulGpu(), 0.1}};
  for (uint64_t seed = 1; seed <= 5; ++seed)
    cases.push_back({"synthetic " + std::to_string(seed), synthetic(seed), 5});
  cases.push_back(
      {"XgemmDirect, any local memory", xgemmDirect(1024, false), 1});
  for (uint64_t seed = 1; seed <= 10; ++seed)
    cases.push_back({"dense " + std::to_string(seed), dense(seed), 5});
  std::printf("%-30s %8s %31s %5s %9s %9s %9s %9s\n", "space", "raw",
              "feasible", "loose", "edges", "build ms", "10k draws",
              "peak MiB");
  bool ok = true;
  for (const Case &each : cases)
    ok &= runCase(each);
  return ok;
}

//===----------------------------------------------------------------------===//
// Chain of trees on and off
//===----------------------------------------------------------------------===//

/// Some smooth objective with a valley; the idle parameter is the last one.
static double objective(const Space &space, const Point &point) {
  double sum = 0;
  for (size_t k = 0; k + 1 < point.size(); ++k) {
    double x = space.parameters()[k].scaled(point[k]);
    sum += (1 + 0.3 * k) * (x - 0.1 * k) * (x - 0.1 * k);
  }
  return std::exp(sum);
}

/// Processor seconds for a thousand samples.
static double timeSampling(const Space &space) {
  Random random(2);
  return processorSecondsOf([&] {
    for (int i = 0; i < 1000; ++i)
      space.sample(random);
  });
}

/// Processor seconds for finding neighbors in climbs from some points, which
/// take the same ways on all spaces with the same configurations.
static double timeClimbs(const Space &space, const std::vector<Point> &starts) {
  Random random(3);
  std::vector<Point> neighbors;
  double total = 0;
  for (Point point : starts)
    for (bool climbs = true; climbs;) {
      total += processorSecondsOf(
          [&] { space.neighbors(point, random, neighbors); });
      climbs = false;
      double least = objective(space, point);
      for (const Point &neighbor : neighbors)
        if (double value = objective(space, neighbor); value < least) {
          least = value;
          point = neighbor;
          climbs = true;
        }
    }
  return total;
}

/// Processor seconds of all suggestions of a search.
static double timeSearch(const Space &space, int budget) {
  auto optimizer = makeOptimizer("baco", space, {});
  if (!optimizer)
    fail(optimizer.error().message);
  double total = 0;
  for (int i = 0; i < budget; ++i) {
    Result<std::optional<Suggestion>> suggestion = std::optional<Suggestion>();
    total += processorSecondsOf([&] { suggestion = (*optimizer)->ask(); });
    if (!suggestion || !*suggestion)
      fail("the search stopped");
    Point point = *space.toPoint((*suggestion)->configuration);
    auto told =
        (*optimizer)
            ->tell((*suggestion)->trial, {objective(space, point), true});
    if (!told)
      fail(told.error().message);
  }
  return total;
}

static void compareTrees() {
  constexpr int budget = 60;
  Space on = build(withIdleReal(matmulGpu(), /*trees=*/true));
  Space off = build(withIdleReal(matmulGpu(), /*trees=*/false));
  Random random(4);
  std::vector<Point> starts;
  for (int i = 0; i < 200; ++i)
    starts.push_back(on.sample(random));
  std::printf("\nMM_GPU, processor ms           trees     without  ratio\n");
  auto row = [](const char *name, double with, double without) {
    std::printf("%-28s %7.1f %11.1f %6.1f\n", name, 1e3 * with, 1e3 * without,
                without / with);
  };
  row("1000 samples", timeSampling(on), timeSampling(off));
  row("neighbors in 200 climbs", timeClimbs(on, starts),
      timeClimbs(off, starts));
  double with = timeSearch(on, budget), without = timeSearch(off, budget);
  row("all suggestions of baco", with, without);
  std::printf("of a search with %d evaluations, trees save %.0f %%\n", budget,
              100 * (1 - with / without));
}

int main(int argc, char **argv) {
  static constexpr const char *usage = "usage: baco-bench-space [--check]\n\n"
                                       "Builds and samples spaces of 10^10 to "
                                       "10^30 raw configurations, with and\n"
                                       "without the chain of trees. --check "
                                       "exits with 1 if a limit is missed.\n";
  if (argc == 2 && !std::strcmp(argv[1], "--help")) {
    std::fputs(usage, stdout);
    return 0;
  }
  bool check = argc == 2 && !std::strcmp(argv[1], "--check");
  if (argc > 1 && !check)
    fail("unknown arguments (see --help)");
  bool ok = runCases();
  compareTrees();
  return check && !ok ? 1 : 0;
}
