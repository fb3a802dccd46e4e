//===- ChildTiming.cpp - Timed executions of a candidate ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Timed executions: inputs change from one to the next, and outputs of the
// first ones are compared.
//
//===----------------------------------------------------------------------===//

#include "ChildKernel.h"

#include "baco/Runtime/CheckedCall.h"
#include "baco/Runtime/CodeSampler.h"
#include "baco/Runtime/MachineRates.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

using namespace baco;
using namespace baco::runtime;

void Child::execute(int64_t times) noexcept {
  sinceRestore += times;
  numExecutions += times;
  if (device)
    return executeOnDevice(times);
  // Executions whose outputs are compared have the same inputs.
  bool isSame = numExecutions <= probedExecutions;
  if (!isSame)
    operands->vary();
  if (isSame || !variesEach) {
    for (int64_t i = 0; i < times; ++i)
      kernel.entry(operands->pointers());
    return;
  }
  for (int64_t i = 0; i < times; ++i) {
    operands->vary();
    kernel.entry(operands->pointers());
  }
}

/// With nothing between executions by which a kernel could tell them from timed
/// ones: neither time nor what memory holds.
void Child::runAsTimed(const Check &check) {
  for (int i = 0; i < check.timedExecutions; ++i) {
    if (i > 0 && check.restoresOutputs)
      operands->restoreOutputs();
    if (i > 0)
      restoreState();
    operands->vary();
    kernel.entry(operands->pointers());
  }
  control.abiDamage |= findAbiDamage();
}

/// Compares the outputs of the last execution with those of the first. A
/// difference need not be wrong: the zygote compares it with the reference.
void Child::probe() {
  if (sinceRestore != 1 || numExecutions > probedExecutions || !firstOutputs ||
      hasOddOutputs || operands->holdOutputs(firstOutputs.get()))
    return;
  hasOddOutputs = true;
  control.oddExecution = static_cast<uint32_t>(numExecutions);
  operands->copyOutputs(context.outputs);
}

/// Short kernels are called many times in a sample, so that single executions
/// can't be compared. How short a kernel is, these executions say: the first
/// one has met page faults.
void Child::probeShortKernel() {
  constexpr double shortNs = 100e3, longNs = 2e6;
  if (control.executionNs > longNs)
    return;
  double leftNs = probedExecutions * shortNs;
  while (isProbing() && leftNs > 0) {
    restore();
    double start = clockNs();
    execute(1);
    leftNs -= clockNs() - start;
  }
  restore();
}

/// Moves the operands to their addresses for timing, if they aren't there.
void Child::prepareTiming() {
  if (std::exchange(areTimed, true))
    return;
  operands->protect(false);
  // It has held them before.
  if (!take(0))
    _exit(1);
  operands->use(arguments->signature(), arguments->inputs(), Addresses::Timed);
  operands->fill(false);
  restoreState();
  makeCopies();
  // Storing two elements takes about a nanosecond.
  constexpr double minShare = 500;
  variesEach = control.executionNs >=
               minShare * static_cast<double>(operands->numVaried());
  sinceRestore = 0;
}

/// The wall time, in nanoseconds, of a chain of multiplications that has the
/// same number of cycles wherever it runs and touches no memory: the least of
/// many tries within a millisecond. Each link waits for the one before, so that
/// another thread of the core doesn't slow it down, and a try is too short to
/// be interrupted often. Wide vectors lower the clock, by a sixth or so, until
/// up to 0.7 ms after them: that is the kernel's own doing, and must not be
/// taken for a change of the CPU's clock.
double runtime::timeReference() {
  constexpr int links = 8000;
  constexpr int64_t durationNs = 1000000;
  // Another process may have the CPU for longer than a millisecond.
  constexpr int minTries = 16;
  int64_t least = std::numeric_limits<int64_t>::max();
  int64_t begin = nowNs(), start = begin;
  for (int i = 0; i < minTries || start < begin + durationNs; ++i) {
    uint64_t value = least;
    for (int link = 0; link < links; ++link) {
      // A linear congruential generator (Knuth's MMIX); nothing else of the
      // chain can be computed ahead.
      value = value * 6364136223846793005u + 1442695040888963407u;
      asm volatile("" : "+r"(value));
    }
    int64_t end = nowNs();
    least = std::min(least, end - start);
    start = end;
  }
  return static_cast<double>(least);
}

