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
#include "baco/Support/CostUnit.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <poll.h>
#include <thread>

#include <nlohmann/json.hpp>

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
  Outcome outcome = {};
  /// An error of the environment.
  std::optional<Error> error = {};
};
} // namespace

class CommandEvaluator::Impl {
public:
  Impl(const Space &space, const CommandOptions &options)
      : options(options), space(space) {}
  ~Impl();

  Result<void> readOptions();
  Result<void> makeWorkFolder();
  void submit(uint64_t trial, const Configuration &configuration);
  Result<Outcome> wait(uint64_t trial);
  void cancel(uint64_t trial);
  std::pair<std::string, std::string>
  linesOf(const Configuration &configuration) const {
    return {compileLine ? compileLine->expand(configuration, ".") : "",
            runLine.expand(configuration, ".")};
  }
  Result<std::vector<runtime::Samples>>
  compare(const std::vector<Configuration> &configurations);
  Result<std::vector<runtime::Samples>>
  compare(const std::vector<std::optional<std::string>> &texts);
  bool isStopRequested() const { return options.stop && options.stop->load(); }

  std::atomic<double> waitedSeconds = 0;
  std::atomic<bool> compiledElsewhere = false;
  const CommandOptions options;

private:
  using Environment = std::vector<std::pair<std::string, std::string>>;

  void start();
  void work(Job::State from, Job::State during);
  bool isClosing() const {
    return closes || (options.stop && options.stop->load());
  }

