//===- CompileBenchmark.cpp - What compiling a candidate costs ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the kernel of each file as baco-tune-driver does, compiles a candidate
// repeatedly as baco-worker does, and prints the median CPU time of each phase:
// in one process, or with --fork in a new child for each compilation, in which
// the first use of everything costs extra, as it does in the worker.
//
//===----------------------------------------------------------------------===//

#include "ResultFile.h"

#include "baco/CandidateCompiler/Dialects.h"
#include "baco/CandidateCompiler/ModuleCompiler.h"
#include "baco/Driver/Kernel.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/IR/BacoDialect.h"
#include "baco/Protocol/Samples.h"
#include "baco/Schedule/ExtractSpace.h"
#include "baco/Verification/Operands.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace baco;
using baco::target::ModuleCompiler;
using baco::target::PhaseClock;
namespace cl = llvm::cl;

static cl::OptionCategory category("Benchmark options");
static cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                                   cl::desc("<module>..."), cl::cat(category));
static cl::opt<std::string>
    scheduleFile("schedule", cl::cat(category), cl::value_desc("file"),
                 cl::desc("Schedule (default: the file's, or automatic)"));
static cl::opt<std::string>
    configuration("configuration", cl::cat(category), cl::value_desc("json"),
                  cl::desc("Values of all knobs (default: the default ones)"));
static cl::opt<unsigned> runs("runs", cl::init(41), cl::cat(category),
                              cl::desc("Compilations (default 41)"));
static cl::opt<bool> inChildren("fork", cl::cat(category),
                                cl::desc("Compile in a new process each time"));
static cl::opt<unsigned>
    pairs("pairs", cl::cat(category),
          cl::desc("Then run the candidate this many times, in turns with one "
                   "compiled by LLVM's whole pipeline (default: 0)"));
static cl::opt<double> check("check", cl::init(0), cl::value_desc("ms"),
                             cl::cat(category),
                             cl::desc("Exit with 2 if a median exceeds this"));
static cl::opt<std::string> markdown(
    "markdown", cl::cat(category), cl::value_desc("file"),
    cl::desc("Also write the table to this file, which keeps other tables"));

/// Milliseconds of each compilation by phase, in the order of the phases.
using Times = std::vector<std::pair<std::string, std::vector<double>>>;

static void add(Times &times, const std::string &phase, double ms) {
  auto known =
      llvm::find_if(times, [&](auto &one) { return one.first == phase; });
  if (known == times.end())
    known = times.insert(times.end(), {phase, {}});
  known->second.push_back(ms);
}

/// \param level  for the target option `opt_level`, if there is one
static llvm::Expected<runtime::Signature>
setUp(ModuleCompiler &compiler, const std::string &file, std::string &candidate,
      std::optional<int64_t> level = std::nullopt) {
  DialectRegistry registry;
  target::registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto module = parseSourceFile<ModuleOp>(file, ParserConfig(&context));
  if (!module)
    return llvm::createStringError("'" + file + "' can't be read");
  driver::KernelOptions options;
  options.scheduleFile = scheduleFile;
  options.host = schedule::HostInfo::detect();
  FailureOr<driver::FoundKernels> found = driver::takeKernels(*module, options);
  if (failed(found))
    return llvm::createStringError("'" + file + "' has no kernel");
  driver::Kernel &kernel = found->kernels.front();
  FailureOr<Space> space = driver::extractSpace(kernel);
  if (failed(space))
    return llvm::createStringError("the schedule has no space");
  candidate = configuration.empty()
                  ? writeConfiguration(
                        *space, space->toConfiguration(space->defaultPoint()))
                  : configuration.getValue();
  if (level) {
    Builder builder(&context);
    SymbolTable::lookupSymbolIn(*kernel.schedule, schedule::defaultSequence)
        ->setAttr(BacoDialect::kTargetOptions,
                  builder.getDictionaryAttr(builder.getNamedAttr(
                      "opt_level", builder.getI64IntegerAttr(*level))));
  }
  std::string payload, schedule, text;
  llvm::raw_string_ostream(payload) << *kernel.payload;
  llvm::raw_string_ostream(schedule) << *kernel.schedule;
  llvm::raw_string_ostream(text) << llvm::json::Value(llvm::json::Object{
      {"payload", payload}, {"schedule", schedule}, {"entry", kernel.name}});
  auto signature = compiler.setUp(text);
  if (!signature)
    return llvm::createStringError(signature.error().message);
  return std::move(*signature);
}

/// Compiles once; says what went wrong, else nothing.
static std::string compileOnce(ModuleCompiler &compiler,
                               const std::string &candidate, Times &times) {
  PhaseClock clock;
  compiler.setClock(&clock);
  auto compiled = compiler.compile(candidate);
  if (auto *failure = std::get_if<runtime::CompileFailure>(&compiled))
    return failure->message;
  double totalMs = 0;
  for (auto [phase, ns] : clock.phases()) {
    add(times, phase, ns * 1e-6);
    totalMs += ns * 1e-6;
  }
  add(times, "total", totalMs);
  return {};
}

/// The same in a child, which sends its times as lines of text.
static std::string compileInChild(ModuleCompiler &compiler,
                                  const std::string &candidate, Times &times) {
  int pipes[2];
  if (pipe(pipes) != 0)
    return "no pipe";
  pid_t child = fork();
  if (child < 0)
    return "no process";
  if (child == 0) {
    Times own;
    std::string failure = compileOnce(compiler, candidate, own);
    FILE *out = fdopen(pipes[1], "w");
    if (!failure.empty())
      std::fprintf(out, "!%s\n", failure.c_str());
    for (auto &[phase, values] : own)
      std::fprintf(out, "%s\t%.9g\n", phase.c_str(), values.front());
    std::fclose(out);
    _exit(0);
  }
  close(pipes[1]);
  std::string failure;
  FILE *in = fdopen(pipes[0], "r");
  char line[1024];
  while (std::fgets(line, sizeof line, in)) {
    auto [phase, value] = StringRef(line).rtrim().split('\t');
    double ms = 0;
    if (value.getAsDouble(ms))
      failure = phase.str();
    else
      add(times, phase.str(), ms);
  }
  std::fclose(in);
  waitpid(child, nullptr, 0);
  return failure;
}

