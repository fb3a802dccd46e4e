//===- Child.cpp - A candidate's own process ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Child.h"

#include "baco/Runtime/Clock.h"
#include "baco/Runtime/Operands.h"
#include "baco/Runtime/Timer.h"

#include <algorithm>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

namespace {
/// A compiled candidate in its process.
class Child {
public:
  Child(const ChildContext &context, ControlBlock &control)
      : context(context), control(control) {}

  /// Fills the control block; false if there is no kernel to run.
  bool compile(const std::optional<std::string> &configuration);
  /// Allocates the operands and closes the process in.
  void prepare();
  /// One execution, whose outputs are left in the shared block.
  void run(bool absolute);
  void time(const Command &command);

private:
  /// Whatever leaves the kernel but a return ends the process here.
  void execute(int64_t times) noexcept {
    for (int64_t i = 0; i < times; ++i)
      kernel.entry(operands->pointers());
  }

  const ChildContext &context;
  ControlBlock &control;
  CompiledKernel kernel;
  std::unique_ptr<Operands> operands;
};
} // namespace

bool Child::compile(const std::optional<std::string> &configuration) {
  int64_t start = nowNs();
  std::variant<CompiledKernel, CompileFailure> result =
      configuration ? context.compiler.compile(*configuration)
                    : context.compiler.compilePlain();
  control.compileNs = nowNs() - start;
  if (const auto *failure = std::get_if<CompileFailure>(&result)) {
    control.compileFailed = 1;
    control.compileStatus = failure->status;
    size_t length =
        std::min(failure->message.size(), sizeof control.message - 1);
    std::copy_n(failure->message.data(), length, control.message);
    return false;
  }
  kernel = std::move(std::get<CompiledKernel>(result));
  return true;
}

void Child::prepare() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(context.cpu, &cpus);
  // Fails if the CPU was taken offline: noisy times are better than none.
  sched_setaffinity(0, sizeof cpus, &cpus);

  operands = Operands::create(context.signature, context.inputs);
  if (!operands) {
    control.outOfMemory = 1;
    _exit(1);
  }
  if (!forbidSystemCalls())
    _exit(1);
}

void Child::run(bool absolute) {
  operands->fill(absolute);
  int64_t start = threadCpuNs();
  execute(1);
  control.executionNs = threadCpuNs() - start;
  control.damagedArgument = operands->firstDamaged() + 1;
  operands->copyOutputs(context.outputs);
  if (absolute)
    operands->fill(false);
}

void Child::time(const Command &command) {
  double executionNs = control.executionNs;
  control.numSamples = timeSlice(
      {command.budgetNs, command.minSamples}, control.samplesNs, executionNs,
      [&](int64_t times) { execute(times); },
      [&] { operands->restoreOutputs(); }, threadCpuNs);
  control.executionNs = executionNs;
  control.damagedArgument = operands->firstDamaged() + 1;
}

/// Marks a command as carried out and says so.
static void complete(ControlBlock &control, uint32_t sequence) {
  control.completed = sequence + 1;
  if (send(childSocket, &sequence, sizeof sequence, MSG_NOSIGNAL) !=
      sizeof sequence)
    _exit(1);
}

void runtime::runChild(const ChildContext &context,
                       const std::optional<std::string> &configuration,
                       ControlBlock &control) {
  installDeathHandlers(control, context.memoryLimit);
  Child child(context, control);
  bool compiled = child.compile(configuration);
  complete(control, 0);
  if (!compiled)
    _exit(0);

  bool prepared = false;
  for (;;) {
    Command command;
    // The zygote closes its end when it is done, or dead.
    if (recv(childSocket, &command, sizeof command, 0) != sizeof command)
      _exit(0);
    if (!std::exchange(prepared, true))
      child.prepare();
    if (command.kind == Command::Time)
      child.time(command);
    else
      child.run(command.kind == Command::RunAbsolute);
    complete(control, command.sequence);
  }
}
