//===- WorkerDevice.cpp - Candidates on a device --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is different where candidates don't run on the CPU: one process has the
// device for all of them, and the CPU only computes the reference.
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Worker.h"

#include "baco/Protocol/Clock.h"

#include <algorithm>

using namespace baco;
using namespace baco::runtime;

Result<void> Worker::openDevice() {
  std::optional<DeviceOptions> wanted = compiler.device();
  if (!wanted)
    return {};
  auto started = DeviceProcess::start(*wanted, signature);
  if (!started)
    return started.error();
  device = std::move(*started);
  deviceLease.emplace(std::string(device->state().uuid));
  return {};
}

std::string Worker::deviceName() const {
  return device ? device->state().device : "";
}

/// The plain kernel, one thread for each element, is only reported: where it
/// fails, the reference is still that of the CPU.
Outcome Worker::measurePlainOnDevice() {
  plainNs = referenceNs;
  Outcome plain = runPlain(Job::Plain);
  if (plain.status == Status::Ok)
    plainNs = plain.timeNs;
  return plain;
}

/// Ends a candidate whose command the device has refused; whether it has.
bool Worker::finishRefused(Contender &contender) {
  const ControlBlock &control = contender.child->control();
  if (!control.deviceFailed)
    return false;
  Status status = Status::Lost;
  for (Status known : {Status::CompileFailed, Status::LaunchFailed,
                       Status::OutOfMemory, Status::DeviceFault})
    if (control.deviceStatus == known)
      status = known;
  const char *end =
      std::find(std::begin(control.message), std::end(control.message), '\0');
  finish(contender, status, firstLine(std::string(control.message, end)));
  return true;
}

/// Reaps a process that has ended by itself, so that its end, which can be
/// polled as long as it is there, is one event; and ends the candidate that
/// waits for it. The next command starts another one.
void Worker::watchDevice() {
  if (device->pid() < 0 || device->processDescriptor() < 0 ||
      !device->hasEnded())
    return;
  std::string end = device->describeEnd();
  if (!lease || !isOnDevice(*lease))
    return;
  auto waits = [](const Contender &contender) {
    return contender.isBusy() && contender.phase != Phase::Compiling;
  };
  auto busy = std::ranges::find_if(lease->contenders, waits);
  if (busy == lease->contenders.end())
    return;
  busy->samples.outcome.runNs += static_cast<double>(nowNs() - busy->startedNs);
  finish(*busy, Status::DeviceFault,
         "the process with the device " + end + " while running");
}
