//===- TuneCommand.cpp - baco tune ----------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "CommandGroup.h"
#include "ProgramSpace.h"
#include "StopSignals.h"
#include "StudyTables.h"

#include "baco/Cluster/ClusterEvaluator.h"
#include "baco/Command/ProgramTuner.h"
#include "baco/Command/ReferenceTable.h"
#include "baco/Database/Export.h"
#include "baco/Database/FileLock.h"
#include "baco/Database/Files.h"
#include "baco/Report/ProgressPrinter.h"
#include "baco/Report/SummaryJson.h"
#include "baco/Runtime/CpuPlan.h"
#include "baco/SourceKernel/KernelEvaluator.h"
#include "baco/Study/ReplayEvaluator.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <sched.h>
#include <unistd.h>

using namespace baco;
using namespace baco::tool;
using command::ProgramOptions;
using command::TunedProgram;
using namespace std::string_view_literals;

static constexpr const char *usage =
    R"(usage: baco tune SPACE --run=COMMAND | --opencl=KERNEL [options]

Finds the configuration of SPACE, a file as in 'baco space', with which a command
has the least result. Each candidate has its values in the command line, where
{NAME} stands for a parameter, in the environment variables BACO_PARAM_NAME, and as
JSON in the file that BACO_CONFIG names.

Candidates:
  --run=COMMAND          runs a candidate; for /bin/sh, in the current folder
  --compile=COMMAND      is called before, and for several candidates at a time;
                         {dir} (BACO_DIR) is a folder that only this one has
  --result=WHERE         last-line: the only number there (the default); elapsed: the
                         time of the run; pattern:REGEX: the first group in the last
                         line that matches; json:KEY of the last line that is a JSON
                         object; file:PATH: the first number in it; exit-code
  --unit=ns|us|ms|s      results are times in this unit (default: any numbers)
  --objectives=LIST      candidates have several results, which the last line has, as
                         many groups, file:PATH, or json with their names: such as
                         'time, max accuracy >= 0.99, size <= 1e6'; each is minimized
                         (min), maximized (max), or, with a bound alone, must keep it;
                         elapsed+WHERE takes the time as the first one
  --order=ORDER          of several: pareto (the default), lexicographic,
                         weighted:2,1, or an expression: 'time * power'
  --repeat=N             runs a candidate N times, and takes the median (1); launches
                         a kernel N times (as many as take 50 ms)
  --failures=RULES       kinds of failures, separated by semicolons:
                         KIND:exit=CODE, KIND:signal=NAME, KIND:output=REGEX
  --compile-timeout=MS, --run-timeout=MS
                         limits for one candidate (120000, 60000)
  --jobs=N               candidates to compile at a time (CPUs less one)
  --cpu=N                the CPU whose lease runs take, so that one tuner measures at
                         a time (the last one allowed)

  --opencl=FILE          a kernel in OpenCL C and how it is launched (docs/OpenCL.md); a
                         candidate's values are macros, and its time is the device's
  --define=NAME=VALUE,...  constants of the kernel, in place of those in the file
  --platform=NAME, --device=NAME
                           a device whose names have these parts (any)
  --energy-counters=PLACE  for --objectives='time, energy', in ns and joules, those of
                         the processors or the GPU: RAPL's, as Linux has them
                         (/sys/class/powercap); with --cuda the library NVML
                         (libnvidia-ml.so.1)
  --cuda=FILE            the same for a kernel in CUDA C++ on a GPU of NVIDIA
  --library=FILE         the driver's library (libOpenCL.so.1, libcuda.so.1)
  --nvrtc=FILE           CUDA's compiler (libnvrtc.so)

  --client               a client of BaCO's or HyperMapper's protocol on standard
                         input and output evaluates them; so it is without --run if
                         the scenario's mode is client-server
  --replay=FILE          their results come from a study, or from a table of one

  --engine=local|nats    where they are evaluated: here, or by the workers of a cluster
                         (docs/Cluster.md)
  --nats=URL,...           its servers, nats://HOST:PORT
  --nats-tls=FOLDER        ca.pem, cert.pem and key.pem, for mutual TLS
  --machines=CLASS         the class of machines (the one with the most slots)
  --wait=SECONDS           for a worker (30)