  Result<void> makeFolder(const Configuration &configuration,
                          const std::string &folder) const;
  Environment environmentOf(const CommandTemplate &line,
                            const Configuration &configuration,
                            const std::string &folder) const;
  std::string folderOf(uint64_t trial) const {
    return options.workFolder + "/trial-" + std::to_string(trial);
  }
  void removeFolder(const std::string &folder) const;
  Result<Outcome> compile(const Configuration &configuration,
                          const std::string &folder, const std::string &log,
                          const std::function<bool()> &isStopped);
  Result<runtime::Samples> run(const Configuration &configuration,
                               const std::string &folder,
                               const std::string &log,
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
  bool takeLease(runtime::CpuLease &lease,
                 const std::function<bool()> &isStopped);

  const Space space;
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

//===----------------------------------------------------------------------===//
// Set-up
//===----------------------------------------------------------------------===//

static Error wrongOption(const std::string &option, const std::string &what) {
  return {ErrorCode::InvalidArgument, "--" + option + ": " + what};
}

Result<void> CommandEvaluator::Impl::readOptions() {
  if (options.run.empty())
    return wrongOption("run", "there is no command to run");
  if (options.repeat < 1)
    return wrongOption("repeat", "a candidate runs at least once");
  if (!options.compile.empty()) {
    Result<CommandTemplate> line =
        CommandTemplate::parse(options.compile, space);
    if (!line)
      return wrongOption("compile", line.error().message);
    compileLine = std::move(*line);
  }
  Result<CommandTemplate> line = CommandTemplate::parse(options.run, space);
  if (!line)
    return wrongOption("run", line.error().message);
  runLine = std::move(*line);
  Result<ResultReader> result =
      ResultReader::parse(options.result, space, options.objectives.names());
  if (!result)
    return wrongOption("result", result.error().message);
  reader = std::move(*result);
  Result<FailureRules> parsed = FailureRules::parse(options.failures);
  if (!parsed)
    return wrongOption("failures", parsed.error().message);
  rules = std::move(*parsed);
  bool needsPlainFolder = runLine.needsPlainFolder() ||
                          (compileLine && compileLine->needsPlainFolder());
  if (needsPlainFolder && !isPlainWord(options.workFolder))
    return wrongOption(
        "run", "'{dir}' is behind a command substitution, and the folder '" +
                   options.workFolder +
                   "' has characters that mean something to a shell; write "
                   "\"$BACO_DIR\", or choose another --output-dir");
  return {};
}

Result<void> CommandEvaluator::Impl::makeWorkFolder() {
  std::error_code failed;
  std::filesystem::create_directories(options.workFolder, failed);
  if (failed)
    return Error{ErrorCode::IOError, "cannot make the folder '" +
                                         options.workFolder +
                                         "': " + failed.message()};
  hasWorkFolder = true;
  return {};
}

CommandEvaluator::Impl::~Impl() {
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

void CommandEvaluator::Impl::start() {
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

CommandEvaluator::Impl::Environment
CommandEvaluator::Impl::environmentOf(const CommandTemplate &line,
                                      const Configuration &configuration,
                                      const std::string &folder) const {
  Environment environment = line.variables(configuration, folder);
  environment.emplace_back("BACO_CONFIG", folder + "/config.json");
  for (size_t i = 0; i < configuration.size(); ++i)
    environment.emplace_back(variableName(space.parameters()[i].name()),
                             valueText(configuration[i]));
  return environment;
}

Result<void>
CommandEvaluator::Impl::makeFolder(const Configuration &configuration,
                                   const std::string &folder) const {
  // A tuner that was killed may have left one.
  removeFolder(folder);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    return Error{ErrorCode::IOError, "cannot make the folder '" + folder +
                                         "': " + failed.message()};
  return database::writeFileAtomically(
      folder + "/config.json", writeConfiguration(space, configuration) + "\n");
}

void CommandEvaluator::Impl::removeFolder(const std::string &folder) const {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

/// Logs help people, and a candidate counts without one.
void CommandEvaluator::Impl::writeLog(const std::string &log,
                                      const std::string &line,
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
std::optional<Outcome> CommandEvaluator::Impl::failureOf(const CommandEnd &end,
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
CommandEvaluator::Impl::readResults(const CommandEnd &end,
                                    const Configuration &configuration,
                                    const std::string &folder) const {
  Result<std::vector<double>> values = reader.read(end, configuration, folder);
  if (values && reader.isElapsed())
    values->front() /= timeUnitNs();
  return values;
}

/// The outcome of a candidate with these results.
Outcome CommandEvaluator::Impl::judge(const std::vector<double> &values) const {
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
Result<Outcome> CommandEvaluator::Impl::compile(
    const Configuration &configuration, const std::string &folder,
    const std::string &log, const std::function<bool()> &isStopped) {
  if (Result<void> made = makeFolder(configuration, folder); !made)
    return made.error();
  Outcome outcome;
  outcome.status = Status::Ok;
  if (!compileLine)
    return outcome;
  Result<CommandEnd> end =
      runCommand(compileLine->lineOf(configuration),
                 environmentOf(*compileLine, configuration, folder),
                 {options.compileTimeoutMs, options.maxOutputBytes}, isStopped);
  if (!end)
    return end.error();
  if (std::optional<Outcome> failure = failureOf(*end, Status::CompileFailed)) {
    outcome = std::move(*failure);
    writeLog(log, compileLine->expand(configuration, folder), *end, outcome);
  } else {
    std::error_code failed;
    std::filesystem::directory_iterator files(folder, failed);
    // The configuration is always there.
    bool isEmpty = std::distance(files, decltype(files)()) == 1;
    compiledElsewhere = compiledElsewhere || isEmpty;
  }
  outcome.compileNs = end->wallNs;
  return outcome;
}

/// Waits for the lease; false if that is given up.
bool CommandEvaluator::Impl::takeLease(runtime::CpuLease &lease,
                                       const std::function<bool()> &isStopped) {
  int64_t begin = nowNs();
  while (!lease.acquire()) {
    if (isStopped())
      return false;
    constexpr int intervalMs = 20;
    pollfd entry = {lease.descriptor(), POLLIN, 0};
    poll(&entry, 1, intervalMs);
  }
  waitedSeconds = waitedSeconds + double(nowNs() - begin) * 1e-9;
  return true;
}

Result<runtime::Samples>
CommandEvaluator::Impl::run(const Configuration &configuration,
                            const std::string &folder, const std::string &log,
                            const std::function<bool()> &isStopped) {
  runtime::Samples samples;
  Outcome &outcome = samples.outcome;
  runtime::CpuLease lease(options.cpu);
  if (!takeLease(lease, isStopped))
    return samples;
  std::string line = runLine.lineOf(configuration);
  Environment environment = environmentOf(runLine, configuration, folder);
  std::vector<double> &values = samples.slicesNs.emplace_back();
  std::vector<std::vector<double>> all;
  runtime::Conditions &conditions = samples.conditions.emplace_back();
  for (uint64_t i = 0; i < options.repeat; ++i) {
    reader.prepare(configuration, folder);
    Result<CommandEnd> end =
        runCommand(line, environment,
                   {options.runTimeoutMs, options.maxOutputBytes}, isStopped);
    if (!end)
      return end.error();
    conditions.wallNs += end->wallNs;
    conditions.cpuNs += end->cpuNs;
    std::optional<Outcome> failure = failureOf(*end, Status::Crashed);
    if (!failure) {
      Result<std::vector<double>> results =
          readResults(*end, configuration, folder);
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
    writeLog(log, runLine.expand(configuration, folder), *end, outcome);
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
bool CommandEvaluator::Impl::compileJob(uint64_t trial, Job &job) {
  Result<Outcome> compiled =
      compile(job.configuration, folderOf(trial), logOf(trial),
              [&] { return job.isCancelled || isClosing(); });
  if (!compiled)
    job.error = compiled.error();
  else
    job.outcome = std::move(*compiled);
  return compiled && job.outcome.status == Status::Ok;
}

void CommandEvaluator::Impl::runJob(uint64_t trial, Job &job) {
  Result<runtime::Samples> ran =
      run(job.configuration, folderOf(trial), logOf(trial),
          [&] { return job.isCancelled || isClosing(); });
  if (!ran) {
    job.error = ran.error();
    return;
  }
  ran->outcome.compileNs = job.outcome.compileNs;
  job.outcome = std::move(ran->outcome);
}

/// The loop of a thread that takes jobs in state `from`.
void CommandEvaluator::Impl::work(Job::State from, Job::State during) {
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

void CommandEvaluator::Impl::submit(uint64_t trial,
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
}

Result<Outcome> CommandEvaluator::Impl::wait(uint64_t trial) {
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
  std::optional<Error> error = std::move(job->second.error);
  Outcome outcome = std::move(job->second.outcome);
  jobs.erase(job);
  if (error)
    return *error;
  return outcome;
}

void CommandEvaluator::Impl::cancel(uint64_t trial) {
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

Result<std::vector<runtime::Samples>> CommandEvaluator::Impl::compare(
    const std::vector<Configuration> &configurations) {
  std::vector<runtime::Samples> all;
  auto isStopped = [&] { return isClosing(); };
  for (const Configuration &configuration : configurations) {
    std::string key = writeConfiguration(space, configuration);
    auto known = finalists.find(key);
    if (known == finalists.end()) {
      std::string folder =
          options.workFolder + "/final-" + std::to_string(finalists.size());
      Result<Outcome> compiled = compile(configuration, folder, "", isStopped);
      if (!compiled)
        return compiled.error();
      known =
          finalists.emplace(key, std::pair(folder, std::move(*compiled))).first;
    }
    const auto &[folder, compiled] = known->second;
    if (compiled.status != Status::Ok) {
      all.emplace_back().outcome = compiled;
      continue;
    }
    Result<runtime::Samples> ran = run(configuration, folder, "", isStopped);
    if (!ran)
      return ran.error();
    all.push_back(std::move(*ran));
  }
  return all;
}

//===----------------------------------------------------------------------===//
// CommandEvaluator
//===----------------------------------------------------------------------===//

CommandEvaluator::CommandEvaluator(std::unique_ptr<Impl> impl)
    : impl(std::move(impl)) {}
CommandEvaluator::~CommandEvaluator() = default;

Result<void> CommandEvaluator::validate(const Space &space,
                                        const CommandOptions &options) {
  return Impl(space, options).readOptions();
}

Result<std::unique_ptr<CommandEvaluator>>
CommandEvaluator::create(const Space &space, const CommandOptions &options) {
  auto impl = std::make_unique<Impl>(space, options);
  if (Result<void> read = impl->readOptions(); !read)
    return read.error();
  if (Result<void> made = impl->makeWorkFolder(); !made)
    return made.error();
  return std::unique_ptr<CommandEvaluator>(
      new CommandEvaluator(std::move(impl)));
}

Result<void> CommandEvaluator::submit(uint64_t trial,
                                      const Configuration &configuration) {
  impl->submit(trial, configuration);
  return {};
}

Result<Outcome> CommandEvaluator::wait(uint64_t trial) {
  return impl->wait(trial);
}

void CommandEvaluator::cancel(uint64_t trial) { impl->cancel(trial); }

std::string CommandEvaluator::fingerprint() const {
  return fingerprintOf(impl->options);
}

std::pair<std::string, std::string>
CommandEvaluator::linesOf(const Space &space, const CommandOptions &options,
                          const Configuration &configuration) {
  Impl impl(space, options);
  Result<void> read = impl.readOptions();
  assert(read && "the options are valid");
  return read ? impl.linesOf(configuration)
              : std::pair<std::string, std::string>();
}

Result<std::vector<runtime::Samples>> CommandEvaluator::Impl::compare(
    const std::vector<std::optional<std::string>> &texts) {
  std::vector<Configuration> configurations;
  for (const std::optional<std::string> &text : texts) {
    Result<Configuration> configuration =
        text ? readConfiguration(space, *text)
             : Error{ErrorCode::InvalidArgument, "there is no plain program"};
    if (!configuration)
      return configuration.error();
    configurations.push_back(std::move(*configuration));
  }
  return compare(configurations);
}

namespace {
/// Turns of finalists.
template <typename Commands>
class CommandRounds : public measure::SideBySide {
public:
  explicit CommandRounds(Commands &commands) : commands(commands) {}

  Result<std::vector<measure::Samples>>
  compare(const std::vector<std::optional<std::string>> &texts,
          uint64_t) override {
    return commands.compare(texts);
  }
  bool stopRequested() const override { return commands.isStopRequested(); }

private:
  Commands &commands;
};
} // namespace

Result<measure::Comparison>
CommandEvaluator::compare(const std::vector<measure::Finalist> &finalists,
                          const measure::RoundsOptions &rounds) {
  CommandRounds measurer(*impl);
  return measure::compareInRounds(measurer, finalists, rounds);
}

double CommandEvaluator::waitedSeconds() const { return impl->waitedSeconds; }

bool CommandEvaluator::compiledElsewhere() const {
  return impl->compiledElsewhere;
}
