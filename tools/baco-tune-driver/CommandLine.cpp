//===- CommandLine.cpp - Options of the tuner -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "ExitCode.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"

using namespace baco::driver;
using baco::runtime::Caches;
namespace cl = llvm::cl;

static cl::OptionCategory category("Tuning options");

namespace {
/// LLVM takes nothing for 0.
class NumberParser : public cl::parser<double> {
public:
  using parser::parser;
  bool parse(cl::Option &option, llvm::StringRef name, llvm::StringRef text,
             double &value) {
    if (text.trim().empty())
      return option.error("'' is no number: write one behind the '='");
    return cl::parser<double>::parse(option, name, text, value);
  }
};
using NumberOption = cl::opt<double, /*ExternalStorage=*/false, NumberParser>;
} // namespace

static cl::opt<std::string> inputFile(cl::Positional,
                                      cl::desc("<input .mlir file>"),
                                      cl::init("-"), cl::cat(category));
static cl::opt<unsigned> budget(
    "budget",
    cl::desc("Candidates to evaluate, those of earlier runs included, at "
             "least 1; several kernels share them by the time that they "
             "take (default: 60 per kernel, with --stop no limit)"),
    cl::value_desc("n"), cl::init(60), cl::cat(category));
static NumberOption timeLimit(
    "time-limit",
    cl::desc(
        "Wall time in seconds, from the start on, after which no candidate "
        "is started but each kernel's default; several kernels share it; 0 "
        "for no limit (default: 0)"),
    cl::value_desc("seconds"), cl::init(0), cl::cat(category));
static cl::opt<std::string> stopWhen(
    "stop",
    cl::desc("Condition after which a kernel's search ends: evaluations(N), "
             "duration(10min), fraction(10%), cost(NANOSECONDS), speedup(1.05, "
             "20), speedup(1.05, 30s), expected_improvement(1%), joined by &&, "
             "|| and parentheses, see docs/Library.md (default: none)"),
    cl::value_desc("condition"), cl::cat(category));
static cl::opt<uint64_t> seed("seed",
                              cl::desc("Seed of the search (default: 0)"),
                              cl::value_desc("n"), cl::init(0),
                              cl::cat(category));
static cl::opt<std::string> optimizer(
    "optimizer",
    cl::desc("Search technique: baco, baco--, forest, random, random-raw, "
             "random-walk, exhaustive, annealing, atf-bandit, "
             "opentuner, pro, pro-c or genetic, see docs/Rivals.md "
             "(default: baco)"),
    cl::value_desc("name"), cl::init("baco"), cl::cat(category));
static cl::opt<std::string>
    evaluator("evaluator",
              cl::desc("Where times come from: jit compiles and runs each "
                       "candidate, replay:FILE looks them up in a database "
                       "(FILE#KEY: in that study), in exported trials (.jsonl) "
                       "or in a table (.csv) (default: "
                       "jit)"),
              cl::value_desc("jit|replay:file"), cl::init("jit"),
              cl::cat(category));
static cl::opt<unsigned>
    inFlight("in-flight",
             cl::desc("Candidates in flight, 1 to 1024: one is timed while the "
                      "others are compiled; more keep more cores busy, but "
                      "each is chosen knowing less (default: 3)"),
             cl::value_desc("n"), cl::init(3), cl::cat(category));
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
                   "schedule, the only public one). A schedule is applied to "
                   "the whole file"),
          cl::value_desc("function"), cl::cat(category));
static cl::opt<std::string> host(
    "host",
    cl::desc("Machine to schedule for, KEY=VALUE,... with vector-bytes, "
             "vector-registers, l1, l2, l3 in bytes, and threads, the most "
             "that a kernel may have (default: this machine, 1 thread)"),
    cl::value_desc("key=value,..."), cl::cat(category));
static cl::opt<bool> ignoreAdvisory(
    "ignore-advisory",
    cl::desc("Search beyond the advisory constraints, too (default: false)"),
    cl::cat(category));
