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
#include "baco/Runtime/SystemCalls.h"
#include "baco/Runtime/Team.h"
#include "baco/Runtime/Timer.h"

#include <algorithm>
#include <alloca.h>
#include <cfenv>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

using namespace baco;
using namespace baco::runtime;

namespace {
/// A compiled candidate in its process.
class Child {
public:
  Child(const ChildContext &context, ControlBlock &control,
        std::byte *objectBlock)
      : context(context), control(control), objectBlock(objectBlock) {}

  /// Fills the control block; false if there is no kernel to run.
  bool compile(const std::optional<std::string> &configuration);
  /// Allocates the operands and closes the process in.
  void prepare();
  /// One execution, whose outputs are left in the shared block. Not Time.
  void run(const Command &command);
  void time(const Command &command);

  // For the timer.

  /// Whatever leaves the kernel but a return ends the process here.
  void execute(int64_t times) noexcept {
    for (int64_t i = 0; i < times; ++i)
      kernel.entry(operands->pointers());
  }
  void restore() {
    operands->restoreOutputs();
    wakeTeam();
  }
  void flush() {
    operands->flush();
    wakeTeam();
  }
  int64_t countAbnormal() const { return operands->countAbnormal(); }
  /// The CPU time of one thread says nothing of what several do.
  int64_t clockNs() const {
    return kernel.isParallel ? nowNs() : threadCpuNs();
  }

private:
  std::variant<CompiledKernel, CompileFailure> compilePlain();
  void makeTeam();
  /// Notes what the kernel wrote where it may not.
  void inspect();

  const ChildContext &context;
  ControlBlock &control;
  std::byte *objectBlock;
  CompiledKernel kernel;
  std::unique_ptr<Operands> operands;
  TimerState timerState;
};
} // namespace

std::variant<CompiledKernel, CompileFailure> Child::compilePlain() {
  switch (context.plain) {
  case ChildContext::Plain::AsWritten:
    return context.compiler.compilePlain();
  case ChildContext::Plain::CheapOrder:
    return context.compiler.compileReference();
  case ChildContext::Plain::Majorant:
    return context.compiler.compileMajorant();
  }
  std::abort();
}

/// Links the kernel once more, if its code is to lie elsewhere.
static std::variant<CompiledKernel, CompileFailure>
place(const ChildContext &context,
      std::variant<CompiledKernel, CompileFailure> compiled) {
  const auto *kernel = std::get_if<CompiledKernel>(&compiled);
  const std::optional<size_t> &offset = context.placement.codeOffset;
  if (!offset || !kernel || kernel->object.empty())
    return compiled;
  std::string object = kernel->object;
  auto placed = context.compiler.load(object, offset);
  if (auto *loaded = std::get_if<CompiledKernel>(&placed))
    loaded->object = std::move(object);
  return placed;
}

bool Child::compile(const std::optional<std::string> &configuration) {
  int64_t start = nowNs();
  // Stays as long as the process: what is mapped later lies elsewhere.
  if (size_t gap = context.placement.gapBytes)
    mmap(nullptr, gap, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
         -1, 0);
  std::variant<CompiledKernel, CompileFailure> result =
      context.object
          ? context.compiler.load(*context.object, context.placement.codeOffset)
      : configuration ? place(context, context.compiler.compile(*configuration))
                      : place(context, compilePlain());
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
  control.leftThreads = countThreads() - 1;
  control.isParallel = kernel.isParallel;
  if (kernel.object.size() <= maxObjectBytes) {
    std::memcpy(objectBlock, kernel.object.data(), kernel.object.size());
    control.objectBytes = kernel.object.size();
  }
  return true;
}

/// The outputs are those of the child that has the timing lease: others, who
/// compile meanwhile, cannot reach them.
static void protectOutputs(const ChildContext &context, int protection) {
  mprotect(context.outputs,
           std::max<size_t>(1, OutputLayout(context.signature).byteSize()),
           protection);
}

/// Makes new blocks lie elsewhere: large ones by `bytes`, and small ones where
/// others of their size were freed, of which the compiler has left some.
static void shiftHeap(size_t bytes) {
  constexpr size_t unit = 16, smallBytes = 1024, cachedBlocks = 8;
  // Never freed.
  auto leak = [](size_t size) { asm volatile("" ::"r"(std::malloc(size))); };
  if (bytes == 0)
    return;
  for (size_t size = unit; size <= smallBytes; size += unit)
    for (size_t i = 0; i < bytes / unit % cachedBlocks; ++i)
      leak(size);
  leak(bytes);
}

void Child::prepare() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(context.cpu, &cpus);
  // Fails if the CPU was taken offline: noisy times are better than none.
  if (!context.isUntimed || kernel.isParallel)
    sched_setaffinity(0, sizeof cpus, &cpus);

  // Whatever the check, the arguments are the same but for their values.
  operands = Operands::create(context.signature, context.checks[0].inputs,
                              context.placement.staggers);
  if (!operands) {
    control.outOfMemory = 1;
    _exit(1);
  }
  protectOutputs(context, PROT_READ | PROT_WRITE);
  shiftHeap(context.placement.heapBytes);
  if (kernel.isParallel)
    makeTeam();
  if (!confineKernel(control))
    _exit(1);
}

