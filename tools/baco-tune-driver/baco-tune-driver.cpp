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
//   2    the environment fails: worker, database, output directory; or a limit
//        is too low for the plain lowering
//   3    a kernel has no candidate that works; --explain: that is forbidden
//   130  interrupted; what was found until then is written
//
// Of several errors, the first counts.
//
//===----------------------------------------------------------------------===//

#include "baco/Database/FileLock.h"
#include "baco/Database/Files.h"
#include "baco/Driver/Outputs.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Report/ProgressPrinter.h"
#include "baco/Schedule/ExtractSpace.h"
#include "baco/Space/ExplainChoice.h"
#include "baco/Target/Dialects.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"

#include <atomic>
#include <csignal>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace mlir;
using namespace baco::driver;
using baco::runtime::Caches;
namespace cl = llvm::cl;

enum ExitCode {
  tunedAll = 0,
  badInput = 1,
  badEnvironment = 2,
  nothingWorks = 3,
  interrupted = 130
};

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
    cl::desc("Wall time of the search in seconds, which several kernels share, "
             "0 for no limit (default: 0)"),
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
static cl::opt<std::string>
    optimizer("optimizer",
              cl::desc("Search technique: baco, forest, random, annealing, pro "
                       "and others, see docs/Rivals.md (default: "
                       "baco)"),
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
             cl::desc("Candidates in flight: one is timed while the others are "
                      "compiled; more keep more cores busy, but each is chosen "
                      "knowing less (default: 3)"),
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
static cl::opt<std::string>
    host("host",
         cl::desc("Machine to schedule for, KEY=VALUE,... with vector-bytes, "
                  "vector-registers, l1, l2, l3 in bytes (default: this "
                  "machine)"),
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

static std::atomic<bool> stopRequested = false;
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler must be able to set it");

/// The first Ctrl-C asks the search to stop, the second ends the program. What
/// is ignored (by nohup, for one) stays so.
static void installSignalHandlers() {
  struct sigaction action = {};
  action.sa_handler = [](int) { stopRequested = true; };
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);
  }
}

static int complain(ExitCode code, const llvm::Twine &message) {
  llvm::errs() << "baco-tune-driver: error: " << message << "\n";
  return code;
}

