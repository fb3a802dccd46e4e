//===- CommandEvaluator.cpp - Candidates run by commands ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some threads compile, and one runs: of the candidates that are compiled, the
// one that was submitted first.
//
//===----------------------------------------------------------------------===//

#include "baco/Command/CommandEvaluator.h"

#include "baco/Database/Files.h"
#include "baco/Database/Validation.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Protocol/Clock.h"
#include "baco/Runtime/CpuLease.h"
#include "baco/Support/Complaint.h"
#include "baco/Support/CostUnit.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>

using namespace baco;
using namespace baco::command;
using runtime::nowNs;

namespace {
/// A candidate that was submitted.
struct Job {
  enum State { Submitted, Compiling, Compiled, Running, Done };

  Configuration configuration;
  State state = Submitted;
  std::atomic<bool> isCancelled = false;
  /// An error is one of the environment.
  Result<Outcome> outcome = Outcome();
};

class CommandRunner final : public CommandEvaluator, measure::SideBySide {
public:
  CommandRunner(const Space &space, const CommandOptions &options)
      : options(options), space(space) {}
  ~CommandRunner() override;

  void readOptions();
  void makeWorkFolder();
  Result<void> submit(uint64_t trial,
                      const Configuration &configuration) override;
  Result<Outcome> wait(uint64_t trial) override;
  void cancel(uint64_t trial) override;
  std::string fingerprint() const override { return fingerprintOf(options); }
  Result<measure::Comparison>
  compare(const std::vector<measure::Finalist> &finalists,
          const measure::RoundsOptions &rounds) override {
    return measure::compareInRounds(*this, finalists, rounds);
  }
  double waitedSeconds() const override { return leaseSeconds; }
  bool compiledElsewhere() const override { return hasEmptyFolder; }
  std::pair<std::string, std::string>
  linesOf(const Configuration &configuration) const {
    return {compileLine ? compileLine->expand(configuration, ".") : "",
            runLine.expand(configuration, ".")};
  }

private:
  /// Turns of finalists.
  Result<std::vector<runtime::Samples>>
  compare(const std::vector<std::optional<std::string>> &texts,
          uint64_t placementSeed) override;
  bool stopRequested() const override {
    return options.stop && options.stop->load();
  }

  using Environment = std::vector<std::pair<std::string, std::string>>;

  void start();
  void work(Job::State from, Job::State during);
  bool isClosing() const { return closes || stopRequested(); }

  void makeFolder(const Configuration &configuration,
                  const std::string &folder) const;
  Environment environmentOf(const CommandTemplate &line,
                            const Configuration &configuration,
                            const std::string &folder) const;
  std::string folderOf(uint64_t trial) const {
    return options.workFolder + "/trial-" + std::to_string(trial);
  }
  void removeFolder(const std::string &folder) const;
  Outcome compile(const Configuration &configuration, const std::string &folder,
                  const std::string &log,
                  const std::function<bool()> &isStopped);
  runtime::Samples run(const Configuration &configuration,
                       const std::string &folder, const std::string &log,
                       const std::function<bool()> &isStopped);
  std::optional<Outcome> failureOf(const CommandEnd &end, Status usual) const;
  bool hasTimes() const {
    return (options.unitNs > 0 || reader.isElapsed()) &&
           (options.objectives.empty() || options.objectives.minimizesFirst());
  }
  /// Nanoseconds for a first result of 1, if it is a time.
  double timeUnitNs() const { return options.unitNs > 0 ? options.unitNs : 1; }
  Result<std::vector<double>> readResults(const CommandEnd &end,
                                          const Configuration &configuration,
                                          const std::string &folder) const;
  Outcome judge(const std::vector<double> &values) const;
  bool compileJob(uint64_t trial, Job &job);
  void runJob(uint64_t trial, Job &job);
  void writeLog(const std::string &log, const std::string &line,
                const CommandEnd &end, const Outcome &outcome) const;

  const CommandOptions options;
  const Space space;
  std::atomic<double> leaseSeconds = 0;
  std::atomic<bool> hasEmptyFolder = false;
  bool hasWorkFolder = false;
  std::optional<CommandTemplate> compileLine;
  CommandTemplate runLine;
  ResultReader reader;
  FailureRules rules;

