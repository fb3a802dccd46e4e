//===- WorkerEvents.cpp - Events of the zygote's children -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Worker.h"

#include "baco/Protocol/Clock.h"
#include "baco/Runtime/CheckedCall.h"
#include "baco/Runtime/Team.h"
#include "baco/Verification/Operands.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <limits>
#include <numeric>

using namespace baco;
using namespace baco::runtime;

/// Whether it exceeds the limit that follows from other trials.
static bool isHopeless(const Contender &contender) {
  return contender.cpuLimitNs != Contender::noLimit &&
         contender.child->cpuNs() >= contender.cpuLimitNs;
}

void Worker::observe(Job &job, Contender &contender) {
  contender.child->drainOutput();
  // Ask before reading the answer: a child that answers and then ends has done
  // its work.
  bool ended = contender.child->hasEnded();
  if (contender.isBusy() && contender.child->hasCompleted()) {
    double elapsedNs = nowNs() - contender.startedNs;
    if (contender.phase != Phase::Compiling)
      contender.samples.outcome.runNs += elapsedNs;
    switch (contender.phase) {
    case Phase::Compiling:
      return onCompiled(job, contender);
    case Phase::Timing:
      return onTimed(contender);
    default:
      return onRun(job, contender);
    }
  }
  if (ended)
    return finishEnded(contender);
  if (contender.isBusy() &&
      (nowNs() >= contender.deadlineNs || isHopeless(contender))) {
    bool hangs = isOnDevice(job) && contender.phase != Phase::Compiling;
    finishLate(contender);
    // Nothing else ends a kernel.
    if (hangs)
      device->kill();
  }
}

/// A status that a failed compilation may have; its process may have written
/// anything.
static Status compilerStatus(Status status) {
  for (Status known : {Status::TransformFailed, Status::LaunchFailed,
                       Status::WrongResult, Status::DeviceFault})
    if (status == known)
      return known;
  return Status::CompileFailed;
}

/// The shares of limits, if they are such.
static std::vector<double> usageIn(const ControlBlock &control) {
  if (control.numLimits > maxLimits)
    return {};
  std::vector<double> usage(control.usage, control.usage + control.numLimits);
  bool areShares = std::ranges::all_of(
      usage, [](double share) { return std::isfinite(share) && share >= 0; });
  return areShares ? usage : std::vector<double>();
}

/// Keeps the object code of a candidate of a comparison.
void Worker::keepObject(const Contender &contender) {
  objects.try_emplace(contender.configuration,
                      KeptCode{contender.child->object()});
}

/// Lists the code of a candidate of a comparison, if it was sampled.
void Worker::listCode(const Contender &contender) {
  const ControlBlock &control = contender.child->control();
  auto kept = objects.find(contender.configuration);
  if (kept == objects.end() || kept->second.listing || control.numPlaces == 0)
    return;
  std::span places(control.places);
  kept->second.listing = compiler.list(
      kept->second.object,
      places.first(std::min<size_t>(control.numPlaces, maxCodeSamples)));
}

void Worker::onCompiled(const Job &job, Contender &contender) {
  const ControlBlock &control = contender.child->control();
  contender.samples.outcome.compileNs = control.compileNs;
  contender.samples.outcome.packNs = control.packNs;
  contender.samples.outcome.usage = usageIn(control);
  if (double cost = control.costBeyondLimits; std::isfinite(cost) && cost > 0)
    contender.samples.outcome.costBeyondLimits = cost;
  contender.phase = Phase::Compiled;
  contender.isParallel = control.isParallel;
  if (int32_t threads = control.leftThreads)
    return finish(contender, Status::Crashed,
                  "left threads behind after compiling (" +
                      std::to_string(threads) + " in all)");
  const char *end =
      std::find(std::begin(control.message), std::end(control.message), '\0');
  std::string message = firstLine(std::string(control.message, end));
  if (!control.compileFailed && compiler.isStatic()) {
    double cost = control.staticCost;
    if (!std::isfinite(cost) || cost <= 0)
      return finish(contender, Status::CompileFailed, "has no static cost");
    contender.samples.slicesNs.push_back({cost});
    if (control.hasResources)
      contender.samples.outcome.resources = control.resources;
    return finish(contender, Status::Ok, std::move(message));
  }
  if (!control.compileFailed) {
    if (job.kind == Job::Comparison && control.objectBytes > 0)
      keepObject(contender);
    if (job.kind == Job::Trial && !hasYardstick)
      contender.object = contender.child->object();
    // Loaded code has no object code.
    if (job.isReference() && control.objectBytes > 0)
      plainObjects[job.kind] = contender.child->object();
    return;
  }
  contender.child->drainOutput();
  if (message.empty())
    message = firstLine(contender.child->output());
  finish(contender, compilerStatus(control.compileStatus), std::move(message));
}

