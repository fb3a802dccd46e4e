//===- baco-tune-driver.cpp - Tune the kernels of a file ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options, signals and exit codes of the tuner's command line. Exit codes:
//
//   0    every kernel has a best schedule
//   1    the input is wrong: options, file, schedule, constraints
//   2    the environment fails: worker, database, output directory
//   3    a kernel has no candidate that works
//   130  interrupted; what was found until then is written
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Files.h"
#include "baco/Driver/Outputs.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Report/ProgressPrinter.h"
#include "baco/Schedule/ExtractSpace.h"
#include "baco/Target/Dialects.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"

#include <atomic>
#include <csignal>
#include <iostream>

using namespace mlir;
using namespace baco::driver;
namespace cl = llvm::cl;

enum ExitCode {
  tunedAll = 0,
  badInput = 1,
  badEnvironment = 2,
  nothingWorks = 3,
  interrupted = 130
};

static cl::OptionCategory category("Tuning options");

static cl::opt<std::string> inputFile(cl::Positional,
                                      cl::desc("<input .mlir file>"),
                                      cl::init("-"), cl::cat(category));
static cl::opt<unsigned>
    budget("budget",
           cl::desc("Candidates to evaluate per kernel, those of earlier runs "
                    "included, at least 1 (default: 60)"),
           cl::value_desc("n"), cl::init(60), cl::cat(category));
static cl::opt<double> timeLimit(
    "time-limit",
    cl::desc("Wall time of the search per kernel in seconds, 0 for no "
             "limit (default: 0)"),
    cl::value_desc("seconds"), cl::init(0), cl::cat(category));
static cl::opt<uint64_t> seed("seed",
                              cl::desc("Seed of the search (default: 0)"),
                              cl::value_desc("n"), cl::init(0),
                              cl::cat(category));
static cl::opt<std::string>
    optimizer("optimizer",
              cl::desc("Search technique: baco, random or exhaustive (default: "
                       "baco)"),
              cl::value_desc("name"), cl::init("baco"), cl::cat(category));
static cl::opt<std::string> evaluator(
    "evaluator",
    cl::desc("Where times come from: jit compiles and runs each "
             "candidate, replay:FILE looks them up in a database, in "
             "exported trials (.jsonl) or in a table (.csv) (default: "
             "jit)"),
    cl::value_desc("jit|replay:file"), cl::init("jit"), cl::cat(category));
static cl::opt<unsigned>
    inFlight("in-flight",
             cl::desc("Candidates in flight: one is timed while the others are "
                      "compiled; more keep more cores busy, but each is chosen "
                      "knowing less (default: 2)"),
             cl::value_desc("n"), cl::init(2), cl::cat(category));
static cl::opt<std::string>
    outputDir("output-dir",
              cl::desc("Directory for the results, made if it doesn't exist "
                       "(default: .)"),
              cl::value_desc("dir"), cl::init("."), cl::cat(category));
