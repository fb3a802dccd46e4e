//===- CostBenchmark.cpp - How well static costs rank candidates ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the kernels of files as baco-tune-driver does, draws configurations,
// computes their static costs, measures them in interleaved rounds, and prints
// Spearman's rank correlation of the two. With bars, exits with 2 if one is
// missed.
//
//===----------------------------------------------------------------------===//

#include "baco/CandidateCompiler/Dialects.h"
#include "baco/CandidateCompiler/ModuleCompiler.h"
#include "baco/Driver/JitEvaluator.h"
#include "baco/Driver/StaticEvaluator.h"
#include "baco/Driver/WorkerPath.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/IR/DiagnosticRecorder.h"
#include "baco/Target/Pipelines.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace baco;
namespace cl = llvm::cl;

static cl::OptionCategory category("Benchmark options");
static cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                                   cl::cat(category), cl::desc("<files>"));
static cl::opt<std::string>
    host("host", cl::cat(category), cl::value_desc("key=value,..."),
         cl::desc("Machine to schedule for and whose costs are computed"));
static cl::opt<unsigned> draws("draws", cl::init(60), cl::cat(category),
                               cl::desc("Configurations (default: 60)"));
static cl::opt<unsigned> rounds("rounds", cl::init(2), cl::cat(category),
                                cl::desc("Measurements of each, whose least "
                                         "counts; 0: costs only (default: 2)"));
static cl::opt<unsigned> seed("seed", cl::init(1), cl::cat(category),
                              cl::desc("Seed of the draws (default: 1)"));
static cl::opt<bool> ignoreAdvisory("ignore-advisory", cl::cat(category),
                                    cl::desc("Ignore advisory constraints"));
static cl::opt<double> bar("bar", cl::init(-1), cl::cat(category),
                           cl::desc("The least correlation that passes"));
static cl::opt<bool> verbose("print-draws", cl::cat(category),
                             cl::desc("Print each configuration's numbers"));

namespace {
struct Draw {
  std::string configuration, note;
  Configuration values;
  double cost = 0, timeNs = HUGE_VAL;
};
} // namespace

/// The rank of each value; equal ones share theirs.
static std::vector<double> ranksOf(const std::vector<double> &values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(values[a], a) < std::pair(values[b], b);
  });
  std::vector<double> ranks(values.size());
  for (size_t i = 0; i < order.size();) {
    size_t end = i;
    while (end < order.size() && values[order[end]] == values[order[i]])
      ++end;
    for (size_t k = i; k < end; ++k)
      ranks[order[k]] = static_cast<double>(i + end - 1) / 2;
    i = end;
  }
  return ranks;
}

