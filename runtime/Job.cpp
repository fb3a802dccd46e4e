//===- Job.cpp - Jobs of a worker -----------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Job.h"

#include "baco/Runtime/SystemCalls.h"
#include "baco/Verification/Operands.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <limits>

using namespace baco;
using namespace baco::runtime;

bool Contender::isBusy() const {
  return phase == Phase::Compiling || phase == Phase::Running ||
         phase == Phase::RunningForSizes || phase == Phase::Timing;
}

bool Job::isDone() const {
  return std::all_of(
      contenders.begin(), contenders.end(),
      [](const Contender &c) { return c.phase == Phase::Ended; });
}

bool Job::isIdle() const {
  return kind == Yardstick && contenders.front().phase == Phase::Verified &&
         contenders.front().samples.slicesNs.size() >= wantedTurns;
}

bool Job::isReady() const {
  if (isIdle())
    return false;
  return !isDone() && std::all_of(contenders.begin(), contenders.end(),
                                  [](const Contender &c) {
                                    return c.phase != Phase::Queued &&
                                           c.phase != Phase::Compiling;
                                  });
}

bool Job::isParallel() const {
  return std::any_of(contenders.begin(), contenders.end(),
                     [](const Contender &c) { return c.isParallel; });
}

void Job::limitContenders(const Signature &signature, double availableBytes) {
  // Leave some memory for what the candidates allocate.
  constexpr double usableShare = 0.9;
  double bytesEach = static_cast<double>(Operands::usedBytes(signature));
  double fitting = std::max(1.0, usableShare * availableBytes / bytesEach);
  for (size_t i = 0; i < contenders.size(); ++i) {
    if (static_cast<double>(i + 1) <= fitting)
      continue;
    Outcome &outcome = contenders[i].samples.outcome;
    outcome.status = Status::Lost;
    outcome.timeNs = std::numeric_limits<double>::quiet_NaN();
    outcome.message =
        "not compared: memory suffices for the arguments of only " +
        std::to_string(static_cast<size_t>(fitting)) + " of " +
        std::to_string(contenders.size()) +
        " candidates at a time; compare fewer, or use smaller shapes";
    contenders[i].phase = Phase::Ended;
  }
}

/// Whether the time of a contender is known well enough from its turns.
static bool isSteady(const Contender &contender) {
  // The least difference that is reported; there are several rounds.
  constexpr double wantedError = 0.005;
  // Fewer don't show the variation.
  constexpr size_t minTurns = 2;
  std::vector<double> turns;
  for (const std::vector<double> &slice : contender.samples.slicesNs)
    turns.push_back(median(slice));
  if (turns.size() < minTurns)
    return false;
  // The standard error of a median of normal values, by their quartiles.
  double deviation = (quantile(turns, 0.75) - quantile(turns, 0.25)) / 1.349;
  double error = 1.253 * deviation / std::sqrt(turns.size());
  return error <= wantedError * median(std::move(turns));
}

double Job::sliceMs(const Timing &timing) const {
  if (kind != Comparison && kind != Yardstick)
    return timing.trialMs;
  constexpr double wantedExecutions = 12;
  double executionNs = 0;
  for (const Contender &contender : contenders)
    executionNs =
        std::max(executionNs, contender.samples.slicesNs.empty()
                                  ? contender.executionNs
                                  : median(contender.samples.slicesNs.back()));
  double longestMs = maxSliceStretch * timing.sliceMs;
  if (kind == Yardstick)
    return longestMs;
  return std::clamp(wantedExecutions * executionNs * 1e-6, timing.sliceMs,
                    longestMs);
}

double Job::wantedNs(const Timing &timing) const {
  double minNs = timing.comparisonMs * 1e6;
  bool variesMuch = false;
  for (const Contender &contender : contenders) {
    if (contender.phase != Phase::Verified)
      continue;
    if (contender.measuredNs < minNs)
      return minNs;
    variesMuch |= !isSteady(contender);
  }
  return variesMuch ? maxComparisonStretch * minNs : minNs;
}

Contender *Job::nextTurn(const Timing &timing) {
  if (isReference())
    return nullptr;
  double comparedNs = kind == Comparison ? wantedNs(timing) : 0;
  Contender *next = nullptr;
  for (Contender &contender : contenders) {
    if (contender.phase != Phase::Verified)
      continue;
    size_t turns = contender.samples.slicesNs.size();
    bool isTimed = kind == Yardstick
                       ? turns >= wantedTurns
                       : turns > 0 && (kind != Comparison ||
                                       contender.measuredNs >= comparedNs);
    if (isTimed)
      continue;
    // Fewest turns first, then the order of the comparison: round robin.
    if (!next || turns < next->samples.slicesNs.size())
      next = &contender;
  }
  return next;
}

std::string runtime::firstLine(const std::string &text) {
  constexpr size_t maxLength = 400;
  std::string line;
  for (char c : text) {
    if (c == '\n' && line.find_first_not_of(' ') != std::string::npos)
      break;
    if (c == '\n')
      line.clear();
    else if (static_cast<unsigned char>(c) < ' ' || c == 127)
      line += ' ';
    else
      line += c;
  }
  line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
  if (line.size() > maxLength)
    line = line.substr(0, maxLength) + "...";
  return line;
}

Outcome runtime::describeEnd(const ProcessEnd &end, const ChildProcess &child,
                             Phase phase, const Limits &limits) {
  std::string when =
      phase == Phase::Compiling ? " while compiling" : " while running";
  std::string words = firstLine(child.output());
  if (!words.empty())
    words = ": " + words;
  Outcome outcome;
  outcome.timeNs = std::numeric_limits<double>::quiet_NaN();
  auto is = [&](Status status, const std::string &what) {
    outcome.status = status;
    outcome.message = what + words;
    return outcome;
  };

  const ControlBlock &control = child.control();
  std::string refused(
      control.setUpFailure,
      strnlen(control.setUpFailure, sizeof control.setUpFailure));
  // A kernel may have overwritten it before it crashed.
  bool isOwnExit = end.signal == 0 && end.exitCode == 1;
  if (!refused.empty() && isOwnExit)
    return is(Status::Lost,
              "the system denies a candidate's process what it needs (" +
                  firstLine(refused) +
                  "): run where processes may install seccomp filters and set "
                  "limits");
  if (control.outOfMemory == 1)
    return is(Status::OutOfMemory, "ran out of memory" + when + " (limit " +
                                       std::to_string(limits.memoryLimitMiB) +
                                       " MiB)");
  if (int64_t call = control.forbiddenCall;
      call != 0 && (isOwnExit || end.signal == SIGSYS))
    return is(Status::Crashed, "called the forbidden system call " +
                                   describeSystemCall(call - 1) + when);
  // The candidate had blocked the signal, so that the handler couldn't record
  // the call.
  if (end.signal == SIGSYS)
    return is(Status::Crashed, "called a forbidden system call" + when);
  if (end.signal == SIGXCPU || end.isForCpuTime)
    return is(Status::TimedOut, "used up its CPU time" + when);
  if (end.isForMemory)
    return is(Status::OutOfMemory,
              "killed by the system for lack of memory" + when);
  // A candidate can't send it.
  if (end.signal == SIGKILL)
    return is(Status::Lost, "killed from outside by SIGKILL" + when);
  if (end.signal != 0) {
    const char *name = sigabbrev_np(end.signal);
    return is(Status::Crashed,
              "died of " +
                  (name ? std::string("SIG") + name
                        : "signal " + std::to_string(end.signal)) +
                  when);
  }
  return is(Status::Crashed,
            "exited with code " + std::to_string(end.exitCode) + when);
}
