//===- baco-tune-driver.cpp - Tune the kernels of a file ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Signals and the order of things. How it ends is in baco/Support/ExitCode.h.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "Complaint.h"
#include "Printer.h"

#include "baco/Analysis/MatrixProduct.h"
#include "baco/CandidateCompiler/Dialects.h"
#include "baco/Cluster/StatusText.h"
#include "baco/Database/FileLock.h"
#include "baco/Database/Files.h"
#include "baco/Driver/MeasureWinograd.h"
#include "baco/Driver/Outputs.h"
#include "baco/Driver/TunedLibrary.h"
#include "baco/IR/SparsifierOptions.h"
#include "baco/IR/Walk.h"
#include "baco/StudyReport/LiveReport.h"
#include "baco/StudyReport/WriteReport.h"
#include "baco/Target/CPU/MachineCode.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

#include <atomic>
#include <csignal>
#include <unistd.h>
using namespace mlir;
using namespace baco::driver;

static std::atomic<bool> stopRequested = false;
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler must be able to set it");

/// Installs handlers of SIGINT, SIGTERM and SIGHUP. Ignored signals (such as by
/// nohup) stay ignored.
static void handleSignals(void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);
  }
}

/// Ends the program. A process that plans ends with it.
static void endAtOnce(int) {
  constexpr llvm::StringLiteral text =
      "baco-tune-driver: interrupted before anything was tuned\n";
  (void)!write(STDERR_FILENO, text.data(), text.size());
  _exit(interrupted);
}

/// The first Ctrl-C asks the search to stop, the second ends the program.
static void stopSearchBySignals() {
  handleSignals([](int) { stopRequested = true; }, SA_RESETHAND | SA_RESTART);
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
  return code == allDone ? badEnvironment : code;
}

/// Whether the files of a kernel are to be written: those of an earlier run
/// stay where this one found nothing new.
static bool isNews(const TunedKernel &kernel) {
  if (!kernel.summary.sameAs.empty())
    return kernel.isSettled();
  return !kernel.trials.empty() &&
         !(kernel.interrupted && kernel.summary.evaluations == 0);
}

/// Starts the page of --live; null if it isn't wanted, or, after a warning, if
/// it can't be had: the search is worth more.
static std::unique_ptr<baco::studyreport::LiveReport>
startLive(const CommandLine &line) {
  if (!line.livePort)
    return nullptr;
  auto live = baco::studyreport::LiveReport::start(line.tuning.database,
                                                   *line.livePort);
  if (!live) {
    llvm::errs() << "baco-tune-driver: warning: --live: "
                 << live.error().message << "\n";
    return nullptr;
  }
  llvm::errs() << "live report: " << (*live)->url() << "\n";
  return std::move(*live);
}

/// Tunes all kernels, and returns those that there is something to write of.
static TunedKernels tuneKernels(const FoundKernels &found,
                                const CommandLine &line) {
  stopSearchBySignals();
  // Results are in files, so that a closed standard output isn't an error.
  std::signal(SIGPIPE, SIG_IGN);
  Printer printer(found.kernels, stopRequested, line.kernels.isVerbose,
                  line.progress);
  std::unique_ptr<baco::studyreport::LiveReport> live = startLive(line);
  TunedKernels tuned = tuneModule(found, line.tuning, printer, &stopRequested);
  printer.printTables(tuned);
  llvm::erase_if(tuned.kernels, std::not_fn(isNews));
  return tuned;
}

/// The library entries of the functions, from their results so far.
static std::vector<baco::EntryText> entriesOf(ModuleOp module,
                                              const FoundKernels &found,
                                              const TunedKernels &tuned,
                                              const CommandLine &line) {
  bool isComplete =
      tuned.failures.empty() && !found.isIncomplete && !stopRequested;
  return makeTunedLibrary(module, found, tuned.kernels, line.kernels,
                          line.tuning.evaluator, isComplete);
}

static int endOf(const FoundKernels &found, const TunedKernels &tuned) {
  if (stopRequested)
    return interrupted;
  if (found.isIncomplete)
    return badInput;
  return tuned.failures.empty() ? allDone : exitCodeOf(tuned.failures.front());
}

/// Whether loops of `module` run on threads when it is compiled.
static bool hasParallelLoops(ModuleOp module) {
  return baco::contains(module, [](Operation *op) {
    auto option = op->getAttrOfType<StringAttr>(baco::kSparseParallel);
    return isa<scf::ForallOp, scf::ParallelOp, affine::AffineParallelOp>(op) ||
           (option && option != "none");
  });
}