static llvm::Expected<runtime::CompiledKernel>
compileKernel(ModuleCompiler &compiler, const std::string &candidate) {
  auto compiled = compiler.compile(candidate);
  if (auto *failure = std::get_if<runtime::CompileFailure>(&compiled))
    return llvm::createStringError(failure->message);
  return std::get<runtime::CompiledKernel>(std::move(compiled));
}

/// Prints how much longer the candidate takes than with the whole pipeline: the
/// median of the ratios of neighboring executions.
static llvm::Error compareSpeed(ModuleCompiler &compiler,
                                const std::string &file,
                                const runtime::Signature &signature,
                                const std::string &candidate) {
  ModuleCompiler whole;
  std::string same;
  constexpr int64_t wholePipeline = 3;
  if (auto ok = setUp(whole, file, same, wholePipeline); !ok)
    return ok.takeError();
  compiler.setClock(nullptr);
  auto ours = compileKernel(compiler, candidate);
  if (!ours)
    return ours.takeError();
  auto theirs = compileKernel(whole, candidate);
  if (!theirs)
    return theirs.takeError();
  auto inputs = runtime::generateInputs(signature, /*seed=*/1);
  auto operands = runtime::Operands::create(signature, inputs);
  if (!operands)
    return llvm::createStringError("there is not enough memory");
  auto timeNs = [&](const runtime::CompiledKernel &kernel) {
    operands->fill(/*absolute=*/false);
    int64_t start = runtime::threadCpuNs();
    kernel.entry(operands->pointers());
    return static_cast<double>(runtime::threadCpuNs() - start);
  };
  std::vector<double> ratios, oursNs;
  for (unsigned i = 0; i < pairs; ++i) {
    // The second of a pair finds the caches as the first left them: take turns.
    double first = timeNs(i % 2 ? *theirs : *ours);
    double second = timeNs(i % 2 ? *ours : *theirs);
    oursNs.push_back(i % 2 ? second : first);
    ratios.push_back(i % 2 ? second / first : first / second);
  }
  llvm::outs() << llvm::formatv(
      "{0:f3} ms; {1:f3} times as long as with opt_level = 3 (quartiles "
      "{2:f3} and {3:f3}), {4} pairs\n",
      runtime::median(oursNs) * 1e-6, runtime::median(ratios),
      runtime::quantile(ratios, 0.25), runtime::quantile(ratios, 0.75),
      pairs.getValue());
  return llvm::Error::success();
}

/// Prints the median time of each phase for the kernel of `file`, and returns
/// those times.
static llvm::Expected<Times> measure(const std::string &file) {
  ModuleCompiler compiler;
  std::string candidate;
  auto signature = setUp(compiler, file, candidate);
  if (!signature)
    return signature.takeError();
  Times times;
  for (unsigned i = 0; i < runs; ++i) {
    std::string failure = inChildren
                              ? compileInChild(compiler, candidate, times)
                              : compileOnce(compiler, candidate, times);
    if (!failure.empty())
      return llvm::createStringError(failure);
  }
  if (files.size() > 1)
    llvm::outs() << file << ": ";
  llvm::outs() << candidate << ", median of " << runs << "\n";
  for (auto &[phase, ms] : times)
    llvm::outs() << llvm::formatv("{0,-20} {1,8:f2} ms\n", phase,
                                  runtime::median(ms));
  if (pairs > 0)
    if (auto error = compareSpeed(compiler, file, *signature, candidate))
      return std::move(error);
  return times;
}

/// Appends a row to the table, which has a column for each phase.
static void addRow(bench::ResultTable &table, const std::string &file,
                   const Times &times) {
  if (table.columns.empty()) {
    table.columns.push_back("candidate of");
    for (auto &[phase, ms] : times)
      table.columns.push_back(phase + ", ms");
  }
  std::vector<std::string> row = {llvm::sys::path::stem(file).str()};
  for (auto &[phase, ms] : times)
    row.push_back(llvm::formatv("{0:f1}", runtime::median(ms)).str());
  table.rows.push_back(std::move(row));
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "time the phases of compiling a candidate\n");
  llvm::ExitOnError exitOnError("baco-bench-compile: ");
  auto require = [&](const Result<void> &done) {
    if (!done)
      exitOnError(llvm::createStringError(done.error().message));
  };
  if (runs == 0)
    exitOnError(llvm::createStringError("--runs must be at least 1"));
  require(bench::checkResultFile(markdown));
  bench::ResultTable table{"baco-bench-compile", {}, {}, {}};
  bool isSlow = false;
  for (const std::string &file : files) {
    Times times = exitOnError(measure(file));
    addRow(table, file, times);
    double total = runtime::median(times.back().second);
    if (check > 0 && total > check) {
      llvm::errs() << llvm::formatv("{0}: {1:f2} ms exceeds {2:f2} ms\n", file,
                                    total, check.getValue());
      isSlow = true;
    }
  }
  table.notes.push_back("medians of " + std::to_string(runs) +
                        (runs == 1 ? " compilation" : " compilations") +
                        ", CPU time");
  if (!markdown.empty())
    require(bench::updateResultFile(markdown, "baco-bench-compile", {table},
                                    bench::describeRun(argc, argv)));
  return isSlow ? 2 : 0;
}
