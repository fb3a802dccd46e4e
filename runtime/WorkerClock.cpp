//===- WorkerClock.cpp - Times at one clock -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Worker.h"

#include "baco/Verification/Operands.h"

#include <algorithm>
#include <utility>

using namespace baco;
using namespace baco::runtime;

/// Whether the time of a trial can be corrected for the clock. A candidate that
/// was timed by its verification runs so long that the clock changes many
/// times.
static bool hasClock(const Contender &contender) {
  const Samples &samples = contender.samples;
  return samples.outcome.status == Status::Ok && !samples.conditions.empty();
}

/// Whether a trial that is done waits until the yardstick was timed at its
/// clock.
bool Worker::awaitsYardstick(Job &trial) {
  const Contender &contender = trial.contenders.front();
  if (!yardstick || !hasClock(contender) || contender.isParallel)
    return false;
  if (trial.awaitsYardstick)
    return !yardstick->isIdle();
  lastReferenceNs = contender.samples.conditions.front().referenceNs;
  if (!yardstick->isIdle() || !clock.wantsBlock(lastReferenceNs))
    return false;
  ++yardstick->wantedTurns;
  trial.awaitsYardstick = true;
  return true;
}

/// Gives the time of a trial at the clock's baseline.
void Worker::normalize(Job &trial) {
  Contender &contender = trial.contenders.front();
  // The yardstick ran for the trials: count its time as theirs.
  if (yardstick)
    contender.samples.outcome.runNs +=
        std::exchange(yardstick->contenders.front().samples.outcome.runNs, 0.0);
  if (!hasClock(contender))
    return;
  Conditions &conditions = contender.samples.conditions.front();
  lastReferenceNs = conditions.referenceNs;
  if (clock.baseline() == 0)
    clock.setBaseline(conditions.referenceNs);
  // Several CPUs have several clocks.
  ClockCorrection correction = contender.isParallel
                                   ? clock.ignore(conditions.referenceNs)
                                   : clock.correct(conditions.referenceNs);
  conditions.clockFactor = correction.factor;
  conditions.clockError = correction.error;
  contender.samples.outcome.timeNs *= correction.factor;
  chooseYardstick(contender);
}

/// Learns from the last slice of the yardstick.
void Worker::addToClock(const Contender &contender) {
  const Samples &samples = contender.samples;
  if (!samples.conditions.empty())
    clock.addBlock(samples.conditions.back().referenceNs,
                   median(samples.slicesNs.back()));
}

/// Makes the candidate of a trial that was right the yardstick, if none was
/// chosen before.
void Worker::chooseYardstick(Contender &contender) {
  // The yardstick keeps its memory and takes little time beside the trials.
  constexpr size_t maxBytes = 256 << 20;
  constexpr double maxNs = 100e6;
  if (hasYardstick || contender.isParallel ||
      Operands::usedBytes(signature) > maxBytes ||
      contender.samples.outcome.timeNs > maxNs)
    return;
  hasYardstick = true;
  // Trials wait for it.
  yardstick = &jobs.emplace_front();
  yardstick->kind = Job::Yardstick;
  Contender &measured = yardstick->contenders.emplace_back();
  measured.configuration = contender.configuration;
  measured.object = std::move(contender.object);
}

/// Ends it, because comparisons need the machine exclusively.
void Worker::endYardstick() {
  if (!yardstick)
    return;
  if (lease == yardstick)
    endLease();
  for (Contender &contender : yardstick->contenders)
    if (contender.child)
      endChild(contender);
  jobs.remove_if([&](const Job &job) { return &job == yardstick; });
  yardstick = nullptr;
}