/// The place of an illegal write of the kernel, if there is one.
static std::optional<std::string> findDamage(const ControlBlock &control) {
  if (int32_t argument = control.damagedArgument)
    return "wrote outside argument " + std::to_string(argument - 1);
  if (int32_t argument = control.changedArgument)
    return "wrote to argument " + std::to_string(argument - 1) +
           ", which the plain kernel only reads";
  if (uint32_t states = control.abiDamage)
    return describeAbiDamage(states);
  return std::nullopt;
}

static constexpr const char *destroyedControl =
    "overwrote the control block of the measurement while running";

/// Whether the block has values that a child can write.
static bool isCredible(const ControlBlock &control,
                       const Signature &signature) {
  auto isArgument = [&](int32_t number) {
    return number >= 0 &&
           static_cast<size_t>(number) <= signature.arguments.size();
  };
  return isArgument(control.damagedArgument) &&
         isArgument(control.changedArgument);
}

/// Whether a kernel with right outputs must run again with its threads in
/// another order, in which a race has another result. For slow kernels, the one
/// pass that finds most races must suffice.
static bool needsAnotherPass(const Job &job, Contender &contender,
                             bool isAsTimed) {
  if (!contender.isParallel || job.isSetUp() || isAsTimed)
    return false;
  int passes =
      contender.executionNs <= slowKernelNs ? passesOfParallel : apartPass + 1;
  return ++contender.numPasses < passes;
}

void Worker::onRun(Job &job, Contender &contender) {
  const ControlBlock &control = contender.child->control();
  if (isOnDevice(job) && finishRefused(contender))
    return;
  if (!isCredible(control, signature))
    return finish(contender, Status::Crashed, destroyedControl);
  if (auto damage = findDamage(control))
    return finish(contender, Status::WrongResult, std::move(*damage));
  bool isSkipped = control.isSkipped;
  if (contender.numPasses == 0)
    contender.executionNs = control.executionNs;
  if (control.hasResources)
    contender.samples.outcome.resources = control.resources;
  bool isFirst = contender.check == 0 && contender.phase == Phase::Running;
  // A plain kernel that is slow isn't timed in any other way.
  if (job.kind == Job::Plain && isFirst) {
    if (clock.baseline() == 0)
      clock.setBaseline(control.conditions.referenceNs);
    addPlainTime(contender);
  }
  if (job.kind == Job::Reference && isFirst)
    referenceNs = control.executionNs;
  const std::byte *block = outputs.data();
  double miss = 0;
  Check &check = checks[contender.check];
  Reference &reference = check.reference;
  if (contender.phase == Phase::RunningForSizes) {
    reference.magnitude.assign(block, block + outputBytes);
  } else if (job.isReference()) {
    if (isSkipped)
      return finish(contender, Status::TransformFailed, "takes no such inputs");
    reference.expected.assign(block, block + outputBytes);
    reference.spread.clear();
    if (job.kind == Job::Reference && needsAbsoluteRun() && !job.keepsMagnitude)
      return command(job, contender, Command::RunAbsolute,
                     Phase::RunningForSizes);
    if (!job.keepsMagnitude)
      reference.magnitude = reference.expected;
  } else if (auto mismatch = isSkipped
                                 ? std::nullopt
                                 : findMismatch(signature, reference, block,
                                                options.tolerance, &miss)) {
    if (contender.numPasses > 0)
      *mismatch += ", but only if its threads run in another order: they race";
    else if (!check.name.empty())
      *mismatch += ", but only " + check.name;
    if (miss == 0 || job.isSetUp())
      return finish(contender, Status::WrongResult, std::move(*mismatch));
    if (miss > contender.narrowMiss) {
      contender.narrowMiss = miss;
      contender.mismatch = std::move(*mismatch);
    }
  }
  // The factor that would suffice is that of the worst check.
  if (!contender.mismatch.empty()) {
    if (++contender.check < checks.size())
      return command(job, contender, Command::Run, Phase::Running);
    contender.samples.outcome.narrowMiss = contender.narrowMiss;
    return finish(contender, Status::WrongResult,
                  std::move(contender.mismatch));
  }
  if (!isSkipped && needsAnotherPass(job, contender, check.timedExecutions > 0))
    return command(job, contender, Command::Run, contender.phase);
  contender.numPasses = 0;
  ++contender.check;
  bool hasNext = job.kind == Job::Perturbed
                     ? contender.check < checks.size()
                     : !job.isReference() && contender.check < numEarlyChecks;
  contender.phase = hasNext ? Phase::Compiled : Phase::Verified;
  if (!isFirst)
    return;
  // A kernel that runs for seconds is timed by its verification.
  double executionNs = contender.executionNs;
  if (job.isSetUp() || !(executionNs > slowKernelNs) ||
      !std::isfinite(executionNs))
    return;
  contender.samples.slicesNs.push_back({executionNs});
  contender.measuredNs = std::numeric_limits<double>::infinity();
}