Search, as of baco-tune-driver:
  --optimizer=NAME       (baco; of a scenario, its own)
  --budget=N             candidates to evaluate, those of earlier runs included (60)
  --seed=N               (0)
  --stop=CONDITION       ends the search; without --budget it alone does
  --time-limit=SECONDS   of the search
  --in-flight=N          candidates in flight (1; with --compile, one more than jobs;
                         with --engine=nats, twice the slots)
  --like=STUDY,...       studies to learn from
  --final-time=MS        how long each of the best few may run when they are measured
                         again, in turns with the default (20000); 0: they aren't

Files:
  --db=FILE              journal of all trials; the same command goes on from it
                         (OUTPUT-DIR/NAME.baco.db)
  --output-dir=DIR       for NAME.best.json, NAME.summary.json, NAME.trials.jsonl, and
                         logs of failed candidates in NAME.logs (.)
                         Of several results also NAME.front.csv, the Pareto front
  --csv=FILE             a table of the trials, as BaCO's reference writes it
  --name=NAME            (the name of SPACE without its ending)
  --quiet                no progress is shown
  --live[=PORT]          serves a page on this machine that follows the search, until its
                         end, and prints its address
  --json-progress=FILE   a line of JSON for each evaluation and each phase, as they come

Exit codes: 0 done, 1 the input is wrong, 2 the environment fails, 3 no candidate
works, 130 interrupted.
)";

namespace {
/// The command line.
struct TuneLine {
  ProgramSpace input;
  std::string outputDir = ".";
  bool isClient = false;
  bool isClustered = false;
  cluster::ServerOptions server = {};
  cluster::QueueOptions queue = {};
  ProgramOptions options = {};
  std::optional<KernelTask> kernel = std::nullopt;
  kernels::KernelOptions kernelOptions = {};

  std::string path(const std::string &ending) const {
    return outputDir + "/" + options.name + ending;
  }
};
} // namespace

/// Sets numbers that are given.
struct NumberOption {
  const char *name;
  uint64_t least, most;
  uint64_t *value;
};
static void readNumbers(const Arguments &arguments,
                        std::span<const NumberOption> options) {
  for (const NumberOption &option : options)
    *option.value = arguments.number(option.name, option.least, option.most)
                        .value_or(*option.value);
}

static void readCandidateOptions(const Arguments &arguments,
                                 command::CommandOptions &options) {
  options.run = arguments.get("run");
  options.compile = arguments.get("compile");
  options.failures = arguments.get("failures");
  if (arguments.has("result"))
    options.result = arguments.get("result");
  static constexpr std::string_view units[] = {"ns", "us", "ms", "s"};
  std::string unit = arguments.oneOf("unit", units);
  if (arguments.has("unit"))
    options.unitNs = std::pow(1000.0, std::ranges::find(units, unit) -
                                          std::ranges::begin(units));
  std::vector<int> cpus = runtime::allowedCpus();
  uint64_t jobs = std::max<size_t>(cpus.size(), 2) - 1, cpu = cpus.back(),
           compileMs = options.compileTimeoutMs, runMs = options.runTimeoutMs;
  constexpr uint64_t maxMs = 1'000'000'000;
  const NumberOption numbers[] = {{"repeat", 1, 1'000'000, &options.repeat},
                                  {"jobs", 1, 1024, &jobs},
                                  {"cpu", 0, CPU_SETSIZE - 1, &cpu},
                                  {"compile-timeout", 1, maxMs, &compileMs},
                                  {"run-timeout", 1, maxMs, &runMs}};
  readNumbers(arguments, numbers);
  if (std::ranges::find(cpus, static_cast<int>(cpu)) == cpus.end())
    fail(wrongOption("cpu", "names a CPU that this process may not use"));
  options.compileSlots = jobs;
  options.cpu = static_cast<int>(cpu);
  options.compileTimeoutMs = static_cast<int64_t>(compileMs);
  options.runTimeoutMs = static_cast<int64_t>(runMs);
}