static cl::opt<std::string> database(
    "db",
    cl::desc("Journal of all trials (SQLite); the same command resumes "
             "from it (default: NAME.baco.db in the output directory)"),
    cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string> scheduleFile(
    "schedule",
    cl::desc("Schedule with choices (transform IR), if it isn't in "
             "the input (default: the input's, or an automatic "
             "one)"),
    cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string>
    entry("entry",
          cl::desc("Function to tune (default: every one that can be; with a "
                   "schedule, the only public one)"),
          cl::value_desc("function"), cl::cat(category));
static cl::opt<std::string>
    host("host",
         cl::desc("Machine to schedule for, KEY=VALUE,... with vector-bytes, "
                  "vector-registers, l1, l2, l3 in bytes (default: this "
                  "machine)"),
         cl::value_desc("key=value,..."), cl::cat(category));
static cl::opt<std::string>
    emitSpace("emit-space",
              cl::desc("Write the search space of the kernel as JSON to this "
                       "file (- for standard output) and stop"),
              cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string>
    worker("worker",
           cl::desc("Program that runs candidates (default: $BACO_WORKER, or "
                    "baco-worker beside this program)"),
           cl::value_desc("file"), cl::cat(category));
static cl::opt<int>
    cpu("cpu",
        cl::desc("Number of the CPU that candidates run on (default: -1, the "
                 "last one available)"),
        cl::value_desc("n"), cl::init(-1), cl::cat(category));
static cl::opt<int64_t>
    compileTimeout("compile-timeout",
                   cl::desc("Wall time for compiling a candidate in "
                            "milliseconds (default: 20000)"),
                   cl::value_desc("ms"), cl::init(20000), cl::cat(category));
static cl::opt<int64_t>
    runTimeout("run-timeout",
               cl::desc("Wall time for one execution of a candidate in "
                        "milliseconds; at least 4 times the plain lowering's "
                        "time is granted (default: 1000)"),
               cl::value_desc("ms"), cl::init(1000), cl::cat(category));
static cl::opt<int64_t>
    memoryLimit("memory-limit",
                cl::desc("Memory that a candidate may allocate, in MiB "
                         "(default: 4096)"),
                cl::value_desc("MiB"), cl::init(4096), cl::cat(category));

static std::atomic<bool> stopRequested = false;
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler must be able to set it");

/// The first Ctrl-C asks the search to stop, the second ends the program.
static void installSignalHandlers() {
  struct sigaction action = {};
  action.sa_handler = [](int) { stopRequested = true; };
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    sigaction(signal, &action, nullptr);
}

static int complain(ExitCode code, const llvm::Twine &message) {
  llvm::errs() << "baco-tune-driver: error: " << message << "\n";
  return code;
}

/// The input's name without folder and ending: the first part of the names of
/// all files that are written.
static std::string stem() {
  return inputFile == "-" ? "stdin" : llvm::sys::path::stem(inputFile).str();
}

static TuneOptions readOptions() {
  TuneOptions options;
  options.budget = budget;
  options.timeLimitS = timeLimit;
  options.seed = seed;
  options.optimizer = optimizer;
  options.evaluator = evaluator;
  options.inFlight = inFlight;
  options.worker = worker;
  options.database = database;
  if (options.database.empty()) {
    llvm::SmallString<256> path(outputDir);
    llvm::sys::path::append(path, stem() + ".baco.db");
    options.database = path.str().str();
  }
  options.measure.cpu = cpu;
  options.measure.limits.compileTimeoutMs = compileTimeout;
  options.measure.limits.runTimeoutMs = runTimeout;
  options.measure.limits.memoryLimitMiB = memoryLimit;
  return options;
}

static int writeSpaceFile(llvm::ArrayRef<Kernel> kernels) {
  if (kernels.size() > 1)
    return complain(badInput, "the module has " + llvm::Twine(kernels.size()) +
                                  " kernels: choose one by --entry");
  FailureOr<baco::Space> space =
      baco::schedule::extractSpace(kernels.front().schedule.get());
  if (failed(space))
    return badInput;
  std::string text = baco::writeSpace(*space);
  if (emitSpace == "-") {
    llvm::outs() << text;
    return tunedAll;
  }
  if (auto written = baco::database::writeFileAtomically(emitSpace, text);
      !written)
    return complain(badEnvironment, written.error().message);
  return tunedAll;
}

/// Tunes all kernels and writes what came of it.
static int tune(ModuleOp module, llvm::ArrayRef<Kernel> kernels) {
  if (std::error_code error = llvm::sys::fs::create_directories(outputDir))
    return complain(badEnvironment, "cannot make output directory '" +
                                        outputDir + "': " + error.message());
  if (std::error_code error =
          llvm::sys::fs::access(outputDir, llvm::sys::fs::AccessMode::Write))
    return complain(badEnvironment, "cannot write to output directory '" +
                                        outputDir + "': " + error.message());
  TuneOptions options = readOptions();
  installSignalHandlers();
  std::vector<TunedKernel> tuned;
  int code = tunedAll;
  for (const Kernel &kernel : kernels) {
    if (stopRequested)
      break;
    TuneFailure kind;
    FailureOr<TunedKernel> one = [&] {
      unsigned width = llvm::sys::Process::StandardErrColumns();
      baco::report::ProgressPrinter progress(
          std::cerr, kernel.name, llvm::sys::Process::StandardErrIsDisplayed(),
          width ? width : 80);
      return tuneKernel(kernel, options, progress, kind, &stopRequested);
    }();
    if (failed(one) && stopRequested)
      break;
    if (failed(one))
      return kind == TuneFailure::Input ? badInput : badEnvironment;
    std::cout << baco::report::writeSummaryText(one->summary) << std::flush;
    if (!one->schedule && !one->interrupted) {
      emitError(kernel.location)
          << "no candidate of '" << kernel.name << "' works; "
          << llvm::join(one->summary.notes, "; ");
      code = nothingWorks;
    }
    tuned.push_back(std::move(*one));
  }
  if (failed(applyBest(module, tuned)))
    return badInput;
  auto written = writeOutputs(outputDir, stem(), module, tuned);
  if (!written)
    return complain(badEnvironment, written.error().message);
  for (const std::string &path : *written)
    std::cout << "wrote " << path << "\n";
  return stopRequested ? interrupted : code;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Tunes the kernels of an MLIR file and writes the tuned file, the\n"
      "schedules, all trials and a summary.\n\n"
      "exit codes: 0 tuned, 1 the input is wrong, 2 the environment fails, 3 "
      "no\n"
      "candidate works, 130 interrupted (what was found is written)\n");

  DialectRegistry registry;
  baco::target::registerDialects(registry);
  baco::target::registerPasses();
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context, llvm::errs());
  context.printOpOnDiagnostic(false);

  auto module = parseSourceFile<ModuleOp>(inputFile, sources, &context);
  if (!module)
    return badInput;
  auto hostInfo = baco::schedule::HostInfo::parse(host);
  if (!hostInfo)
    return complain(badInput, "--host: " + toString(hostInfo.takeError()));
  FailureOr<std::vector<Kernel>> kernels =
      takeKernels(*module, {scheduleFile, entry, *hostInfo});
  if (failed(kernels))
    return badInput;
  if (!emitSpace.empty())
    return writeSpaceFile(*kernels);
  return tune(*module, *kernels);
}