void Worker::onTimed(Contender &contender) {
  const ControlBlock &control = contender.child->control();
  if (isOnDevice(*lease) && finishRefused(contender))
    return;
  if (!isCredible(control, signature))
    return finish(contender, Status::Crashed, destroyedControl);
  if (auto damage = findDamage(control))
    return finish(contender, Status::WrongResult, std::move(*damage));
  size_t count = std::min<size_t>(control.numSamples, maxSliceSamples);
  std::vector<double> samples(control.samplesNs, control.samplesNs + count);
  bool isSane =
      count > 0 && std::all_of(samples.begin(), samples.end(), [](double s) {
        return std::isfinite(s) && s >= 0;
      });
  if (!isSane)
    return finish(contender, Status::Crashed, destroyedControl);
  // Short executions share a sample, and their sum is less than the time taken.
  contender.measuredNs +=
      std::max(std::accumulate(samples.begin(), samples.end(), 0.0),
               lease->sliceMs(options.timing) * 1e6);
  contender.samples.slicesNs.push_back(std::move(samples));
  const MachineRates &rates = control.rates;
  if (lease->kind == Job::Comparison && std::isfinite(rates.flopsPerS) &&
      std::isfinite(rates.byteOpsPerS) && std::isfinite(rates.bytesPerS))
    contender.samples.rates = rates;
  if (lease->kind == Job::Comparison)
    listCode(contender);
  const Conditions &conditions = control.conditions;
  // The conditions of a device are not known.
  if (!device && std::isfinite(conditions.referenceNs + conditions.wallNs +
                               conditions.cpuNs))
    contender.samples.conditions.push_back(conditions);
  if (lease == yardstick)
    addToClock(contender);
  contender.phase = Phase::Verified;
  if (uint32_t odd = control.oddExecution)
    checkOdd(contender, odd);
}

/// A lower bound on the time of an execution on any machine, from storing and
/// computing its results.
Worker::LeastTime Worker::minTime(const Contender &contender) const {
  // At a clock that no machine reaches, because the measured clock may be
  // wrong. Twice what the fastest machines store in their first caches; and two
  // multiply-adds of 64 bytes, which nothing does more of in full precision: a
  // product by units for matrices of bf16 takes several of theirs.
  constexpr double cycleNs = 1 / 8.0, storedPerCycle = 128,
                   productsPerCycle = 128, minShare = 1 / 4.0;
  double threads = contender.isParallel ? 1.0 + teamCpus.size() : 1.0;
  double storing = static_cast<double>(storedBytes) / storedPerCycle,
         computing = minShare * productBytes / productsPerCycle;
  return {std::max(storing, computing) * cycleNs / threads,
          computing > storing};
}

