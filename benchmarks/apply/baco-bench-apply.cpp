//===- baco-bench-apply.cpp - What looking up schedules costs -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a module of many kernels, and libraries that have entries for them
// among many others: a file, and a database. Then measures in new processes, as
// a compiler is one, what --baco-apply takes, and what of that it adds to
// applying the same schedules.
//
//===----------------------------------------------------------------------===//

#include "ResultFile.h"

#include "baco/Apply/ApplySchedules.h"
#include "baco/Apply/Lookup.h"
#include "baco/CandidateCompiler/Dialects.h"
#include "baco/Database/Files.h"
#include "baco/Driver/TunedLibrary.h"
#include "baco/Schedule/ExpandRecipes.h"
#include "baco/Schedule/ExtractSpace.h"
#include "baco/Support/ContentHash.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

#include <ctime>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace baco;
namespace cl = llvm::cl;

static cl::OptionCategory category("Benchmark options");
static cl::opt<unsigned> numKernels("kernels", cl::init(20), cl::cat(category),
                                    cl::desc("Kernels of the module"));
static cl::opt<unsigned> numEntries("entries", cl::init(10000),
                                    cl::cat(category),
                                    cl::desc("Entries of the libraries"));
static cl::opt<unsigned> runs("runs", cl::init(21), cl::cat(category),
                              cl::desc("Processes for each median"));
static cl::opt<double> check("check", cl::init(0), cl::value_desc("ms"),
                             cl::cat(category),
                             cl::desc("Exit with 2 if the database adds more"));
static cl::opt<std::string> markdown(
    "markdown", cl::cat(category), cl::value_desc("file"),
    cl::desc("Also write the table to this file, which keeps other tables"));

[[noreturn]] static void fail(const Twine &message) {
  llvm::errs() << "baco-bench-apply: " << message << "\n";
  std::exit(1);
}

/// Products of matrices of different sizes. Their schedule is short, so that
/// applying it doesn't hide what else is done.
static std::string writeModule() {
  std::string text;
  for (unsigned i = 0; i < numKernels; ++i)
    text += llvm::formatv(
        "func.func @kernel{0}(%A: memref<{1}x64xf32>, %B: memref<64x64xf32>, "
        "%C: memref<{1}x64xf32>) {{\n"
        "  linalg.matmul {{baco.recipe = #baco.recipe<[#baco.tile<sizes = "
        "[#baco.knob<\"T\", #baco.ordinal<[4, 8]>>, 16, 0]>]>} ins(%A, %B : "
        "memref<{1}x64xf32>, memref<64x64xf32>) outs(%C : memref<{1}x64xf32>)\n"
        "  return\n}\n",
        i, 16 * (i + 1));
  return text;
}

/// What tuning the module writes if every default is best.
static std::vector<EntryText> makeKnownEntries(MLIRContext &context) {
  auto module = parseSourceString<ModuleOp>(writeModule(), &context);
  driver::KernelOptions options;
  options.host = schedule::HostInfo::detect();
  FailureOr<driver::FoundKernels> found = driver::takeKernels(*module, options);
  if (failed(found) || found->kernels.size() != numKernels)
    fail("the module can't be taken in");
  std::vector<driver::TunedKernel> tuned;
  for (const driver::Kernel &kernel : found->kernels) {
    FailureOr<Space> space = driver::extractSpace(kernel);
    if (failed(space))
      fail("a schedule has no space");
    Configuration values = space->toConfiguration(space->defaultPoint());
    schedule::Assignment assignment;
    for (auto [i, value] : llvm::enumerate(values))
      assignment.emplace_back(space->parameters()[i].name(), value);
    driver::TunedKernel one;
    one.summary.name = kernel.name;
    one.summary.kept = Kept::Default;
    one.schedule = kernel.schedule.get().clone();
    if (failed(schedule::concretize(*one.schedule, schedule::defaultSequence,
                                    assignment)))
      fail("a schedule can't be made concrete");
    tuned.push_back(std::move(one));
  }
  return driver::makeTunedLibrary(*module, *found, tuned, options, "jit",
                                  /*isComplete=*/true);
}