  std::mutex mutex;
  std::condition_variable changed;
  /// By number of the trial. A Job stays where it is.
  std::map<uint64_t, Job> jobs;
  std::atomic<bool> closes = false;
  std::vector<std::thread> threads;
  /// The folders of finalists, by their configurations, and how they compiled.
  std::map<std::string, std::pair<std::string, Outcome>> finalists;
};
} // namespace

//===----------------------------------------------------------------------===//
// Set-up
//===----------------------------------------------------------------------===//

[[noreturn]] static void wrongOption(const std::string &option,
                                     const std::string &what) {
  fail({ErrorCode::InvalidArgument, "--" + option + ": " + what});
}

/// What an option says.
template <typename T>
static T needOption(const std::string &option, Result<T> read) {
  if (!read)
    wrongOption(option, read.error().message);
  return std::move(*read);
}

void CommandRunner::readOptions() {
  if (options.run.empty())
    wrongOption("run", "there is no command to run");
  if (options.repeat < 1)
    wrongOption("repeat", "a candidate runs at least once");
  if (!options.compile.empty())
    compileLine =
        needOption("compile", CommandTemplate::parse(options.compile, space));
  runLine = needOption("run", CommandTemplate::parse(options.run, space));
  reader =
      needOption("result", ResultReader::parse(options.result, space,
                                               options.objectives.names()));
  rules = needOption("failures", FailureRules::parse(options.failures));
  bool needsPlainFolder = runLine.needsPlainFolder() ||
                          (compileLine && compileLine->needsPlainFolder());
  if (needsPlainFolder && !isPlainWord(options.workFolder))
    wrongOption("run",
                "'{dir}' is behind a command substitution, and the folder '" +
                    options.workFolder +
                    "' has characters that mean something to a shell; write "
                    "\"$BACO_DIR\", or choose another --output-dir");
}

static void makeFolders(const std::string &folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    fail({ErrorCode::IOError,
          "cannot make the folder '" + folder + "': " + failed.message()});
}

void CommandRunner::makeWorkFolder() {
  makeFolders(options.workFolder);
  hasWorkFolder = true;
}

CommandRunner::~CommandRunner() {
  {
    std::lock_guard lock(mutex);
    closes = true;
  }
  changed.notify_all();
  for (std::thread &thread : threads)
    thread.join();
  if (hasWorkFolder)
    removeFolder(options.workFolder);
}

void CommandRunner::start() {
  if (!threads.empty())
    return;
  if (compileLine)
    for (unsigned i = 0; i < std::max(options.compileSlots, 1u); ++i)
      threads.emplace_back([this] { work(Job::Submitted, Job::Compiling); });
  threads.emplace_back([this] {
    work(compileLine ? Job::Compiled : Job::Submitted, Job::Running);
  });
}

//===----------------------------------------------------------------------===//
// Folders and logs
//===----------------------------------------------------------------------===//

CommandRunner::Environment
CommandRunner::environmentOf(const CommandTemplate &line,
                             const Configuration &configuration,
                             const std::string &folder) const {
  Environment environment = line.variables(configuration, folder);
  environment.emplace_back("BACO_CONFIG", folder + "/config.json");
  for (size_t i = 0; i < configuration.size(); ++i)
    environment.emplace_back(variableName(space.parameters()[i].name()),
                             valueText(configuration[i]));
  return environment;
}

void CommandRunner::makeFolder(const Configuration &configuration,
                               const std::string &folder) const {
  // A tuner that was killed may have left one.
  removeFolder(folder);
  makeFolders(folder);
  need(database::writeFileAtomically(folder + "/config.json",
                                     writeConfiguration(space, configuration) +
                                         "\n"));
}