static void readSearchOptions(const Arguments &arguments,
                              ProgramOptions &options) {
  if (arguments.has("optimizer"))
    options.optimizer = arguments.get("optimizer");
  options.stopWhen = arguments.get("stop");
  options.like = arguments.get("like");
  if (!options.stopWhen.empty())
    options.budget = UINT64_MAX;
  options.inFlight =
      options.command.compile.empty() ? 1 : options.command.compileSlots + 1;
  const NumberOption numbers[] = {{"budget", 1, UINT64_MAX, &options.budget},
                                  {"seed", 0, UINT64_MAX, &options.seed},
                                  {"in-flight", 1, 1024, &options.inFlight}};
  readNumbers(arguments, numbers);
  options.timeLimitSeconds =
      arguments.real("time-limit").value_or(options.timeLimitSeconds);
  options.finalMs = arguments.real("final-time").value_or(options.finalMs);
}

/// The options of a cluster.
static void readEngine(const Arguments &arguments, TuneLine &line) {
  static constexpr std::string_view engines[] = {"local", "nats"};
  line.isClustered = arguments.oneOf("engine", engines) == "nats";
  for (const char *option : {"nats", "nats-tls", "machines", "wait"})
    if (arguments.has(option) && !line.isClustered)
      fail(wrongOption(option, "give --engine=nats, too"));
  if (!line.isClustered)
    return;
  for (const char *option : {"jobs", "cpu", "client"})
    if (arguments.has(option) || (line.isClient && option == "client"sv))
      fail(wrongOption(option, "the workers of a cluster have their own; "
                               "leave it out"));
  if (!arguments.has("nats"))
    fail(wrongOption("engine", "nats needs a server; give "
                               "--nats=nats://HOST:PORT"));
  line.server = {arguments.get("nats"), arguments.get("nats-tls")};
  line.queue.machineClass = arguments.get("machines");
  line.queue.waitSeconds =
      arguments.real("wait").value_or(line.queue.waitSeconds);
  line.queue.stop = &stopRequested;
  if (!arguments.has("in-flight"))
    line.options.inFlight = 0;
}

/// A value as in expressions, or a text.
static ParameterValue toConstant(const std::string &text) {
  if (Result<Expression> parsed = Expression::parse(text); parsed)
    if (Result<ParameterValue> value = parsed->evaluate(
            [](std::string_view) -> const ParameterValue * { return nullptr; });
        value)
      return *value;
  return text;
}

/// The results of kernels: time, unless energy is asked for.
static void readKernelObjectives(const Arguments &arguments, TuneLine &line) {
  const study::Objectives &objectives = line.options.objectives;
  bool hasEnergy = false;
  for (const std::string &name : objectives.names()) {
    if (name != "time" && name != "energy")
      fail(wrongOption("objectives",
                       "kernels have the results time (ns) and energy (J), "
                       "and no '" +
                           name + "'"));
    hasEnergy |= name == "energy";
  }
  if (arguments.has("energy-counters") && !hasEnergy)
    fail(wrongOption("energy-counters", "give --objectives=energy, too"));
  if (!hasEnergy)
    return;
  line.kernelOptions.energyCounters =
      arguments.has("energy-counters") ? arguments.get("energy-counters")
      : arguments.has("cuda")          ? "libnvidia-ml.so.1"
                                       : "/sys/class/powercap";
}

