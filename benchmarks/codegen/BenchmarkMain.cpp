//===- BenchmarkMain.cpp - The benchmarks' command line -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options and wiring. Exit codes: 0; 1 if a result is wrong, something can't be
// compiled, with --check a bar is missed, or with --against a case has become
// slower; 2 for options.
//
//===----------------------------------------------------------------------===//

#include "BenchmarkMain.h"

#include "BuildComparison.h"
#include "MeasuredCpus.h"
#include "Report.h"
#include "RoundTrip.h"
#include "Template.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"

using namespace baco::benchmarks;
namespace cl = llvm::cl;

cl::OptionCategory &baco::benchmarks::benchmarkOptions() {
  static cl::OptionCategory category("Benchmark options");
  return category;
}

static cl::OptionCategory &category = benchmarkOptions();
static cl::list<std::string>
    rowNames("row", cl::CommaSeparated, cl::cat(category),
             cl::value_desc("name,..."),
             cl::desc("Rows to measure, see --list (default: all)"));
static cl::list<std::string> caseFilters(
    "case", cl::cat(category), cl::value_desc("text"),
    cl::desc("Only cases whose name contains this; may be given again"));
static cl::opt<bool> list("list", cl::cat(category),
                          cl::desc("List rows and cases, and stop"));
static cl::opt<unsigned>
    budget("budget", cl::init(60), cl::cat(category), cl::value_desc("n"),
           cl::desc("Evaluations per case; 0: measure the plain lowering "
                    "(default 60)"));
static cl::opt<uint64_t> seed("seed", cl::init(1), cl::cat(category),
                              cl::value_desc("n"),
                              cl::desc("Seed of the search (default 1)"));
static cl::opt<double> seconds("time", cl::init(4), cl::cat(category),
                               cl::value_desc("seconds"),
                               cl::desc("Seconds for which a case is timed, at "
                                        "least seven rounds (default 4)"));
static cl::opt<int> cpu("cpu", cl::init(-1), cl::cat(category),
                        cl::desc("CPU to measure on (default: the last one)"));
static cl::opt<bool>
    isSmall("small", cl::cat(category),
            cl::desc("Check results at tiny sizes: no tuning, no times"));
static cl::opt<bool>
    isSweep("sweep", cl::cat(category),
            cl::desc("Tune matmul, trsm and jacobi at one size and measure the "
                     "schedules over a range of sizes"));
static cl::opt<bool> check("check", cl::cat(category),
                           cl::desc("Exit with 1 if a bar is missed"));
static cl::opt<bool> json("json", cl::cat(category),
                          cl::desc("Print a JSON object, no tables"));
static cl::opt<std::string> markdown(
    "markdown", cl::cat(category), cl::value_desc("file"),
    cl::desc("Also write the tables to this file, which keeps other tables"));
static cl::opt<std::string>
    kernelDir("kernels", cl::cat(category), cl::value_desc("folder"),
              cl::desc("Payloads and C sources (default: the repository's)"));
static cl::opt<std::string>
    writeTo("write", cl::cat(category), cl::value_desc("folder"),
            cl::desc("Write the payloads and cases.json, which lists them, to "
                     "this folder, and stop"));
static cl::opt<std::string>
    driver("driver", cl::cat(category), cl::value_desc("file"),
           cl::desc("The tuner (default: baco-tune-driver beside this)"));
static cl::opt<std::string>
    against("against", cl::cat(category), cl::value_desc("folder"),
            cl::desc("Compare this build with another one, whose programs are "
                     "in this folder or in bin/ of it, and exit with 1 if a "
                     "case is certainly slower than 0.98 of before"));
static cl::opt<ComparedModules> compared(
    "compare", cl::init(ComparedModules::Changed), cl::cat(category),
    cl::desc("With --against, which modules (default: changed):"),
    cl::values(
        clEnumValN(ComparedModules::Default, "default",
                   "those of default configurations, without a search"),
        clEnumValN(ComparedModules::Changed, "changed",
                   "tuned ones, where the schedules or the default modules "
                   "of the builds differ"),
        clEnumValN(ComparedModules::Tuned, "tuned",
                   "tuned ones, of all cases")));