/// A candidate below this bound can't compute its results in every execution.
void Worker::checkTime(Contender &contender) {
  Outcome &outcome = contender.samples.outcome;
  LeastTime least = minTime(contender);
  if (!contender.configuration || outcome.timeNs >= least.ns)
    return;
  std::string work = least.isForProducts
                         ? "its multiplications and additions alone take"
                         : "storing the results alone (" +
                               std::to_string(storedBytes) + " bytes) takes";
  char text[200];
  std::snprintf(text, sizeof text,
                "an execution takes %.3g ns, but %s %.3g ns on any CPU: it "
                "does not compute its results each time",
                outcome.timeNs, work.c_str(), least.ns);
  outcome.status = Status::WrongResult;
  outcome.message = text;
  outcome.timeNs = std::numeric_limits<double>::quiet_NaN();
}

/// Compares an execution on the inputs of the first one whose outputs differ
/// from it.
void Worker::checkOdd(Contender &contender, uint32_t number) {
  auto mismatch = findMismatch(signature, checks[0].reference, outputs.data(),
                               options.tolerance);
  if (mismatch)
    finish(contender, Status::WrongResult,
           *mismatch + ", but only in execution " + std::to_string(number) +
               " on the same inputs");
}

/// The next candidate doesn't wait until this one's process is gone, which
/// takes longer than all else that it waits for, unless it might need its
/// memory.
void Worker::endChild(Contender &contender) {
  constexpr size_t smallBytes = 256 << 20, maxEnding = 4;
  if (device)
    device->forget(contender.child->pid());
  if (Operands::usedBytes(signature) > smallBytes)
    return contender.child.reset();
  contender.child->kill();
  ending.push_back(std::move(contender.child));
  if (ending.size() > maxEnding)
    ending.pop_front();
}

void Worker::finish(Contender &contender, Status status, std::string message) {
  endChild(contender);
  contender.samples.outcome.status = status;
  contender.samples.outcome.message = std::move(message);
  bury(contender);
}

void Worker::finishEnded(Contender &contender) {
  bool wasBusy = contender.isBusy();
  ProcessEnd end = contender.child->end();
  hasTrapped = end.signal == SIGFPE;
  if (end.signal == SIGABRT && contender.phase != Phase::Compiling)
    abortText = firstLine(contender.child->output());
  Outcome described =
      describeEnd(end, *contender.child, contender.phase, options.limits);
  Outcome &outcome = contender.samples.outcome;
  // The wait for its turn isn't counted.
  if (wasBusy)
    (contender.phase == Phase::Compiling ? outcome.compileNs : outcome.runNs) +=
        nowNs() - contender.startedNs;
  outcome.status = described.status;
  outcome.message = std::move(described.message);
  // It was killed by a write to read-only memory.
  const ControlBlock &control = contender.child->control();
  if (end.signal == SIGSEGV && isCredible(control, signature))
    if (auto damage = findDamage(control)) {
      outcome.status = Status::WrongResult;
      outcome.message = std::move(*damage);
    }
  bury(contender);
}

void Worker::finishLate(Contender &contender) {
  int64_t elapsedNs = nowNs() - contender.startedNs;
  Outcome &outcome = contender.samples.outcome;
  bool isCompiling = contender.phase == Phase::Compiling;
  (isCompiling ? outcome.compileNs : outcome.runNs) += elapsedNs;
  std::string message =
      std::string("still ") + (isCompiling ? "compiling" : "running");
  // Phases before this one have used up the time, not this one alone.
  if (contender.deadlineNs == setupDeadlineNs)
    message += " when the time for the set-up was over";
  else
    message += " after " + std::to_string(elapsedNs / 1000000) + " ms";
  if (isHopeless(contender))
    message += isCompiling ? ", far longer than other candidates"
                           : ", far longer than the best candidate";
  finish(contender, Status::TimedOut, std::move(message));
}

/// Releases a process that was ended.
void Worker::bury(Contender &contender) {
  contender.child.reset();
  contender.phase = Phase::Ended;
  Outcome &outcome = contender.samples.outcome;
  if (outcome.status == Status::Ok) {
    summarize(contender.samples);
    // The bounds are those of CPUs.
    if (!compiler.isStatic() && !device)
      checkTime(contender);
  }
  if (outcome.status != Status::Ok)
    contender.samples.slicesNs.clear();
}