/// The kernel that candidates are, and its options.
static void readKernel(const Arguments &arguments, TuneLine &line) {
  bool isCuda = arguments.has("cuda");
  std::string file = arguments.get(isCuda ? "cuda" : "opencl");
  for (const char *option : {"define", "platform", "device", "library"})
    if (arguments.has(option) && file.empty())
      fail(wrongOption(option, "give --opencl=FILE or --cuda=FILE, too"));
  if (arguments.has("nvrtc") && !isCuda)
    fail(wrongOption("nvrtc", "give --cuda=FILE, too"));
  if (file.empty())
    return;
  for (const char *option :
       {"compile", "result", "unit", "failures", "jobs", "engine", "in-flight"})
    if (arguments.has(option))
      fail(wrongOption(option, "isn't for kernels; leave it out"));
  KernelTask &task = line.kernel.emplace(
      needInput(readKernelTask(need(database::readFile(file)), file)));
  std::string constants = arguments.get("define");
  for (size_t begin = 0; begin < constants.size();) {
    size_t end = std::min(constants.find(',', begin), constants.size());
    std::string constant = constants.substr(begin, end - begin);
    size_t equals = constant.find('=');
    if (equals == 0 || equals == std::string::npos)
      fail(wrongOption("define", "'" + constant + "' is no NAME=VALUE"));
    task.setConstant(constant.substr(0, equals),
                     toConstant(constant.substr(equals + 1)));
    begin = end + 1;
  }
  if (arguments.has("platform"))
    task.platform = arguments.get("platform");
  if (arguments.has("device"))
    task.device = arguments.get("device");
  const command::CommandOptions &command = line.options.command;
  line.kernelOptions.api =
      isCuda ? kernels::KernelApi::Cuda : kernels::KernelApi::OpenCl;
  line.kernelOptions.library = arguments.get("library");
  line.kernelOptions.compilerLibrary = arguments.get("nvrtc");
  line.kernelOptions.repeat = arguments.has("repeat") ? command.repeat : 0;
  line.kernelOptions.buildTimeoutMs = command.compileTimeoutMs;
  line.kernelOptions.runTimeoutMs = command.runTimeoutMs;
  line.kernelOptions.cpu = command.cpu;
  line.kernelOptions.stop = &stopRequested;
  line.options.inFlight = 1;
  readKernelObjectives(arguments, line);
}

static TuneLine readLine(const Arguments &arguments) {
  TuneLine line = {readProgramSpace(arguments.positional().front())};
  ProgramOptions &options = line.options;
  options.optimizer = line.input.optimizer;
  options.budget = line.input.budget;
  options.timeLimitSeconds = line.input.timeLimitSeconds;
  line.isClient = arguments.has("client") ||
                  (line.input.isClientServer && !arguments.has("run") &&
                   !arguments.has("replay") && !arguments.has("opencl") &&
                   !arguments.has("cuda"));
  if (arguments.has("run") + arguments.has("replay") + arguments.has("opencl") +
          arguments.has("cuda") + line.isClient !=
      1)
    fail({ErrorCode::InvalidArgument,
          "'tune' needs one of the options --run=COMMAND, "
          "--opencl=KERNEL, --cuda=KERNEL, --client and --replay=FILE "
          "(see baco tune --help)"});
  // The reference asks for its whole first design in one request.
  if (line.isClient && line.input.initialDesign > 1)
    options.initialBatch =
        std::min<uint64_t>(line.input.initialDesign, options.budget);
  options.objectives = readObjectives(arguments, line.input);
  if (!options.objectives.empty())
    line.input.columns.results = options.objectives.names();
  readCandidateOptions(arguments, options.command);
  readSearchOptions(arguments, options);
  readEngine(arguments, line);
  readKernel(arguments, line);
  options.name =
      arguments.has("name") ? arguments.get("name") : line.input.name;
  if (options.name.find('/') != std::string::npos)
    fail(wrongOption("name", "must be the name of a file, without folders"));
  if (arguments.has("output-dir"))
    line.outputDir = arguments.get("output-dir");
  options.database =
      arguments.has("db") ? arguments.get("db") : line.path(".baco.db");
  options.command.workFolder =
      std::filesystem::absolute(line.path(".work")).lexically_normal().string();
  options.command.logFolder = line.path(".logs");
  options.command.stop = &stopRequested;
  return line;
}