namespace {
/// Prints diagnostics. A module that isn't spelled out in its file has no line,
/// and the file is all that one can say of it.
class DiagnosticPrinter : public SourceMgrDiagnosticHandler {
public:
  DiagnosticPrinter(llvm::SourceMgr &sources, MLIRContext &context)
      : SourceMgrDiagnosticHandler(sources, &context, llvm::errs()) {
    setHandler([this](Diagnostic &diagnostic) { print(diagnostic); });
  }

private:
  void print(Diagnostic &diagnostic) {
    auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
    if (!place || place.getLine() > 0 ||
        diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return emitDiagnostic(diagnostic);
    llvm::StringRef file = place.getFilename().getValue();
    llvm::errs() << (file == "-" ? "<stdin>" : file)
                 << ": error: " << diagnostic.str() << "\n";
    for (Diagnostic &note : diagnostic.getNotes())
      emitDiagnostic(note.getLocation(), note.str(), note.getSeverity());
  }
};
} // namespace

static TuneOptions readOptions() {
  TuneOptions options;
  bool isOpen = !stopWhen.empty() && budget.getNumOccurrences() == 0;
  options.budget = isOpen ? UINT64_MAX : uint64_t(budget);
  options.isBudgetPerKernel = budget.getNumOccurrences() == 0;
  options.stop = stopWhen;
  options.timeLimitS = timeLimit;
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

/// The space of the only kernel; nullopt after an error.
static std::optional<baco::Space>
extractOnlySpace(llvm::ArrayRef<Kernel> kernels) {
  if (kernels.size() > 1) {
    complain(badInput, "the module has " + llvm::Twine(kernels.size()) +
                           " kernels: choose one by --entry");
    return std::nullopt;
  }
  FailureOr<baco::Space> space = baco::schedule::extractSpace(
      kernels.front().schedule.get(), baco::schedule::defaultSequence,
      ignoreAdvisory);
  return succeeded(space) ? std::optional(*space) : std::nullopt;
}

static int explainKnobs(llvm::ArrayRef<Kernel> kernels) {
  std::optional<baco::Space> space = extractOnlySpace(kernels);
  if (!space)
    return badInput;
  auto choice = baco::readChoice(*space, explain);
  if (!choice)
    return complain(badInput, "--explain: " + choice.error().message);
  auto explanation = baco::explainChoice(*space, *choice);
  if (!explanation)
    return complain(badInput, "--explain: " + explanation.error().message);
  llvm::outs() << describeChoice(*space, *choice, *explanation);
  return explanation->isAllowed ? tunedAll : nothingWorks;
}

static int writeSpaceFile(llvm::ArrayRef<Kernel> kernels) {
  std::optional<baco::Space> space = extractOnlySpace(kernels);
  if (!space)
    return badInput;
  baco::Result<std::string> text = baco::writeSpace(*space);
  if (!text)
    return complain(badInput, text.error().message);
  if (emitSpace == "-") {
    llvm::outs() << *text;
    return tunedAll;
  }
  for (const std::string &read :
       {inputFile.getValue(), scheduleFile.getValue()})
    if (llvm::sys::fs::equivalent(emitSpace, read))
      return complain(badInput, "--emit-space: '" + emitSpace +
                                    "' is a file that is read: name another");
  if (auto written = baco::database::writeFileAtomically(emitSpace, *text);
      !written)
    return complain(badEnvironment, written.error().message);
  return tunedAll;
}

/// The exit code after all was printed. A reader that went away (`... | head`)
/// has read what it wanted, but whom a full disk keeps from reading should
/// know.
static int finishOutput(int code) {
  llvm::outs().flush();
  std::error_code error = llvm::outs().error();
  llvm::outs().clear_error();
  if (!error || error == std::errc::broken_pipe)
    return code;
  complain(badEnvironment,
           "cannot write to standard output: " + error.message());
  return code == tunedAll ? badEnvironment : code;
}

/// Makes the output directory, if there is none, and sees that one can write
/// there before time is spent on what goes there.
static int prepareOutputDirectory() {
  if (std::error_code error = llvm::sys::fs::create_directories(
          outputDir, /*IgnoreExisting=*/true, llvm::sys::fs::perms::all_all))
    return complain(badEnvironment, "cannot make output directory '" +
                                        outputDir + "': " + error.message());
  if (!llvm::sys::fs::is_directory(outputDir))
    return complain(badEnvironment,
                    "output directory '" + outputDir + "' is a file");
  if (std::error_code error =
          llvm::sys::fs::access(outputDir, llvm::sys::fs::AccessMode::Write))
    return complain(badEnvironment, "cannot write to output directory '" +
                                        outputDir + "': " + error.message());
  return tunedAll;
}

/// The columns of the terminal that standard error is.
static unsigned terminalWidth() {
  constexpr unsigned usual = 80;
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0
             ? size.ws_col
             : usual;
}

namespace {
/// Shows how far the kernels are, and prints what came of them.
class Printer final : public ModuleListener {
public:
  explicit Printer(llvm::ArrayRef<Kernel> kernels)
      : kernels(kernels),
        // Diagnostics go where the line of progress is. That the user has
        // stopped it is no news to the user.
        diagnostics(kernels.front().location.getContext(), [&](Diagnostic &) {
          clear();
          return success(stopRequested);
        }) {
    bool isTerminal = llvm::sys::Process::StandardErrIsDisplayed();
    for (const Kernel &kernel : kernels)
      progress.push_back(std::make_unique<baco::report::ProgressPrinter>(
          std::cerr, kernel.name, isTerminal, terminalWidth()));
  }

  baco::report::ProgressListener &progressOf(size_t kernel) override {
    return *progress[kernel];
  }
  void pause(size_t kernel) override { progress[kernel]->clear(); }
  void finished(size_t index, TunedKernel *one, TuneFailure failure) override;

  /// That of the first kernel that fails; the others count.
  ExitCode code = tunedAll;

private:
  void clear() {
    for (const auto &one : progress)
      one->clear();
  }
  void setCode(ExitCode first) { code = code == tunedAll ? first : code; }

  llvm::ArrayRef<Kernel> kernels;
  std::vector<std::unique_ptr<baco::report::ProgressPrinter>> progress;
  ScopedDiagnosticHandler diagnostics;
};
} // namespace

void Printer::finished(size_t index, TunedKernel *one, TuneFailure failure) {
  bool isCopy = one && !one->summary.sameAs.empty();
  if (!one || (one->failed && !isCopy))
    setCode(failure == TuneFailure::Input ? badInput : badEnvironment);
  if (!one)
    return;
  llvm::outs() << baco::report::writeSummaryText(one->summary);
  llvm::outs().flush();
  if (!one->schedule && !one->interrupted && !one->failed && !isCopy) {
    emitNothingWorks(kernels[index], *one);
    setCode(nothingWorks);
  }
  // Without any news, the files of an earlier run stay.
  bool isNews = isCopy
                    ? bool(one->schedule)
                    : !one->trials.empty() &&
                          !(one->interrupted && one->summary.evaluations == 0);
  if (isNews)
    keep(index, std::move(*one));
}

static int checkEnvironment(const TuneOptions &options) {
  auto usable = options.checkEnvironment();
  if (usable)
    return tunedAll;
  bool isInput = usable.error().code == baco::ErrorCode::InvalidArgument;
  return complain(isInput ? badInput : badEnvironment, usable.error().message);
}

/// Whether the journal is one of the files that are written at the end, which
/// would end it.
static bool isJournalAnOutput(const std::string &database) {
  llvm::StringRef folder = llvm::sys::path::parent_path(database);
  if (!llvm::sys::fs::equivalent(folder.empty() ? "." : folder, outputDir))
    return false;
  llvm::StringRef name = llvm::sys::path::filename(database);
  if (!name.consume_front(outputStem(inputFile) + "."))
    return false;
  return name == "tuned.mlir" || name == "schedule.mlir" ||
         name == "summary.json" || name == "baco.lock" ||
         name.ends_with("trials.jsonl");
}

static int checkJournalName(const TuneOptions &options) {
  if (!isJournalAnOutput(options.database))
    return tunedAll;
  return complain(badInput, "--db: '" + options.database +
                                "' is a file that results are written to: "
                                "name another");
}

/// Sees that what the options name is there, and that results can be written:
/// if possible, before the output directory is made.
static int prepareEnvironment(TuneOptions &options) {
  if (int code = checkJournalName(options))
    return code;
  TuneOptions early = options;
  llvm::StringRef folder = llvm::sys::path::parent_path(options.database);
  // The journal may belong into that directory.
  if (!folder.empty() && !llvm::sys::fs::exists(folder))
    early.database.clear();
  if (int code = checkEnvironment(early))
    return code;
  if (int code = prepareOutputDirectory())
    return code;
  // It may not have been there before.
  if (int code = checkJournalName(options))
    return code;
  if (options.database.empty()) {
    llvm::SmallString<256> path(outputDir);
    llvm::sys::path::append(path, outputStem(inputFile) + ".baco.db");
    options.database = path.str().str();
  }
  return checkEnvironment(options);
}

/// Keeps other tuners from writing the same results at the same time.
static baco::Result<baco::database::FileLock> lockResults() {
  std::string stem = outputStem(inputFile);
  llvm::SmallString<256> path(outputDir);
  llvm::sys::path::append(path, stem + ".baco.lock");
  return baco::database::FileLock::acquire(
      path.str().str(),
      "the results of '" + stem + "' in directory '" + outputDir +
          "' are being made",
      "wait for it, or choose another --output-dir");
}

/// Tunes all kernels and writes what came of it. The exit code is that of the
/// first that fails; the others count.
static int tune(ModuleOp module, const FoundKernels &found,
                const TuneOptions &options) {
  // What counts is in files: nobody needs to read what is printed.
  std::signal(SIGPIPE, SIG_IGN);
  Printer printer(found.kernels);
  printer.code = found.isIncomplete ? badInput : tunedAll;
  tuneModule(found.kernels, options, printer, &stopRequested);
  std::vector<TunedKernel> tuned = printer.takeKept();
  if (!tuned.empty()) {
    if (failed(applyBest(module, tuned)))
      return badInput;
    auto written = writeOutputs(outputDir, inputFile, module, tuned);
    if (!written)
      return complain(badEnvironment, written.error().message);
    for (const std::string &path : *written)
      llvm::outs() << "wrote " << path << "\n";
  }
  return stopRequested ? interrupted : printer.code;
}

/// The module to tune; null, after a message, if it can't be read.
static OwningOpRef<ModuleOp> readInput(llvm::SourceMgr &sources,
                                       MLIRContext &context) {
  auto buffer = openMlir(inputFile);
  if (!buffer) {
    complain(badInput, buffer.error().message);
    return {};
  }
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, &context);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([](llvm::raw_ostream &stream) {
    stream << "baco-tune-driver " BACO_VERSION_STRING
              " (LLVM " LLVM_VERSION_STRING ")\n";
  });
  cl::ParseCommandLineOptions(
      argc, argv,
      "Tunes the kernels of an MLIR file and writes the tuned file, the\n"
      "schedules, all trials and a summary.\n\n"
      "exit codes: 0 tuned, 1 the input is wrong, 2 the environment fails,\n"
      "3 no candidate works (--explain: forbidden), 130 interrupted (what was "
      "found is written)\n");

  DialectRegistry registry;
  baco::target::registerDialects(registry);
  baco::target::registerPasses();
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  DiagnosticPrinter diagnostics(sources, context);
  context.printOpOnDiagnostic(false);

  TuneOptions options = readOptions();
  if (auto valid = options.validate(); !valid)
    return complain(badInput, valid.error().message);
  auto hostInfo = baco::schedule::HostInfo::parse(host);
  if (!hostInfo)
    return complain(badInput, "--host: " + toString(hostInfo.takeError()));
  if (stopWhen.getNumOccurrences() > 0 && stopWhen.empty())
    return complain(badInput, "--stop: write a condition, such as "
                              "duration(10min)");
  bool onlySpace = emitSpace.getNumOccurrences() > 0;
  if (onlySpace && emitSpace.empty())
    return complain(badInput, "--emit-space: name a file, or - for standard "
                              "output");
  OwningOpRef<ModuleOp> module = readInput(sources, context);
  if (!module)
    return badInput;
  // Until here there is nothing that is worth more than an early end.
  installSignalHandlers();
  FailureOr<FoundKernels> found =
      takeKernels(*module, {scheduleFile, entry, *hostInfo});
  if (failed(found))
    return badInput;
  if (explain.getNumOccurrences() > 0)
    return finishOutput(explainKnobs(found->kernels));
  if (onlySpace)
    return finishOutput(writeSpaceFile(found->kernels));
  if (int code = prepareEnvironment(options))
    return code;
  auto lock = lockResults();
  if (!lock)
    return complain(badEnvironment, lock.error().message);
  return finishOutput(tune(*module, *found, options));
}