/// Starts the kernel's threads: later none can be started.
void Child::makeTeam() {
  // An arena for each thread would have to change the protection of its memory,
  // which the sandbox forbids.
  mallopt(M_ARENA_MAX, 1);
  std::vector<int> cpus = {context.cpu};
  cpus.insert(cpus.end(), context.otherCpus.begin(), context.otherCpus.end());
  if (startTeam(cpus))
    return;
  refuse(control, "starting a thread");
  _exit(1);
}

void Child::inspect() {
  if (control.damagedArgument == 0)
    control.damagedArgument = operands->firstDamaged() + 1;
  if (control.changedArgument == 0)
    control.changedArgument = operands->firstChanged() + 1;
}

/// How the kernel's threads run in a pass of a check.
static TeamMode teamModeOf(const Command &command, bool hasAtomics) {
  if (command.pass == 0)
    return TeamMode::Free;
  return command.pass == apartPass && !hasAtomics ? TeamMode::Apart
                                                  : TeamMode::Shaken;
}

/// The wall time, in nanoseconds, of a chain of multiplications that has the
/// same number of cycles wherever it runs and touches no memory: the least of
/// many tries within a millisecond. Each link waits for the one before, so that
/// another thread of the core doesn't slow it down, and a try is too short to
/// be interrupted often. Wide vectors lower the clock, by a sixth or so, until
/// up to 0.7 ms after them: that is the kernel's own doing, and must not be
/// taken for a change of the CPU's clock.
static double timeReference() {
  constexpr int links = 8000;
  constexpr int64_t durationNs = 1000000;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (int64_t begin = nowNs(), start = begin; start < begin + durationNs;) {
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

void Child::run(const Command &command) {
  bool isAbsolute = command.kind == Command::RunAbsolute;
  // Before what the timed executions did to the inputs is overwritten.
  if (control.completed > 1)
    inspect();
  operands->use(context.checks[command.check].inputs);
  if (!context.isUntimed && command.check >= numEarlyChecks) {
    // New memory holds 0x7f..., which is 3e38 as a float and 1e306 as a double,
    // instead of the zeros of fresh pages: what reads it before it writes
    // shows. Not in the first run, as filling takes time.
    constexpr int perturbation = 0x80;
    mallopt(M_PERTURB, perturbation);
  }
  operands->fill(isAbsolute);
  std::fesetenv(FE_DFL_ENV);
  // Threads that run at different times don't race.
  wakeTeam();
  if (kernel.isParallel)
    setTeamMode(teamModeOf(command, kernel.hasAtomics),
                command.check * passesOfParallel + command.pass,
                operands->writable());
  int64_t start = clockNs();
  execute(1);
  control.executionNs = clockNs() - start;
  setTeamMode(TeamMode::Free);
  // It may have left traps, another rounding, or subnormals flushed to zero.
  std::fesetenv(FE_DFL_ENV);
  if (command.observesClock)
    control.conditions.referenceNs = timeReference();
  mallopt(M_PERTURB, 0);
  operands->copyOutputs(context.outputs);
  if (isAbsolute)
    operands->fill(false);
  inspect();
}

void Child::time(const Command &command) {
  if (timerState.executionNs == 0)
    timerState.executionNs = control.executionNs;
  int64_t wallStart = nowNs(), cpuStart = threadCpuNs();
  control.numSamples =
      timeSlice({command.budgetNs, command.minSamples, command.precision,
                 command.hopelessNs, command.isFlushed, kernel.isParallel},
                control.samplesNs, timerState, *this);
  control.conditions.cpuNs = threadCpuNs() - cpuStart;
  control.conditions.wallNs = nowNs() - wallStart;
  // Now the CPU is awake.
  control.conditions.referenceNs = command.observesClock ? timeReference() : 0;
  std::fesetenv(FE_DFL_ENV);
  control.executionNs = timerState.executionNs;
  control.damagedArgument = operands->firstDamaged() + 1;
}

/// Marks a command as carried out and says so.
static void complete(ControlBlock &control, uint32_t sequence) {
  control.completed = sequence + 1;
  if (send(childSocket, &sequence, sizeof sequence, MSG_NOSIGNAL) !=
      sizeof sequence)
    _exit(1);
}

/// Does what it is told, until nobody tells it any more.
[[noreturn]] __attribute__((noinline)) static void
serve(Child &child, ControlBlock &control) {
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
      child.run(command);
    complete(control, command.sequence);
  }
}

void runtime::runChild(const ChildContext &context,
                       const std::optional<std::string> &configuration,
                       ControlBlock &control, std::byte *objectBlock) noexcept {
  installDeathHandlers(control, context.memoryLimit);
  protectOutputs(context, PROT_NONE);
  if (!confineCompiler(control))
    _exit(1);
  Child child(context, control, objectBlock);
  bool compiled = child.compile(configuration);
  // Whatever the compiler has done to them; no timer of it may end the wait.
  resetSignals();
  installDeathHandlers(control, context.memoryLimit);
  complete(control, 0);
  if (!compiled)
    _exit(0);
  // All frames of the kernel lie below it.
  if (size_t bytes = context.placement.stackBytes)
    asm volatile("" ::"r"(alloca(bytes)));
  serve(child, control);
}
