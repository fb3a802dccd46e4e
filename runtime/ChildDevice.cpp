//===- ChildDevice.cpp - Calls of a kernel on a device --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operands stay in this process, and are copied to the device and back
// outside of all times. Its clock is the sum of the times between events.
//
//===----------------------------------------------------------------------===//

#include "ChildKernel.h"

#include <algorithm>
#include <cmath>
#include <unistd.h>
#include <utility>

using namespace baco;
using namespace baco::runtime;

/// Ends the command and this process if something failed.
void Child::expect(const std::optional<DeviceFailure> &failure) {
  if (!failure)
    return;
  control.deviceFailed = 1;
  control.deviceStatus = failure->status;
  leaveMessage(failure->message);
  complete(control, sequence);
  _exit(0);
}

void Child::loadOnDevice() {
  Result<DeviceProgram> program = kernel.launches(operands->pointers());
  if (!program)
    expect(DeviceFailure{Status::CompileFailed, program.error().message});
  expect(device->load(*program));
  // An assembler's report has more numbers than the driver's.
  if (!control.hasResources)
    control.resources = device->state().resources;
  control.hasResources = 1;
}

void Child::runOnDevice() {
  operands->use(arguments->signature(), arguments->inputs(), Addresses::Timed);
  operands->fill(false);
  // Launches may depend on scalars, which may differ in this check.
  loadOnDevice();
  expect(device->upload(operands->pointers(), /*outputsOnly=*/false));
  expect(device->execute(1, control.executionNs));
  collectFromDevice();
}

void Child::collectFromDevice() {
  expect(device->download(operands->pointers()));
  control.damagedArgument =
      std::max(control.damagedArgument.load(), device->state().damagedArgument);
  control.changedArgument =
      std::max(control.changedArgument.load(), device->state().changedArgument);
}

/// Another candidate may have had the device since.
void Child::returnToDevice() {
  loadOnDevice();
  expect(device->upload(operands->pointers(), /*outputsOnly=*/false));
}

void Child::executeOnDevice(int64_t times) {
  // Executions in one batch have the same inputs.
  if (numExecutions > probedExecutions) {
    operands->vary();
    for (std::span<std::byte> element : operands->variedElements())
      expect(device->poke(operands->pointers(), element));
  }
  double elapsedNs = 0;
  expect(
      device->execute(times, elapsedNs, std::exchange(flushesDevice, false)));
  deviceNs += std::llround(elapsedNs);
  if (sinceRestore == 1 && numExecutions <= probedExecutions)
    collectFromDevice();
}

void Child::restoreOnDevice() {
  operands->restoreOutputs();
  expect(device->upload(operands->pointers(), /*outputsOnly=*/true));
}