static cl::opt<bool>
    isRoundTrip("round-trip", cl::cat(category),
                cl::desc("Tune each case, apply the tuned library that this "
                         "writes, and exit with 1 if the machine code isn't "
                         "that of the chosen configuration, or if a stock "
                         "mlir-opt makes other IR of a stock entry"));
static cl::opt<std::string>
    stockOptimizer("mlir-opt", cl::init(BACO_STOCK_MLIR_OPT), cl::cat(category),
                   cl::value_desc("file"),
                   cl::desc("The stock mlir-opt of --round-trip and of sparse "
                            "baselines (default: that of the LLVM that baco is "
                            "built with)"));
static cl::opt<std::string>
    workDir("work-dir", cl::cat(category), cl::value_desc("folder"),
            cl::desc("Folder that keeps payloads, schedules and code (default: "
                     "a temporary folder)"));

/// What is in the folder goes, too.
namespace {
struct TemporaryFolder {
  llvm::SmallString<128> path;
  ~TemporaryFolder() {
    if (path.empty())
      return;
    if (std::error_code error = llvm::sys::fs::remove_directories(path))
      llvm::errs() << "warning: '" << path << "' stays: " << error.message()
                   << "\n";
  }
};
} // namespace

/// The rows that were asked for, with the cases that were asked for.
static llvm::Expected<std::vector<Row>>
selectRows(const BenchmarkProgram &benchmark) {
  auto made = benchmark.makeRows(isSmall);
  if (!made)
    return made.takeError();
  std::vector<Row> rows = std::move(*made);
  std::vector<std::string> known;
  for (const Row &row : rows)
    known.push_back(row.name);
  for (const std::string &name : rowNames)
    if (name != "all" && !llvm::is_contained(known, name))
      return llvm::createStringError("there is no row '" + name +
                                     "'; rows are " + llvm::join(known, ", "));
  if (!rowNames.empty() && !llvm::is_contained(rowNames, "all"))
    llvm::erase_if(rows, [](const Row &row) {
      return !llvm::is_contained(rowNames, row.name);
    });
  for (Row &row : rows)
    llvm::erase_if(row.cases, [](const Case &target) {
      return !caseFilters.empty() &&
             llvm::none_of(caseFilters, [&](llvm::StringRef filter) {
               return llvm::StringRef(target.name).contains(filter);
             });
    });
  llvm::erase_if(rows, [](const Row &row) { return row.cases.empty(); });
  if (rows.empty())
    return llvm::createStringError("no case has '" +
                                   llvm::join(caseFilters, "' or '") +
                                   "' in its name; see --list");
  return rows;
}

static void printList(const std::vector<Row> &rows) {
  for (const Row &row : rows) {
    llvm::outs() << row.name << ": " << row.title << "\n";
    for (const Case &target : row.cases)
      llvm::outs() << "  " << target.name << "\n";
  }
}

/// What scripts tune the cases from.
static llvm::Error writeCases(const std::vector<Row> &rows,
                              const std::string &sourceDir,
                              const std::string &folder) {
  llvm::json::Array cases;
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return llvm::createStringError("the folder '" + folder +
                                   "' can't be made: " + error.message());
  for (const Row &row : rows)
    for (const Case &target : row.cases) {
      std::string name = caseFileName(row.name, target.name);
      auto payload = writePayload(sourceDir, folder, name, target);
      if (!payload)
        return payload.takeError();
      cases.push_back(llvm::json::Object{{"row", row.name},
                                         {"case", target.name},
                                         {"payload", name + ".mlir"},
                                         {"inputs", inputsOf(target)},
                                         {"threads", target.threads},
                                         {"expert", target.expert}});
    }
  return llvm::writeToOutput(
      folder + "/cases.json", [&](llvm::raw_ostream &out) {
        out << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(cases)));
        return llvm::Error::success();
      });
}

/// The folder that this program is in.
static std::string programFolder(const char *program) {
  std::string self = llvm::sys::fs::getMainExecutable(
      program, reinterpret_cast<void *>(&programFolder));
  return llvm::sys::path::parent_path(self).str();
}