/// To people: a client has standard output.
static void tell(const TuneLine &line, const std::string &text) {
  if (line.isClient)
    std::cerr << text;
  else
    print(text);
}

/// Times are since 1970 for a client, and else since the first outcome.
static std::string writeTable(const TuneLine &line, const TunedProgram &tuned) {
  auto finished = tuned.finishedMs;
  int64_t first = INT64_MAX;
  for (const auto &[trial, ms] : finished)
    first = std::min(first, ms);
  for (auto &[trial, ms] : finished)
    ms -= line.isClient ? 0 : first;
  return command::writeReferenceTable(line.input.space, line.input.columns,
                                      line.options.objectives,
                                      tuned.result.trials, finished);
}

/// The trials of the Pareto front, in its order.
static std::vector<database::Trial> frontOf(const TunedProgram &tuned) {
  std::vector<database::Trial> trials;
  for (size_t index : tuned.front)
    trials.push_back(tuned.result.trials[index]);
  return trials;
}

static void writeResults(const TuneLine &line, const std::string &csvFile,
                         const TunedProgram &tuned) {
  std::vector<std::pair<std::string, std::string>> files = {
      {".summary.json", need(report::writeSummaryJson({tuned.summary}))},
      {".trials.jsonl",
       database::writeTrialsJsonl(tuned.result.trials, line.options.name)}};
  if (tuned.best)
    files.insert(files.begin(),
                 {".best.json", tuned.summary.configuration + "\n"});
  std::error_code ignored;
  if (tuned.front.empty()) {
    // One of an earlier run would be taken for this one's.
    std::filesystem::remove(line.path(".front.csv"), ignored);
  } else {
    files.emplace_back(".front.csv", need(database::writeTrialsCsv(
                                         frontOf(tuned), line.options.name)));
  }
  for (auto &[ending, text] : files)
    ending = line.path(ending);
  if (!csvFile.empty())
    files.emplace_back(csvFile, writeTable(line, tuned));
  for (const auto &[path, text] : files) {
    need(database::writeFileAtomically(path, text));
    tell(line, "wrote " + path + "\n");
  }
  tell(line, "wrote " + line.options.database + "\n");
}

/// Prints what was found.
static void printResults(const TuneLine &line, const TunedProgram &tuned) {
  tell(line, report::writeSummaryText(tuned.summary));
  if (!tuned.compileLine.empty())
    tell(line, "  compile     " + tuned.compileLine + "\n");
  if (!tuned.runLine.empty())
    tell(line, "  run         " + tuned.runLine + "\n");
  if (!tuned.front.empty())
    tell(line, "\n" + writeFront(frontOf(tuned)));
  std::error_code ignored;
  if (report::numFailures(tuned.summary.counts) > 0 &&
      std::filesystem::exists(line.options.command.logFolder, ignored))
    tell(line, "  logs of failed candidates: " +
                   line.options.command.logFolder + "\n");
}

/// Lets a cluster evaluate the candidates: by commands, or from the file
/// `table`, which `replay` has read, if it isn't null.
static Result<std::unique_ptr<cluster::ClusterEvaluator>>
joinCluster(const TuneLine &line, cluster::Cluster &cluster,
            const study::ReplayEvaluator *replay) {
  const Space &space = line.input.space;
  if (!replay) {
    command::CommandOptions command = line.options.command;
    command.objectives = line.options.objectives;
    need(command::CommandEvaluator::validate(space, command));
    return cluster::ClusterEvaluator::create(cluster, /*llvm=*/"", space,
                                             command, line.queue);
  }
  return cluster::ClusterEvaluator::replay(cluster, /*llvm=*/"", space,
                                           replay->exportOutcomes(),
                                           replay->fingerprint(), line.queue);
}