static void replaceAll(std::string &text, const std::string &from,
                       const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
}

/// `known` in the middle of others of their kind.
static std::vector<EntryText> fillUp(const std::vector<EntryText> &known) {
  std::vector<EntryText> entries;
  size_t numOthers = numEntries - known.size();
  for (size_t i = 0; i < numOthers; ++i) {
    if (i == numOthers / 2)
      entries.insert(entries.end(), known.begin(), known.end());
    EntryText entry = known[i % known.size()];
    ContentHash hash;
    hash.add(std::to_string(i));
    replaceAll(entry.text, entry.fingerprint, hash.digits());
    replaceAll(entry.text, "@" + entry.name + "(",
               "@tuned.other" + std::to_string(i) + "(");
    entries.push_back(splitLibrary("\n" + entry.text).front());
  }
  // Where there are no others.
  return replaceEntries(std::move(entries), known);
}

/// Milliseconds of CPU that this process has used: nothing here waits, and
/// other processes don't count.
static double usedMs() {
  timespec used = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) * 1e3 +
         static_cast<double>(used.tv_nsec) * 1e-6;
}

namespace {
/// Of a process, or of one of each kind.
struct Sample {
  /// Computing the fingerprints; opening the library, and finding and parsing
  /// the entries; applying their schedules.
  double keys = 0, find = 0, schedules = 0;
  /// All of --baco-apply, in a process that has done nothing else.
  double whole = 0;
  /// Of the module that was made.
  uint64_t hash = 0;

  double added() const { return whole - schedules; }
};
} // namespace

static uint64_t hashOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return llvm::hash_value(StringRef(text));
}

/// Does the parts of --baco-apply one by one.
static Sample measureParts(ModuleOp module,
                           const apply::ApplyOptions &options) {
  Sample sample;
  double start = usedMs();
  std::vector<apply::FunctionKey> keys;
  for (auto function : module.getOps<func::FuncOp>())
    keys.push_back(apply::FunctionKey::of(function));
  sample.keys = usedMs() - start;
  start = usedMs();
  FailureOr<apply::Lookup> lookup =
      apply::Lookup::open(options.libraries, options.machine, module.getLoc());
  if (failed(lookup))
    fail("the library can't be opened");
  std::vector<apply::ScheduledKernel> known;
  for (const apply::FunctionKey &key : keys) {
    FailureOr<apply::LookupResult> result =
        lookup->find(key, /*isAsWritten=*/false);
    if (failed(result) || !result->entry)
      fail("no entry for '" + key.name + "'");
    known.push_back({key.name, result->entry->schedule, result->entry->sequence,
                     result->entry->entry.isStock});
  }
  sample.find = usedMs() - start;
  start = usedMs();
  if (failed(apply::applySchedules(module, known)))
    fail("the schedules don't apply");
  sample.schedules = usedMs() - start;
  return sample;
}

static Sample measureWhole(ModuleOp module,
                           const apply::ApplyOptions &options) {
  Sample sample;
  double start = usedMs();
  if (failed(apply::applyLibraries(module, options)))
    fail("the library can't be applied");
  sample.whole = usedMs() - start;
  return sample;
}