/// Spearman's rank correlation; 0 if all values of one are equal.
static double correlate(const std::vector<double> &a,
                        const std::vector<double> &b) {
  std::vector<double> x = ranksOf(a), y = ranksOf(b);
  double mean = (static_cast<double>(x.size()) - 1) / 2;
  double xy = 0, xx = 0, yy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  return xx * yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

static Result<std::vector<Draw>> computeCosts(const driver::Kernel &kernel,
                                              const Space &space) {
  target::ModuleCompiler compiler;
  auto setUp =
      kernel.target->setUpWorker(kernel, /*device=*/{}, /*isStatic=*/true);
  if (!setUp)
    return setUp.error();
  auto ready = compiler.setUp(
      driver::describeForWorker(kernel, /*sharedLibs=*/{}, setUp->fields));
  if (!ready)
    return ready.error();
  std::vector<Draw> found;
  Random random(seed);
  for (unsigned i = 0; i < draws; ++i) {
    Draw draw;
    draw.values = space.toConfiguration(space.sample(random));
    draw.configuration = writeConfiguration(space, draw.values);
    auto compiled = compiler.compile(draw.configuration);
    if (const auto *code = std::get_if<runtime::CompiledKernel>(&compiled)) {
      draw.cost = code->staticCost;
      draw.note = code->note;
      found.push_back(std::move(draw));
    } else {
      llvm::errs() << draw.configuration << ": "
                   << std::get<runtime::CompileFailure>(compiled).message
                   << "\n";
    }
  }
  return found;
}

static Result<void> measureDraws(const driver::Kernel &kernel,
                                 const Space &space, std::vector<Draw> &found) {
  Result<std::string> worker = driver::findWorker("");
  if (!worker)
    return worker.error();
  runtime::MeasureOptions options;
  options.timing.trialMs = 20;
  options.limits.runTimeoutMs = 5000;
  auto evaluator = driver::JitEvaluator::create(kernel, space, {*worker}, {},
                                                {}, options, /*stop=*/nullptr);
  if (!evaluator)
    return evaluator.error();
  uint64_t trial = 0;
  for (unsigned round = 0; round < rounds; ++round)
    for (Draw &draw : found) {
      if (Result<void> asked = (*evaluator)->submit(trial, draw.values); !asked)
        return asked;
      Result<Outcome> outcome = (*evaluator)->wait(trial++);
      if (!outcome)
        return outcome.error();
      if (outcome->status == Status::Ok)
        draw.timeNs = std::min(draw.timeNs, outcome->timeNs);
    }
  llvm::erase_if(found,
                 [](const Draw &draw) { return draw.timeNs == HUGE_VAL; });
  return {};
}

/// Whether the bar is passed; prints a line.
static Result<bool> judge(const driver::Kernel &kernel, StringRef file) {
  if (!kernel.host)
    return Error{ErrorCode::Unsupported, "the kernel isn't for a CPU"};
  FailureOr<Space> space = driver::extractSpace(kernel, ignoreAdvisory);
  if (failed(space))
    return Error{ErrorCode::Unsupported, "there is no space"};
  Result<std::vector<Draw>> found = computeCosts(kernel, *space);
  if (!found)
    return found.error();
  if (rounds == 0) {
    for (const Draw &draw : *found)
      llvm::outs() << llvm::formatv("{0:f0} cycles  {1}  {2}\n", draw.cost,
                                    draw.configuration, draw.note);
    return true;
  }
  if (Result<void> measured = measureDraws(kernel, *space, *found); !measured)
    return measured.error();
  std::vector<double> costs, times;
  for (const Draw &draw : *found) {
    costs.push_back(draw.cost);
    times.push_back(draw.timeNs);
    if (verbose)
      llvm::outs() << llvm::formatv("{0:f1} us  {1:f0} cycles  {2}  {3}\n",
                                    draw.timeNs / 1e3, draw.cost,
                                    draw.configuration, draw.note);
  }
  if (times.size() < 2)
    return Error{ErrorCode::NotFound, "no configuration works"};
  double correlation = correlate(costs, times);
  auto [least, most] = std::minmax_element(times.begin(), times.end());
  size_t chosen = static_cast<size_t>(
      std::min_element(costs.begin(), costs.end()) - costs.begin());
  llvm::outs() << llvm::formatv(
      "{0} @{1}: {2:f2} over {3} configurations, {4:f1} to {5:f1} us; the "
      "least cost takes {6:f2} times the least time\n",
      file, kernel.name, correlation, times.size(), *least / 1e3, *most / 1e3,
      times[chosen] / *least);
  llvm::outs().flush();
  return correlation >= bar;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv, "rank correlation of static costs and measured times\n");
  llvm::ExitOnError exitOnError("baco-bench-cost: ");
  target::registerPasses();
  target::registerTargetPipelines();
  DialectRegistry registry;
  target::registerDialects(registry);
  driver::KernelOptions options;
  options.host = exitOnError(schedule::HostInfo::parse(host));
  if (host.empty())
    options.costCpu = schedule::HostCpu::detect().name;
  bool havePassed = true;
  for (const std::string &file : files) {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    auto module = parseSourceFile<ModuleOp>(file, ParserConfig(&context));
    if (!module)
      return 1;
    FailureOr<driver::FoundKernels> found =
        driver::takeKernels(*module, options);
    if (failed(found))
      return 1;
    for (const driver::Kernel &kernel : found->kernels) {
      Result<bool> passed = judge(kernel, file);
      if (!passed)
        llvm::errs() << "baco-bench-cost: " << file << " @" << kernel.name
                     << ": " << passed.error().message << "\n";
      havePassed &= passed && *passed;
    }
  }
  return havePassed ? 0 : 2;
}