static int tune(const Arguments &arguments) {
  TuneLine line = readLine(arguments);
  std::error_code failed;
  std::filesystem::create_directories(line.outputDir, failed);
  if (failed)
    return complain({ErrorCode::IOError, "cannot make the folder '" +
                                             line.outputDir +
                                             "': " + failed.message()});
  auto lock = need(database::FileLock::acquire(
      line.path(".baco.lock"),
      "the results of '" + line.options.name + "' in folder '" +
          line.outputDir + "' are being written",
      "wait for it, or choose another --output-dir"));
  stopBySignals(/*interruptsReads=*/line.isClient);
  std::optional<command::ClientEvaluator> client;
  std::unique_ptr<study::ReplayEvaluator> replay;
  std::unique_ptr<kernels::KernelEvaluator> kernel;
  if (line.kernel) {
    auto opened = kernels::KernelEvaluator::create(
        line.input.space, *line.kernel, line.kernelOptions);
    if (!opened)
      return stopRequested ? interrupted : complain(opened.error());
    kernel = std::move(*opened);
    line.options.evaluator = kernel.get();
    // It compares times.
    if (line.options.objectives.empty())
      line.options.comparer = kernel.get();
    print("device " + kernel->device() + "\n");
    if (!kernel->energyCounters().empty())
      print("energy " + kernel->energyCounters() + "\n");
    if (!kernel->checksResults())
      print("note: results aren't checked; give a 'reference' or 'expected'\n");
  } else if (line.isClient) {
    client.emplace(line.input.space, line.input.columns, std::cin, std::cout,
                   line.options.objectives);
    need(client->check());
    line.options.evaluator = &*client;
  } else if (arguments.has("replay")) {
    replay = need(study::ReplayEvaluator::open(arguments.get("replay"),
                                               line.input.space, /*kernel=*/"",
                                               &line.input.columns));
    line.options.evaluator = replay.get();
  }
  std::unique_ptr<cluster::Cluster> cluster;
  std::unique_ptr<cluster::ClusterEvaluator> remote;
  if (line.isClustered) {
    cluster = need(cluster::Cluster::connect(line.server));
    line.queue.announce = [](const std::string &text) {
      std::cerr << text << "\n";
    };
    auto joined = joinCluster(line, *cluster, replay.get());
    if (!joined)
      return stopRequested ? interrupted : complain(joined.error());
    remote = std::move(*joined);
    line.options.remote = remote.get();
  }
  report::ProgressOptions options = {.isQuiet = arguments.has("quiet")};
  need(options.openJson(arguments.get("json-progress")));
  report::ProgressPrinter progress(line.options.name, options);
  auto live = startLive(arguments, line.options.database);
  Result<TunedProgram> tuned =
      command::tuneProgram(line.input.space, line.options, progress);
  progress.clear();
  if (!tuned)
    return stopRequested ? interrupted : complain(tuned.error());
  printResults(line, *tuned);
  writeResults(line, arguments.get("csv"), *tuned);
  if (tuned->result.failure)
    return complain(*tuned->result.failure);
  if (stopRequested)
    return interrupted;
  if (line.isClient)
    print("End of HyperMapper\n");
  return tuned->best ? allDone : nothingWorks;
}

int tool::runTuneCommand(std::span<const std::string_view> words) {
  return runCommand({"tune", tune,
                     "run= compile= result= unit= objectives= order= repeat= "
                     "failures= jobs= cpu= optimizer= compile-timeout= "
                     "run-timeout= budget= seed= stop= time-limit= in-flight= "
                     "like= final-time= db= output-dir= name= opencl= define= "
                     "platform= device= library= cuda= nvrtc= energy-counters= "
                     "client replay= csv= engine= nats= nats-tls= machines= "
                     "wait= quiet json-progress= live[=]",
                     1, "the name of one file, a space"},
                    usage, words);
}