/// The sample that `body` makes of a module in a process of its own, which has
/// loaded the dialects and nothing else.
static Sample
measureInChild(const DialectRegistry &registry, const std::string &library,
               Sample (*body)(ModuleOp, const apply::ApplyOptions &)) {
  int pipes[2];
  if (pipe(pipes) != 0)
    fail("no pipe");
  pid_t child = fork();
  if (child < 0)
    fail("no process");
  if (child == 0) {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.loadAllAvailableDialects();
    driver::KernelOptions kernels;
    kernels.host = schedule::HostInfo::detect();
    auto options = driver::applyOptions(kernels, library, /*database=*/"",
                                        apply::ApplyMode::Frozen, /*cpu=*/"");
    if (!options)
      fail(toString(options.takeError()));
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(writeModule(), &context);
    Sample sample = body(*module, *options);
    sample.hash = hashOf(*module);
    bool isSent = write(pipes[1], &sample, sizeof sample) == sizeof sample;
    _exit(isSent ? 0 : 1);
  }
  close(pipes[1]);
  Sample sample;
  bool isRead = read(pipes[0], &sample, sizeof sample) == sizeof sample;
  close(pipes[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!isRead || status != 0)
    fail("a measurement failed");
  return sample;
}

static double medianOf(const std::vector<Sample> &samples,
                       llvm::function_ref<double(const Sample &)> value) {
  SmallVector<double> values = llvm::map_to_vector(samples, value);
  llvm::sort(values);
  return values[values.size() / 2];
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv, "Measures what looking up tuned schedules costs.\n");
  if (numKernels == 0 || runs == 0 || numEntries < numKernels)
    fail("--kernels and --runs must be at least 1, and --entries at least "
         "--kernels");
  if (auto writable = bench::checkResultFile(markdown); !writable)
    fail(writable.error().message);
  DialectRegistry registry;
  target::registerDialects(registry);
  SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("baco-bench-apply", folder))
    fail("no folder for temporary files");
  auto pathOf = [&](StringRef name) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return path.str().str();
  };
  std::vector<EntryText> known;
  {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    known = makeKnownEntries(context);
  }
  std::vector<EntryText> all = fillUp(known);
  std::string one = pathOf("known.mlir"), file = pathOf("all.mlir"),
              database = pathOf("all.db");
  for (auto &[path, entries] : {std::pair(&one, &known), {&file, &all}})
    if (auto ok = database::writeFileAtomically(*path, joinLibrary(*entries));
        !ok)
      fail(ok.error().message);
  if (auto ok = driver::storeEntries(database, all); !ok)
    fail(ok.error().message);

  std::string many = std::to_string(all.size());
  std::vector<std::pair<std::string, std::string>> libraries = {
      {"file of " + std::to_string(known.size()), one},
      {"file of " + many, file},
      {"database of " + many, database}};
  // In turns, so that what else the machine does concerns all.
  std::vector<std::vector<Sample>> samples(libraries.size());
  for (unsigned run = 0; run < runs; ++run)
    for (auto [library, measured] : llvm::zip_equal(libraries, samples)) {
      Sample sample = measureInChild(registry, library.second, measureParts);
      Sample whole = measureInChild(registry, library.second, measureWhole);
      sample.whole = whole.whole;
      measured.push_back(sample);
      if (sample.hash != whole.hash || sample.hash != samples[0][0].hash)
        fail("the libraries give different modules");
    }
  if (llvm::sys::fs::remove_directories(folder))
    fail("'" + folder + "' can't be removed");

  bench::ResultTable table;
  table.title = "Looking up " + std::to_string(known.size()) + " kernels";
  table.columns = {"library",  "fingerprints", "finding",
                   "applying", "all",          "added"};
  for (auto [library, measured] : llvm::zip_equal(libraries, samples)) {
    std::vector<std::string> row = {library.first};
    for (auto value : std::initializer_list<double (*)(const Sample &)>{
             [](const Sample &one) { return one.keys; },
             [](const Sample &one) { return one.find; },
             [](const Sample &one) { return one.schedules; },
             [](const Sample &one) { return one.whole; },
             [](const Sample &one) { return one.added(); }})
      row.push_back(llvm::formatv("{0:f2} ms", medianOf(measured, value)));
    table.rows.push_back(std::move(row));
  }
  auto print = [](const std::vector<std::string> &row) {
    llvm::outs() << llvm::formatv("{0,-20}{1,14}{2,12}{3,12}{4,12}{5,12}\n",
                                  row[0], row[1], row[2], row[3], row[4],
                                  row[5]);
  };
  print(table.columns);
  llvm::for_each(table.rows, print);
  if (!markdown.empty())
    if (auto ok = bench::updateResultFile(markdown, "baco-bench-apply", {table},
                                          bench::describeRun(argc, argv));
        !ok)
      fail(ok.error().message);
  double added =
      medianOf(samples.back(), [](const Sample &one) { return one.added(); });
  if (check > 0 && added > check) {
    llvm::errs() << "baco-bench-apply: the database adds "
                 << llvm::formatv("{0:f2}", added) << " ms, more than " << check
                 << " ms\n";
    return 2;
  }
  return 0;
}