/// Names what was written, and what a program that has `module` needs.
static void printWritten(llvm::ArrayRef<std::string> paths, ModuleOp module) {
  for (const std::string &path : paths)
    llvm::outs() << "wrote " << path << "\n";
  if (hasParallelLoops(module))
    llvm::outs() << "its parallel loops run on the threads of OpenMP: link "
                    "programs with -fopenmp\n";
}

/// Writes a module that stays as it is, but for its interface.
static int writeUntuned(ModuleOp module, const CommandLine &line) {
  if (failed(applyBest(module, {}, line.kernels.interface)))
    return badInput;
  if (int code = prepareOutputDirectory(line.outputDir))
    return code;
  auto written = writeTuned(line.outputDir, line.inputFile, module);
  if (!written)
    return complain(badEnvironment, written.error().message);
  printWritten(*written, module);
  return allDone;
}

/// Makes the report of the kernels' studies.
static baco::Result<void> makeReport(const TunedKernels &tuned,
                                     const CommandLine &line) {
  using namespace baco;
  const std::string &path = line.tuning.database;
  Result<database::Journal> journal = database::Journal::openReadOnly(path);
  if (!journal)
    return journal.error();
  Result<std::vector<database::StudyInfo>> infos = journal->studies();
  if (!infos)
    return infos.error();
  llvm::erase_if(*infos, [&](const database::StudyInfo &info) {
    return llvm::none_of(tuned.kernels, [&](const TunedKernel &kernel) {
      return kernel.study == info.key;
    });
  });
  auto facts = studyreport::gatherReport(*journal, path, *infos);
  if (!facts)
    return facts.error();
  Result<std::string> text = studyreport::writeReport(
      *facts, studyreport::formatOfFile(line.reportFile));
  if (!text)
    return text.error();
  return database::writeFileAtomically(line.reportFile, *text);
}

/// Writes the report if one is wanted. Returns an exit code.
static int writeReport(const TunedKernels &tuned, const CommandLine &line) {
  if (line.reportFile.empty() || tuned.kernels.empty())
    return allDone;
  if (auto made = makeReport(tuned, line); !made)
    return complain(badEnvironment, made.error().message);
  llvm::outs() << "wrote " << line.reportFile << "\n";
  return allDone;
}

/// Tunes all kernels and writes the results. Returns the exit code of the first
/// failure; the results of the other kernels are written all the same.
static int tune(ModuleOp module, const FoundKernels &found,
                const CommandLine &line) {
  TunedKernels tuned = tuneKernels(found, line);
  if (!tuned.kernels.empty()) {
    std::vector<baco::EntryText> library =
        entriesOf(module, found, tuned, line);
    if (failed(applyBest(module, tuned.kernels, line.kernels.interface)))
      return badInput;
    auto written = writeOutputs(line.outputDir, line.inputFile, module, library,
                                tuned, found.intake);
    if (!written)
      return complain(badEnvironment, written.error().message);
    if (const std::string &database = line.tuning.database; !database.empty())
      written->push_back(database);
    printWritten(*written, module);
    if (auto stored = storeEntries(line.tuning.database, library); !stored)
      return complain(badEnvironment, stored.error().message);
    if (int code = writeReport(tuned, line))
      return code;
  }
  return endOf(found, tuned);
}

/// Whether there is a file, and something in it.
static bool hasContents(const std::string &path) {
  uint64_t size = 0;
  return !llvm::sys::fs::file_size(path, size) && size > 0;
}

/// Applies a tuned library instead of tuning, and writes the tuned module.
static int applyLibrary(ModuleOp module, const CommandLine &line) {
  if (line.kernels.allowsTF32)
    baco::allowTF32(module);
  baco::apply::ApplyOptions options = *line.apply;
  OwningOpRef<ModuleOp> schedule;
  if (const std::string &file = line.kernels.scheduleFile; !file.empty()) {
    FailureOr<OwningOpRef<ModuleOp>> read = readSchedule(module, file);
    if (failed(read))
      return badInput;
    schedule = std::move(*read);
    options.schedule = *schedule;
  }
  FailureOr<baco::apply::Applied> applied =
      baco::apply::applyLibraries(module, options);
  if (failed(applied))
    return badInput;
  if (line.checkedTimes)
    if (int code = checkTimes(*applied, *line.checkedTimes))
      return code;
  llvm::outs() << "applied " << applied->scheduled
               << (applied->scheduled == 1 ? " schedule, " : " schedules, ")
               << applied->kept << " functions stay as they are, "
               << applied->missing << " have no entry\n";
  auto written = writeTuned(line.outputDir, line.inputFile, module);
  if (!written)
    return complain(badEnvironment, written.error().message);
  printWritten(*written, module);
  return allDone;
}