static cl::opt<std::string>
    emitSpace("emit-space",
              cl::desc("Write the search space of the kernel as JSON to this "
                       "file (- for standard output) and stop"),
              cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string> explain(
    "explain",
    cl::desc("Say whether the kernel's knobs may have these values, and if not "
             "why; others are free. Stops then, with exit code 3 if not"),
    cl::value_desc("knob=value,..."), cl::cat(category));
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
static cl::opt<int64_t> planTimeout(
    "plan-timeout",
    cl::desc("Wall time for planning a kernel that has no schedule, "
             "in milliseconds; what isn't planned until then is "
             "left as it is; 0 for no limit (default: 30000)"),
    cl::value_desc("ms"), cl::init(30000), cl::cat(category));
static cl::opt<int64_t>
    setupTimeout("setup-timeout",
                 cl::desc("Wall time until the expected results are there and "
                          "the plain lowering was timed, in milliseconds "
                          "(default: 120000)"),
                 cl::value_desc("ms"), cl::init(120000), cl::cat(category));
static cl::opt<int64_t>
    plainTimeout("plain-timeout",
                 cl::desc("Wall time for one execution of the plain lowering, "
                          "to compare with, in milliseconds: if it takes "
                          "longer, its time isn't known (default: 5000)"),
                 cl::value_desc("ms"), cl::init(5000), cl::cat(category));
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
static NumberOption trialTime(
    "trial-time",
    cl::desc("For how long a candidate is timed during the search, in "
             "milliseconds (default: 50)"),
    cl::value_desc("ms"), cl::init(50), cl::cat(category));
static NumberOption
    finalTime("final-time",
              cl::desc("For how long each of the best candidates, the default "
                       "and the plain lowering are timed at the end, in "
                       "milliseconds (default: 160)"),
              cl::value_desc("ms"), cl::init(160), cl::cat(category));
static cl::opt<Caches> caches(
    "caches",
    cl::desc("What the caches hold when a candidate is timed "
             "(default: hot)"),
    cl::values(clEnumValN(Caches::Hot, "hot", "what its last execution left"),
               clEnumValN(Caches::Flushed, "flushed",
                          "nothing of its arguments")),
    cl::init(Caches::Hot), cl::cat(category));
static cl::opt<int64_t>
    memoryLimit("memory-limit",
                cl::desc("Memory that a candidate may allocate, in MiB "
                         "(default: 4096)"),
                cl::value_desc("MiB"), cl::init(4096), cl::cat(category));

static NumberOption
    tolerance("tolerance",
              cl::desc("How much floats may differ from the plain lowering's, "
                       "as a multiple of what roundings do in any order; 0 for "
                       "not at all (default: 1)"),
              cl::value_desc("factor"), cl::init(1), cl::cat(category));

static TuneOptions readTuneOptions() {
  TuneOptions options;
  bool isOpen = !stopWhen.empty() && budget.getNumOccurrences() == 0;
  options.budget = isOpen ? UINT64_MAX : uint64_t(budget);
  options.isBudgetPerKernel = budget.getNumOccurrences() == 0;
  options.stop = stopWhen;
  options.timeLimitS = timeLimit;
  options.planTimeoutMs = planTimeout;
  options.seed = seed;
  options.optimizer = optimizer;
  options.evaluator = evaluator;
  options.ignoreAdvisory = ignoreAdvisory;
  options.inFlight = inFlight;
  options.worker = worker;
  options.database = database;
  options.measure.cpu = cpu;
  options.measure.limits.setupTimeoutMs = setupTimeout;
  options.measure.limits.plainTimeoutMs = plainTimeout;
  options.measure.limits.compileTimeoutMs = compileTimeout;
  options.measure.limits.runTimeoutMs = runTimeout;
  options.measure.limits.memoryLimitMiB = memoryLimit;
  options.measure.timing.trialMs = trialTime;
  options.measure.timing.comparisonMs = finalTime;
  options.measure.tolerance = tolerance;
  options.measure.timing.caches = caches;
  return options;
}

/// What is wrong with options that were read; empty if nothing is.
static std::string findMistake(CommandLine &line) {
  if (auto valid = line.tuning.validate(); !valid)
    return valid.error().message;
  auto hostInfo = baco::schedule::HostInfo::parse(host);
  if (!hostInfo)
    return "--host: " + toString(hostInfo.takeError());
  line.host = *hostInfo;
  if (stopWhen.getNumOccurrences() > 0 && stopWhen.empty())
    return "--stop: write a condition, such as duration(10min)";
  if (line.emitSpace && line.emitSpace->empty())
    return "--emit-space: name a file, or - for standard output";
  return "";
}

/// The value of an option that was given.
static std::optional<std::string> given(const cl::opt<std::string> &option) {
  if (option.getNumOccurrences() == 0)
    return std::nullopt;
  return option.getValue();
}

std::optional<CommandLine> readCommandLine(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([](llvm::raw_ostream &stream) {
    stream << "baco-tune-driver " BACO_VERSION_STRING
              " (LLVM " LLVM_VERSION_STRING ")\n";
  });
  cl::ParseCommandLineOptions(
      argc, argv,
      "Tunes the kernels of an MLIR file and writes the tuned file, the\n"
      "schedules, all trials and a summary.\n\n"
      "Times are above 0 and at most a day, where 0 has no meaning of its "
      "own.\n"
      "exit codes: 0 tuned, 1 the input is wrong, 2 the environment fails,\n"
      "3 no candidate works (--explain: forbidden), 130 interrupted (what was "
      "found is written)\n");
  CommandLine line;
  line.inputFile = inputFile;
  line.scheduleFile = scheduleFile;
  line.entry = entry;
  line.outputDir = outputDir;
  line.tuning = readTuneOptions();
  line.emitSpace = given(emitSpace);
  line.explain = given(explain);
  std::string mistake = findMistake(line);
  if (mistake.empty())
    return line;
  complain(badInput, mistake);
  return std::nullopt;
}