void CommandRunner::removeFolder(const std::string &folder) const {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

/// Logs help people, and a candidate counts without one.
void CommandRunner::writeLog(const std::string &log, const std::string &line,
                             const CommandEnd &end,
                             const Outcome &outcome) const {
  if (log.empty() || options.logFolder.empty())
    return;
  std::error_code ignored;
  std::filesystem::create_directories(options.logFolder, ignored);
  (void)database::writeFileAtomically(
      options.logFolder + "/" + log,
      "command: " + line + "\nend: " + std::string(statusName(outcome.status)) +
          ": " + outcome.message + "\n--- standard output ---\n" + end.output +
          "\n--- standard error ---\n" + end.errors);
}

//===----------------------------------------------------------------------===//
// Compiling and running
//===----------------------------------------------------------------------===//

/// The failure that `end` is, if it is one.
std::optional<Outcome> CommandRunner::failureOf(const CommandEnd &end,
                                                Status usual) const {
  Outcome outcome;
  outcome.timeNs = std::nan("");
  outcome.message = describeEnd(end);
  if (end.kind == CommandEnd::Stopped) {
    outcome.status = Status::Lost;
    return outcome;
  }
  if (std::optional<Status> status = rules.find(end)) {
    outcome.status = *status;
    return outcome;
  }
  bool isEnd = end.kind == CommandEnd::Exited;
  // The shell's own codes: there is no such command, or it can't be run.
  bool isShells = end.code == 126 || end.code == 127;
  bool isResult =
      reader.takesExitCode() && !isShells && usual == Status::Crashed;
  if (isEnd && (end.code == 0 || isResult))
    return std::nullopt;
  outcome.status = end.kind == CommandEnd::TimedOut ? Status::TimedOut : usual;
  return outcome;
}

/// The results of a run; the first one is in the user's unit.
Result<std::vector<double>>
CommandRunner::readResults(const CommandEnd &end,
                           const Configuration &configuration,
                           const std::string &folder) const {
  Result<std::vector<double>> values = reader.read(end, configuration, folder);
  if (values && reader.isElapsed())
    values->front() /= timeUnitNs();
  return values;
}

/// The outcome of a candidate with these results.
Outcome CommandRunner::judge(const std::vector<double> &values) const {
  double unitNs = hasTimes() ? timeUnitNs() : 0;
  if (!options.objectives.empty())
    return options.objectives.judge(values, unitNs);
  Outcome outcome;
  outcome.timeNs = hasTimes() ? values.front() * unitNs : values.front();
  if (!hasTimes() || database::isTime(outcome.timeNs)) {
    outcome.status = Status::Ok;
    return outcome;
  }
  outcome.status = Status::WrongResult;
  outcome.timeNs = std::nan("");
  outcome.message = "a time is from 1e-06 to 1e18 ns, but the result is " +
                    toString(ParameterValue(values.front())) +
                    "; without --unit it may be any number";
  return outcome;
}

/// The median of each result.
static std::vector<double>
mediansOf(const std::vector<std::vector<double>> &runs) {
  std::vector<double> medians;
  for (size_t i = 0; i < runs.front().size(); ++i) {
    std::vector<double> values;
    for (const std::vector<double> &results : runs)
      values.push_back(results[i]);
    medians.push_back(runtime::median(values));
  }
  return medians;
}

/// Compiles a candidate. The outcome is ok if it can be run.
Outcome CommandRunner::compile(const Configuration &configuration,
                               const std::string &folder,
                               const std::string &log,
                               const std::function<bool()> &isStopped) {
  makeFolder(configuration, folder);
  Outcome outcome;
  outcome.status = Status::Ok;
  if (!compileLine)
    return outcome;
  CommandEnd end = need(runCommand(
      compileLine->lineOf(configuration),
      environmentOf(*compileLine, configuration, folder),
      {options.compileTimeoutMs, options.maxOutputBytes}, isStopped));
  if (std::optional<Outcome> failure = failureOf(end, Status::CompileFailed)) {
    outcome = std::move(*failure);
    writeLog(log, compileLine->expand(configuration, folder), end, outcome);
  } else {
    std::error_code failed;
    std::filesystem::directory_iterator files(folder, failed);
    // The configuration is always there.
    if (std::distance(files, decltype(files)()) == 1)
      hasEmptyFolder = true;
  }
  outcome.compileNs = end.wallNs;
  return outcome;
}

runtime::Samples CommandRunner::run(const Configuration &configuration,
                                    const std::string &folder,
                                    const std::string &log,
                                    const std::function<bool()> &isStopped) {
  runtime::Samples samples;
  Outcome &outcome = samples.outcome;
  runtime::CpuLease lease(options.cpu);
  int64_t begin = nowNs();
  if (!lease.await(isStopped))
    return samples;
  leaseSeconds = leaseSeconds + double(nowNs() - begin) * 1e-9;
  std::string line = runLine.lineOf(configuration);
  Environment environment = environmentOf(runLine, configuration, folder);
  std::vector<double> &values = samples.slicesNs.emplace_back();
  std::vector<std::vector<double>> all;
  runtime::Conditions &conditions = samples.conditions.emplace_back();
  for (uint64_t i = 0; i < options.repeat; ++i) {
    reader.prepare(configuration, folder);
    CommandEnd end = need(
        runCommand(line, environment,
                   {options.runTimeoutMs, options.maxOutputBytes}, isStopped));
    conditions.wallNs += end.wallNs;
    conditions.cpuNs += end.cpuNs;
    std::optional<Outcome> failure = failureOf(end, Status::Crashed);
    if (!failure) {
      Result<std::vector<double>> results =
          readResults(end, configuration, folder);
      if (results) {
        Outcome alone = judge(*results);
        all.push_back(std::move(*results));
        // One run that breaks a bound is an outlier if the median keeps it.
        if (std::isfinite(alone.timeNs))
          values.push_back(alone.timeNs);
        if (i + 1 < options.repeat)
          continue;
        outcome = judge(mediansOf(all));
        if (outcome.status == Status::Ok)
          break;
        failure = outcome;
      } else {
        failure.emplace();
        failure->status = Status::WrongResult;
        failure->timeNs = std::nan("");
        failure->message = results.error().message;
      }
    }
    outcome = std::move(*failure);
    writeLog(log, runLine.expand(configuration, folder), end, outcome);
    break;
  }
  if (outcome.status == Status::Ok) {
    Outcome judged = outcome;
    runtime::summarize(samples);
    outcome.timeNs = judged.timeNs;
    if (!hasTimes())
      outcome.message = plainNumberNote;
  }
  outcome.runNs = conditions.wallNs;
  return samples;
}

//===----------------------------------------------------------------------===//
// Trials
//===----------------------------------------------------------------------===//

static std::string logOf(uint64_t trial) {
  return "trial-" + std::to_string(trial) + ".log";
}

/// Whether the job can be run then.
bool CommandRunner::compileJob(uint64_t trial, Job &job) {
  job.outcome = attempt([&] {
    return compile(job.configuration, folderOf(trial), logOf(trial),
                   [&] { return job.isCancelled || isClosing(); });
  });
  return job.outcome && job.outcome->status == Status::Ok;
}

void CommandRunner::runJob(uint64_t trial, Job &job) {
  job.outcome = attempt([&] {
    runtime::Samples ran = run(job.configuration, folderOf(trial), logOf(trial),
                               [&] { return job.isCancelled || isClosing(); });
    ran.outcome.compileNs = job.outcome->compileNs;
    return std::move(ran.outcome);
  });
}

/// The loop of a thread that takes jobs in state `from`.
void CommandRunner::work(Job::State from, Job::State during) {
  std::unique_lock lock(mutex);
  while (true) {
    auto next = jobs.end();
    changed.wait(lock, [&] {
      next = std::ranges::find_if(
          jobs, [&](const auto &entry) { return entry.second.state == from; });
      return closes || next != jobs.end();
    });
    // Nothing is begun after a request to stop.
    if (isClosing())
      return;
    uint64_t trial = next->first;
    Job &job = next->second;
    job.state = during;
    lock.unlock();
    // Without a command that compiles, the thread that runs makes the folder.
    bool isLast = from == Job::Submitted && !compileJob(trial, job);
    if (!isLast && during == Job::Running) {
      runJob(trial, job);
      isLast = true;
    }
    if (isLast)
      removeFolder(folderOf(trial));
    lock.lock();
    job.state = isLast ? Job::Done : Job::Compiled;
    if (isLast && job.isCancelled)
      jobs.erase(trial);
    changed.notify_all();
  }
}

Result<void> CommandRunner::submit(uint64_t trial,
                                   const Configuration &configuration) {
  std::unique_lock lock(mutex);
  // One that was lost or cancelled is submitted again; a thread may have it.
  changed.wait(lock, [&] {
    auto job = jobs.find(trial);
    return job == jobs.end() || (job->second.state != Job::Compiling &&
                                 job->second.state != Job::Running);
  });
  jobs.erase(trial);
  jobs[trial].configuration = configuration;
  start();
  changed.notify_all();
  return {};
}

Result<Outcome> CommandRunner::wait(uint64_t trial) {
  std::unique_lock lock(mutex);
  auto job = jobs.find(trial);
  if (job == jobs.end())
    return Error{ErrorCode::InvalidArgument,
                 "trial " + std::to_string(trial) + " wasn't submitted"};
  while (job->second.state != Job::Done) {
    if (isClosing() && job->second.state != Job::Running &&
        job->second.state != Job::Compiling)
      return Outcome();
    // A stop that a signal asks for wakes nobody.
    constexpr std::chrono::milliseconds interval(50);
    changed.wait_for(lock, interval);
  }
  Result<Outcome> outcome = std::move(job->second.outcome);
  jobs.erase(job);
  return outcome;
}

void CommandRunner::cancel(uint64_t trial) {
  std::lock_guard lock(mutex);
  auto job = jobs.find(trial);
  if (job == jobs.end())
    return;
  job->second.isCancelled = true;
  bool isIdle =
      job->second.state != Job::Compiling && job->second.state != Job::Running;
  if (!isIdle)
    return;
  if (job->second.state == Job::Compiled)
    removeFolder(folderOf(trial));
  jobs.erase(job);
}

Result<std::vector<runtime::Samples>>
CommandRunner::compare(const std::vector<std::optional<std::string>> &texts,
                       uint64_t) {
  auto isStopped = [&] { return isClosing(); };
  return attempt([&] {
    std::vector<runtime::Samples> all;
    for (const std::optional<std::string> &text : texts) {
      if (!text)
        fail({ErrorCode::InvalidArgument, "there is no plain program"});
      Configuration configuration = need(readConfiguration(space, *text));
      std::string key = writeConfiguration(space, configuration);
      auto known = finalists.find(key);
      if (known == finalists.end()) {
        std::string folder =
            options.workFolder + "/final-" + std::to_string(finalists.size());
        Outcome compiled = compile(configuration, folder, "", isStopped);
        known = finalists.emplace(key, std::pair(folder, std::move(compiled)))
                    .first;
      }
      const auto &[folder, compiled] = known->second;
      if (compiled.status == Status::Ok)
        all.push_back(run(configuration, folder, "", isStopped));
      else
        all.emplace_back().outcome = compiled;
    }
    return all;
  });
}

//===----------------------------------------------------------------------===//
// CommandEvaluator
//===----------------------------------------------------------------------===//

Result<void> CommandEvaluator::validate(const Space &space,
                                        const CommandOptions &options) {
  return attempt([&] { CommandRunner(space, options).readOptions(); });
}

Result<std::unique_ptr<CommandEvaluator>>
CommandEvaluator::create(const Space &space, const CommandOptions &options) {
  return attempt([&]() -> std::unique_ptr<CommandEvaluator> {
    auto made = std::make_unique<CommandRunner>(space, options);
    made->readOptions();
    made->makeWorkFolder();
    return made;
  });
}

std::pair<std::string, std::string>
CommandEvaluator::linesOf(const Space &space, const CommandOptions &options,
                          const Configuration &configuration) {
  CommandRunner impl(space, options);
  Result<void> read = attempt([&] { impl.readOptions(); });
  assert(read && "the options are valid");
  return read ? impl.linesOf(configuration)
              : std::pair<std::string, std::string>();
}