/// Adds `entries` to a library of text. Returns the files that were written.
static FailureOr<std::vector<std::string>>
addToLibrary(const std::string &library,
             const std::vector<baco::EntryText> &entries, Location location,
             const CommandLine &line) {
  auto fail = [](const baco::Error &error) {
    complain(badEnvironment, error.message);
    return failure();
  };
  // Another tuner may add to it at this time, which takes a moment.
  constexpr int patienceMs = 60000;
  auto lock = baco::database::FileLock::acquire(
      library + ".lock", "'" + library + "' is being written",
      "try again when it has ended", patienceMs);
  if (!lock)
    return fail(lock.error());
  std::vector<baco::EntryText> before;
  if (hasContents(library)) {
    auto read = baco::apply::readLibrary(library, location);
    if (failed(read))
      return failure();
    before = std::move(*read);
  }
  auto written = writeLibrary(library, line.inputFile,
                              baco::replaceEntries(std::move(before), entries));
  if (!written)
    return fail(written.error());
  return *written;
}

/// Adds `entries` to the library that the command names first, if there is one,
/// and to the database. Makes one without entries if no function needs any, for
/// the compilations that follow.
static int addEntries(const std::vector<baco::EntryText> &entries,
                      Location location, const CommandLine &line) {
  std::string library = line.apply->libraries.front();
  if (entries.empty() && hasContents(library))
    return allDone;
  std::vector<std::string> paths;
  if (const std::string &database = line.tuning.database; !database.empty())
    paths.push_back(database);
  if (baco::apply::isDatabase(library) && !llvm::is_contained(paths, library))
    paths.push_back(library);
  for (const std::string &database : paths)
    if (auto stored = storeEntries(database, entries); !stored)
      return complain(badEnvironment, stored.error().message);
  if (!llvm::is_contained(paths, library)) {
    auto written = addToLibrary(library, entries, location, line);
    if (failed(written))
      return badEnvironment;
    llvm::append_range(paths, *written);
  }
  llvm::outs() << "added " << entries.size()
               << (entries.size() == 1 ? " entry to " : " entries to ")
               << llvm::join(paths, ", ") << "\n";
  return allDone;
}

namespace {
/// Prepares the environment of a search: before kernels are taken, if these
/// depend on times, or else behind that.
class SearchPlace {
public:
  /// `searches`: else results are written only. Returns an exit code, after an
  /// error if it isn't 0.
  int prepare(CommandLine &line, bool searches = true) {
    if (lock)
      return allDone;
    if (int code = searches ? prepareEnvironment(line)
                            : prepareOutputDirectory(line.outputDir))
      return code;
    auto acquired = lockResults(line);
    if (!acquired)
      return complain(badEnvironment, acquired.error().message);
    lock = std::move(*acquired);
    return allDone;
  }

  /// Lets convolutions be measured, if that is wanted. `line` outlives it.
  int prepareWinograd(CommandLine &line) {
    if (!line.kernels.winograd.isMeasured)
      return allDone;
    line.kernels.onWinograd =
        [&, this](ModuleOp module, baco::globalopt::WinogradOptions &winograd) {
          auto announce = [](const std::string &text) {
            llvm::errs() << text << "\n";
          };
          if (failed(measureWinograd(module, line.kernels, line.tuning,
                                     &stopRequested, announce, winograd))) {
            code = badEnvironment;
            return failure();
          }
          if (line.apply)
            line.apply->intake.winograd = winograd;
          return success();
        };
    return prepare(line);
  }

  /// The exit code where no kernels could be taken.
  int codeOfFailure() const { return code; }

private:
  std::optional<baco::database::FileLock> lock;
  int code = badInput;
};
} // namespace