/// Executions as in a slice: outputs and variables get their initial contents
/// as often, and whole executions are sampled.
void Child::sampleCode() {
  constexpr double totalUs = 60000, minPeriodUs = 250, batchUs = 50,
                   maxUs = 300000;
  double executionUs = std::max(control.executionNs / 1000, 1e-3);
  if (!(executionUs <= maxUs))
    return;
  auto batch =
      std::max<int64_t>(1, static_cast<int64_t>(batchUs / executionUs));
  int64_t perRestore = executionsPerRestore * batch;
  if (timerState.maxExecutions > 0)
    perRestore = std::min(perRestore, timerState.maxExecutions);
  batch = std::min(batch, perRestore);
  double executions = std::ceil(totalUs / executionUs);
  double periodUs =
      std::max(minPeriodUs, executions * executionUs / (maxCodeSamples / 1.25));
  restore();
  startSampling(control.places, reinterpret_cast<const void *>(kernel.entry),
                static_cast<int64_t>(periodUs));
  int64_t end = nowNs() + static_cast<int64_t>(1000 * totalUs);
  do {
    if (sinceRestore + batch > perRestore)
      restore();
    pauseSampling(false);
    execute(batch);
    pauseSampling(true);
  } while (nowNs() < end);
  control.numPlaces = static_cast<uint32_t>(stopSampling());
  restore();
}

/// The memory that an execution finds in the caches, or must load: with flushed
/// caches it comes from far away, however little it is.
static size_t bytesToRead(const Signature &signature, bool isFlushed) {
  if (isFlushed)
    return std::numeric_limits<size_t>::max();
  size_t bytes = 0;
  for (const Argument &argument : signature.arguments)
    bytes += argument.byteSize();
  return bytes;
}

void Child::time(const Command &command) {
  bool isFirst = timerState.executionNs == 0;
  if (isFirst)
    timerState.executionNs = control.executionNs;
  // One execution must not see what another one left in variables. They are
  // restored for all candidates, used or not, because restoring affects the
  // caches.
  if (!context.signature.variables.empty())
    timerState.maxExecutions = 1;
  control.oddExecution = 0;
  prepareTiming();
  if (device)
    returnToDevice();
  if (isFirst)
    probeShortKernel();
  // As in checks, and other contents each time.
  constexpr Filling fillings[] = {Filling::Huge, Filling::Zeros,
                                  Filling::HugeNegative, Filling::NotANumber};
  if (!device)
    poisonStack(patternOf(fillings[command.sequence % std::size(fillings)]));
  int64_t wallStart = nowNs(), cpuStart = threadCpuNs();
  control.numSamples =
      timeSlice({command.budgetNs, command.minSamples, command.precision,
                 command.hopelessNs, command.isFlushed, kernel.isParallel,
                 device ? minGpuSampleNs : minCpuSampleNs},
                control.samplesNs, timerState, *this);
  control.conditions.cpuNs = threadCpuNs() - cpuStart;
  control.conditions.wallNs = nowNs() - wallStart;
  // Now the CPU is awake.
  control.conditions.referenceNs =
      command.observesClock && !device ? timeReference() : 0;
  control.numPlaces = 0;
  if (command.samplesCode && !device)
    sampleCode();
  if (command.measuresRates && !device)
    control.rates = measureRates(
        bytesToRead(context.signature, command.isFlushed), kernel.isParallel);
  if (device)
    collectFromDevice();
  probe();
  control.abiDamage |= findAbiDamage();
  std::fesetenv(FE_DFL_ENV);
  control.executionNs = timerState.executionNs;
  if (!device)
    control.damagedArgument = operands->firstDamaged() + 1;
}
