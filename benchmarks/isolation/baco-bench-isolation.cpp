//===- baco-bench-isolation.cpp - What a process per candidate costs ------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates one candidate again and again, one at a time and timed for as
// short as can be, and says where the wall time of an evaluation goes. With a
// kernel that does next to nothing, all that is not compiling is the cost of
// isolation and verification. README.md has the commands.
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/WorkerProcess.h"
#include "baco/Protocol/Clock.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

using namespace baco;
using runtime::nowNs;

namespace {
/// One entry for each evaluation, in ms.
struct Costs {
  std::vector<double> wall, compiling, running, rest;
};
} // namespace

[[noreturn]] static void fail(const std::string &message) {
  std::fprintf(stderr, "baco-bench-isolation: error: %s\n", message.c_str());
  std::exit(1);
}

/// The least is what a machine shows that is busy with other things, too.
static void printRow(const char *name, const std::vector<double> &valuesMs) {
  std::printf("  %-48s %7.2f %7.2f %7.2f\n", name,
              runtime::quantile(valuesMs, 0), runtime::median(valuesMs),
              runtime::quantile(valuesMs, 0.9));
}

int main(int argc, char **argv) {
  if (argc == 2 && !std::strcmp(argv[1], "--help")) {
    std::fputs("usage: baco-bench-isolation WORKER TEXT-FILE CONFIGURATION "
               "[COUNT]\n\nPrints where the wall time of an evaluation goes, "
               "in milliseconds. WORKER is the\nprogram that runs candidates, "
               "TEXT-FILE the text that sets it up, CONFIGURATION\nthe "
               "candidate, and COUNT the number of evaluations (100).\n",
               stdout);
    return 0;
  }
  if (argc != 4 && argc != 5)
    fail("wants WORKER TEXT-FILE CONFIGURATION [COUNT] (see --help)");
  std::ifstream file(argv[2]);
  if (!file)
    fail(std::string("cannot read '") + argv[2] + "'");
  int count = argc == 5 ? std::atoi(argv[4]) : 100;
  if (count < 1)
    fail("COUNT must be a positive number");

  measure::WorkerOptions options;
  options.program = argv[1];
  options.text.assign(std::istreambuf_iterator<char>(file), {});
  options.measure.timing.trialMs = 0.001;
  options.measure.timing.minSamples = 1;
  auto worker = measure::WorkerProcess::start(options);
  if (!worker)
    fail(worker.error().message);

  Costs costs;
  // The first ones find pages and caches that are cold.
  constexpr int numWarmUps = 5;
  for (int i = 0; i < count + numWarmUps; ++i) {
    int64_t start = nowNs();
    Result<void> submitted = (*worker)->submit(i, argv[3]);
    if (!submitted)
      fail(submitted.error().message);
    Result<Outcome> outcome = (*worker)->wait(i);
    if (!outcome)
      fail(outcome.error().message);
    double wallNs = nowNs() - start;
    if (outcome->status != Status::Ok)
      fail("the candidate fails: " + outcome->message);
    if (i < numWarmUps)
      continue;
    costs.wall.push_back(wallNs / 1e6);
    costs.compiling.push_back(outcome->compileNs / 1e6);
    costs.running.push_back(outcome->runNs / 1e6);
    costs.rest.push_back((wallNs - outcome->compileNs - outcome->runNs) / 1e6);
  }
  std::printf("%-50s %7s %7s %7s\n",
              (std::to_string(count) + " evaluations, in ms").c_str(), "least",
              "median", "90 %");
  printRow("whole", costs.wall);
  printRow("compiling", costs.compiling);
  printRow("arguments, two checks, shortest timing", costs.running);
  printRow("process: fork, confine, talk, kill, reap", costs.rest);
  return 0;
}