static llvm::Expected<RunSettings> makeSettings(const char *program,
                                                const std::string &kernels,
                                                TemporaryFolder &folder) {
  RunSettings settings;
  settings.isTimed = !isSmall;
  settings.tune.budget =
      isSmall && against.empty() && !isRoundTrip ? 0 : budget.getValue();
  settings.tune.seed = seed;
  settings.contest.seconds = seconds;
  settings.contest.cpu = settings.tune.cpu = cpu < 0 ? lastCpu() : cpu;
  settings.sourceDir = kernels;
  settings.tune.driver = driver;
  if (driver.empty())
    settings.tune.driver = programFolder(program) + "/baco-tune-driver";
  if (settings.tune.budget > 0 &&
      !llvm::sys::fs::can_execute(settings.tune.driver))
    return llvm::createStringError("there is no program '" +
                                   settings.tune.driver +
                                   "': build baco-tune-driver, or pass "
                                   "--driver=FILE or --budget=0");
  settings.stockOptimizer = stockOptimizer;
  if (isRoundTrip && !llvm::sys::fs::can_execute(stockOptimizer))
    return llvm::createStringError("there is no program '" + stockOptimizer +
                                   "': install mlir-22-tools, or pass "
                                   "--mlir-opt=FILE");
  settings.workDir = workDir;
  std::error_code error;
  if (workDir.empty()) {
    error = llvm::sys::fs::createUniqueDirectory("baco-bench", folder.path);
    settings.workDir = folder.path.str();
  } else {
    error = llvm::sys::fs::create_directories(workDir);
  }
  if (error)
    return llvm::createStringError("the folder '" + settings.workDir +
                                   "' can't be made: " + error.message());
  return settings;
}

/// The programs of this build and of the one that `--against` names.
static llvm::Expected<ComparedBuilds> findBuilds(const char *program) {
  ComparedBuilds builds;
  builds.modules = compared;
  builds.newPrograms = programFolder(program);
  builds.oldPrograms = against;
  if (llvm::sys::fs::is_directory(against + "/bin"))
    builds.oldPrograms += "/bin";
  if (isSweep || !driver.empty())
    return llvm::createStringError(
        "--against goes with neither --sweep nor --driver");
  if (compared != ComparedModules::Default && budget == 0)
    return llvm::createStringError("--against needs a --budget of at least 1, "
                                   "or --compare=default");
  for (const std::string &folder : {builds.oldPrograms, builds.newPrograms})
    for (llvm::StringRef name : {"baco-opt", "baco-tune-driver", "baco-worker"})
      if (!llvm::sys::fs::can_execute(folder + "/" + name))
        return llvm::createStringError("there is no program '" + folder + "/" +
                                       name + "': build it first");
  return builds;
}

namespace {
/// What all rows together came to.
struct Total {
  bool isWrong = false, isBelow = false;
  /// Of rows that have bars.
  std::vector<RowResults> results;
  llvm::json::Array rows;
  std::vector<baco::bench::ResultTable> tables;
};
} // namespace

/// Prints each case as soon as it is known.
static void runRow(CaseRunner &runner, BuildComparison *comparison,
                   RoundTrip *roundTrip, const Row &row, Total &total) {
  if (!json)
    printHeader(llvm::outs(), row.name + ": " + row.title);
  std::vector<CaseResult> results;
  auto take = [&](CaseResult result) {
    total.isWrong |= !result.error.empty();
    if (!json)
      printCase(llvm::outs(), result);
    results.push_back(std::move(result));
  };
  if (isSweep)
    for (CaseResult &result :
         runner.sweep(row.name, makeSweep(row.name, isSmall)))
      take(std::move(result));
  else
    for (const Case &target : row.cases)
      if (roundTrip)
        for (CaseResult &result : roundTrip->run(row, target))
          take(std::move(result));
      else
        take(comparison ? comparison->run(row, target)
                        : runner.run(row, target));

  std::vector<BarResult> verdicts;
  if (!isSweep && !isSmall && !comparison && !roundTrip)
    verdicts = checkBars(row.name, results);
  for (const BarResult &verdict : verdicts)
    total.isBelow |= !verdict.holds();
  if (!verdicts.empty())
    total.results.push_back({row.name, results});
  std::string title = row.name + ": " + row.title;
  if (isSweep)
    title += ", tuned at one size";
  total.tables.push_back(toTable(title, results, verdicts));
  if (!json) {
    printBars(llvm::outs(), verdicts);
    llvm::outs() << "\n";
    return;
  }
  llvm::json::Array cases, bars;
  for (const CaseResult &result : results)
    cases.push_back(toJson(result));
  for (const BarResult &verdict : verdicts)
    bars.push_back(toJson(verdict));
  total.rows.push_back(llvm::json::Object{{"row", row.name},
                                          {"title", row.title},
                                          {"cases", std::move(cases)},
                                          {"bars", std::move(bars)}});
}