/// Tunes the functions without library entries, and adds their entries. Then
/// applies the libraries.
static int tuneMissing(ModuleOp module, CommandLine &line) {
  OwningOpRef<ModuleOp> original = module.clone();
  // Libraries that don't exist yet are written later.
  std::vector<std::string> libraries = line.apply->libraries;
  llvm::erase_if(libraries, std::not_fn(hasContents));
  FailureOr<baco::apply::Lookup> known = baco::apply::Lookup::open(
      libraries, line.apply->machine, module.getLoc());
  if (failed(known))
    return badInput;
  line.kernels.known = &*known;
  SearchPlace place;
  if (int code = place.prepareWinograd(line))
    return code;
  FailureOr<FoundKernels> found = takeKernels(module, line.kernels);
  if (failed(found))
    return place.codeOfFailure();
  bool tunes = !found->kernels.empty();
  if (int code = place.prepare(line, /*searches=*/tunes))
    return code;
  TunedKernels tuned;
  if (tunes)
    tuned = tuneKernels(*found, line);
  std::vector<baco::EntryText> entries = entriesOf(module, *found, tuned, line);
  if (!entries.empty() || endOf(*found, tuned) == allDone)
    if (int code = addEntries(entries, module.getLoc(), line))
      return code;
  if (int code = writeReport(tuned, line))
    return code;
  llvm::erase_if(line.apply->libraries, std::not_fn(hasContents));
  if (line.apply->libraries.empty())
    return endOf(*found, tuned);
  int code = applyLibrary(*original, line);
  return code != allDone ? code : endOf(*found, tuned);
}

/// The module to tune; null, after a message, if it can't be read.
static OwningOpRef<ModuleOp> readInput(const std::string &inputFile,
                                       llvm::SourceMgr &sources,
                                       MLIRContext &context) {
  auto buffer = openMlir(inputFile);
  if (!buffer) {
    complain(badInput, buffer.error().message);
    return {};
  }
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, &context);
}

/// Prints what --machines=list asks for.
static int listMachines(const TuneOptions &options) {
  auto connected = baco::cluster::Cluster::connect(options.server);
  if (!connected)
    return complain(connected.error());
  auto status = (*connected)->status();
  if (!status)
    return complain(status.error());
  llvm::outs() << baco::cluster::writeStatus(*status);
  return allDone;
}

static int run(int argc, char **argv) {
  baco::target::enableDebugOutput();
  // Until there is a search, nothing is worth more than an early end.
  handleSignals(endAtOnce, 0);
  // A file that may not grow is an error of what writes it.
  std::signal(SIGXFSZ, SIG_IGN);
  CommandLine line;
  if (int code = readCommandLine(argc, argv, line))
    return code;
  if (line.listsMachines)
    return listMachines(line.tuning);

  DialectRegistry registry;
  baco::target::registerDialects(registry);
  baco::target::registerPasses();
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  DiagnosticPrinter diagnostics(sources, context);
  context.printOpOnDiagnostic(false);
  context.allowUnregisteredDialects(line.allowsUnregisteredDialects);

  OwningOpRef<ModuleOp> module = readInput(line.inputFile, sources, context);
  if (!module)
    return badInput;
  if (line.apply && line.apply->mode == baco::apply::ApplyMode::Tune)
    return finishOutput(tuneMissing(*module, line));
  if (line.apply) {
    if (int code = prepareOutputDirectory(line.outputDir))
      return code;
    if (line.remeasures) {
      stopSearchBySignals();
      std::signal(SIGPIPE, SIG_IGN);
      return finishOutput(remeasure(*module, line, stopRequested));
    }
    return finishOutput(applyLibrary(*module, line));
  }
  SearchPlace place;
  if (!line.explain && !line.emitSpace)
    if (int code = place.prepareWinograd(line))
      return code;
  FailureOr<FoundKernels> found = takeKernels(*module, line.kernels);
  if (failed(found))
    return place.codeOfFailure();
  if (found->kernels.empty())
    return line.explain || line.emitSpace
               ? badInput
               : finishOutput(writeUntuned(*module, line));
  if (line.explain)
    return finishOutput(explainKnobs(found->kernels, line));
  if (line.emitSpace)
    return finishOutput(writeSpaceFile(found->kernels, line));
  if (int code = place.prepare(line))
    return code;
  return finishOutput(tune(*module, *found, line));
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  int code = run(argc, argv);
  // Threads of libnats may still run, and static objects must not be destroyed
  // under them: nothing is left to do but to end, as lld does.
  llvm::outs().flush();
  llvm::errs().flush();
  _exit(code);
}
