//===- ChildKernel.h - A compiled candidate in its process ---- -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The calls of a kernel in a child: checked and timed ones. Child.cpp has the
// preceding phases, ChildRun.cpp the surroundings of a checked call,
// ChildTiming.cpp those of timed ones.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_CHILDKERNEL_H
#define BACO_RUNTIME_CHILDKERNEL_H

#include "CodeArguments.h"

#include "baco/Device/DeviceLink.h"
#include "baco/Protocol/Clock.h"
#include "baco/Runtime/Child.h"
#include "baco/Runtime/Team.h"
#include "baco/Runtime/Timer.h"
#include "baco/Verification/Operands.h"

#include <memory>
#include <vector>

namespace baco::runtime {

/// A compiled candidate in its process.
class Child {
public:
  Child(const ChildContext &context, bool isPlain, ControlBlock &control,
        std::byte *objectBlock)
      : context(context), isPlain(isPlain), control(control),
        objectBlock(objectBlock) {}

  /// Fills the control block; false if there is no kernel to run.
  bool compile(const std::optional<std::string> &configuration);
  /// Allocates the operands and enters the sandbox.
  void prepare();
  void carryOut(const Command &command);

  // For the timer.

  /// Anything except a return of the kernel ends the process here.
  void execute(int64_t times) noexcept;
  void restore() {
    probe();
    if (device)
      restoreOnDevice();
    else
      operands->restoreOutputs();
    restoreState();
    sinceRestore = 0;
    wakeTeam();
  }
  bool isProbing() const { return numExecutions < probedExecutions; }
  void flush() {
    // A device does it right before the launch.
    flushesDevice = device != nullptr;
    if (!device)
      operands->flush(kernel.copies);
    wakeTeam();
  }
  int64_t countAbnormal() {
    if (device)
      collectFromDevice();
    return operands->countAbnormal();
  }
  /// The CPU time of one thread isn't that of a team.
  int64_t clockNs() const {
    return device ? deviceNs : kernel.isParallel ? nowNs() : threadCpuNs();
  }

private:
  std::variant<CompiledKernel, CompileFailure> compilePlain();
  bool pack();
  /// Makes `arguments` those of a check. False if the format of a sparse
  /// argument can't hold its entries.
  bool take(size_t check);
  bool fail(const CompileFailure &failure);
  void leaveUsage(const std::vector<double> &usage);
  /// One execution, or those of a check, whose outputs are left in the shared
  /// block. Not Time.
  void run(const Command &command);
  void runAsTimed(const Check &check);
  void time(const Command &command);
  void leaveMessage(const std::string &message);

  // On a device.
  void expect(const std::optional<DeviceFailure> &failure);
  void loadOnDevice();
  void runOnDevice();
  void collectFromDevice();
  void returnToDevice();
  void executeOnDevice(int64_t times);
  void restoreOnDevice();

  void makeTeam();
  void keepFirstOutputs(const Command &command);
  /// Records illegal writes of the kernel.
  void inspect();
  /// Restores the initial values of the kernel's variables.
  void restoreState();
  /// Lets the kernel copy constant arguments, which have just been filled.
  void makeCopies() {
    if (kernel.prepare)
      kernel.prepare(operands->pointers());
  }
  void prepareTiming();
  void probe();
  void probeShortKernel();
  /// Samples where the kernel executes.
  void sampleCode();

  const ChildContext &context;
  /// Whether this is the plain kernel, whose first execution may also be its
  /// timing.
  bool isPlain;
  ControlBlock &control;
  std::byte *objectBlock;
  CompiledKernel kernel;
  /// The initial contents of the kernel's variables.
  std::vector<std::vector<std::byte>> initialState;
  /// The arguments of the check `takenCheck`; without a value if nothing runs.
  std::optional<CodeArguments> arguments;
  size_t takenCheck = 0;
  std::unique_ptr<Operands> operands;
  /// Null if the kernel runs on the CPU.
  std::unique_ptr<DeviceClient> device;
  /// Whether the next execution on it begins with flushed caches.
  bool flushesDevice = false;
  /// The sum of the executions' times on the device.
  int64_t deviceNs = 0;
  /// The number of the present command.
  uint32_t sequence = 0;
  TimerState timerState;

  /// The number of executions on the inputs of the first check whose outputs
  /// are compared with the first, bit by bit.
  static constexpr int64_t probedExecutions = 5;
  /// The number of executions on that check's inputs, and since outputs were
  /// restored.
  int64_t numExecutions = 0, sinceRestore = 0;
  /// The outputs of the first execution; null if there is no memory for them.
  std::unique_ptr<std::byte[]> firstOutputs;
  /// Whether an execution had other outputs than the first.
  bool hasOddOutputs = false;
  /// Whether the operands are those that are timed.
  bool areTimed = false;
  /// Whether each execution gets other inputs, and not just each sample.
  bool variesEach = false;
};

/// Marks a command as completed and signals it.
void complete(ControlBlock &control, uint32_t sequence);

/// The wall time, in nanoseconds, of a chain of multiplications that has the
/// same number of cycles wherever it runs.
double timeReference();

} // namespace baco::runtime

#endif // BACO_RUNTIME_CHILDKERNEL_H