static std::string describeCompilers() {
  return "compilers: " + CCompiler::describe(CSource::Clang) + "; " +
         CCompiler::describe(CSource::Gcc) + "; " +
         CCompiler::describe(CSource::Polly);
}

static void finish(const CaseRunner &runner, Total &total) {
  std::vector<BarResult> means = checkMeans(total.results);
  for (const BarResult &mean : means) {
    total.isBelow |= !mean.holds();
    total.tables.back().notes.push_back(judge(mean));
  }
  std::vector<std::string> libraries = runner.describeLibraries();
  std::string host = llvm::sys::getHostCPUName().str();
  for (baco::bench::ResultTable &table : total.tables) {
    if (!libraries.empty())
      table.notes.push_back("libraries: " + llvm::join(libraries, ", "));
    table.notes.push_back(describeCompilers());
  }
  if (json) {
    llvm::json::Array names;
    for (const std::string &library : libraries)
      names.push_back(library);
    llvm::json::Array bars;
    for (const BarResult &mean : means)
      bars.push_back(toJson(mean));
    llvm::outs() << llvm::formatv("{0:2}", llvm::json::Value(llvm::json::Object{
                                               {"cpu", host},
                                               {"libraries", std::move(names)},
                                               {"rows", std::move(total.rows)},
                                               {"bars", std::move(bars)}}))
                 << "\n";
    return;
  }
  printBars(llvm::outs(), means);
  llvm::outs() << "CPU " << host;
  if (!libraries.empty())
    llvm::outs() << "; libraries: " << llvm::join(libraries, ", ");
  llvm::outs() << "\n" << describeCompilers() << "\n";
}

int baco::benchmarks::runBenchmark(int argc, char **argv,
                                   const BenchmarkProgram &benchmark) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, benchmark.overview + "\n");
  llvm::ExitOnError exitOnError(benchmark.name + ": error: ", /*Code=*/2);
  if (!(seconds >= 0 && seconds <= 3600))
    exitOnError(
        llvm::createStringError("--time must be between 0 and 3600 seconds"));
  std::vector<Row> rows = exitOnError(selectRows(benchmark));
  if (isSweep)
    llvm::erase_if(rows, [](const Row &row) {
      return makeSweep(row.name, isSmall).empty();
    });
  if (rows.empty())
    exitOnError(llvm::createStringError(
        "--sweep is for the rows matmul, trsm and jacobi"));
  if (list) {
    printList(rows);
    return 0;
  }
  std::string sources = kernelDir.empty() ? benchmark.kernels : kernelDir;
  if (!writeTo.empty()) {
    exitOnError(writeCases(rows, sources, writeTo));
    return 0;
  }
  auto require = [&](const baco::Result<void> &done) {
    if (!done)
      exitOnError(llvm::createStringError(done.error().message));
  };
  require(baco::bench::checkResultFile(markdown));
  if (isRoundTrip && (isSweep || !against.empty() || budget == 0))
    exitOnError(
        llvm::createStringError("--round-trip goes with neither --sweep "
                                "nor --against nor --budget=0"));
  TemporaryFolder folder;
  RunSettings settings = exitOnError(makeSettings(argv[0], sources, folder));
  CaseRunner runner(settings);
  std::optional<BuildComparison> comparison;
  if (!against.empty())
    comparison.emplace(settings, exitOnError(findBuilds(argv[0])));
  std::optional<RoundTrip> roundTrip;
  if (isRoundTrip)
    roundTrip.emplace(settings);
  Total total;
  for (const Row &row : rows)
    runRow(runner, comparison ? &*comparison : nullptr,
           roundTrip ? &*roundTrip : nullptr, row, total);
  finish(runner, total);
  if (!markdown.empty())
    require(
        baco::bench::updateResultFile(markdown, benchmark.name, total.tables,
                                      baco::bench::describeRun(argc, argv)));
  return total.isWrong || (check && total.isBelow) ? 1 : 0;
}
