//===- Child.cpp - A candidate's own process ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Child.h"

#include "baco/Runtime/CheckedCall.h"
#include "baco/Runtime/Clock.h"
#include "baco/Runtime/Heap.h"
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
  Child(const ChildContext &context, bool isPlain, ControlBlock &control,
        std::byte *objectBlock)
      : context(context), isPlain(isPlain), control(control),
        objectBlock(objectBlock) {}

  /// Fills the control block; false if there is no kernel to run.
  bool compile(const std::optional<std::string> &configuration);
  /// Allocates the operands and closes the process in.
  void prepare();
  /// One execution, whose outputs are left in the shared block. Not Time.
  void run(const Command &command);
  void time(const Command &command);

  // For the timer.

  /// Whatever leaves the kernel but a return ends the process here.
  void execute(int64_t times) noexcept;
  void restore() {
    probe();
    operands->restoreOutputs();
    restoreState();
    sinceRestore = 0;
    wakeTeam();
  }
  bool isProbing() const { return numExecutions < probedExecutions; }
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
  /// Gives the kernel's variables the values back that they had at first.
  void restoreState();
  void prepareTiming();
  void probe();
  void probeShortKernel();

  const ChildContext &context;
  /// Whether it is the plain kernel, whose first execution may be what its time
  /// is taken from.
  bool isPlain;
  ControlBlock &control;
  std::byte *objectBlock;
  CompiledKernel kernel;
  /// What the kernel's variables hold before it runs.
  std::vector<std::vector<std::byte>> initialState;
  std::unique_ptr<Operands> operands;
  TimerState timerState;

  /// So many executions on the inputs of the first check have the same outputs,
  /// bit by bit, as far as that is looked at.
  static constexpr int64_t probedExecutions = 5;
  /// Of those, on that check's inputs, and since outputs were restored.
  int64_t numExecutions = 0, sinceRestore = 0;
  /// Of the first one; null where there is no memory for them.
  std::unique_ptr<std::byte[]> firstOutputs;
  /// Whether an execution had other outputs than the first.
  bool hasOddOutputs = false;
  /// Whether the operands are those that are timed.
  bool areTimed = false;
  /// Whether each execution gets other inputs, and not just each sample.
  bool variesEach = false;
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
  case ChildContext::Plain::Checked:
    return context.compiler.compileChecked();
  case ChildContext::Plain::Perturbed:
    return context.compiler.compilePerturbed();
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
  for (std::span<const std::byte> variable : kernel.state)
    initialState.emplace_back(variable.begin(), variable.end());
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
  blameWritesTo(*operands);
  // More would take as long to compare as it takes to run most kernels.
  constexpr size_t mostProbedBytes = 64 << 20;
  size_t bytes = OutputLayout(context.signature).byteSize();
  if (!context.isUntimed && bytes <= mostProbedBytes)
    firstOutputs = std::make_unique_for_overwrite<std::byte[]>(bytes);
  if (!confineKernel(control, operands->protectable()))
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

void Child::restoreState() {
  for (size_t i = 0; i < initialState.size(); ++i)
    std::ranges::copy(initialState[i], kernel.state[i].begin());
}

void Child::execute(int64_t times) noexcept {
  sinceRestore += times;
  numExecutions += times;
  // The inputs of executions that are compared with the first are the same.
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

/// Looks whether the last execution had the outputs of the first. What differs
/// need not be wrong: the zygote compares it.
void Child::probe() {
  if (sinceRestore != 1 || numExecutions > probedExecutions || !firstOutputs ||
      hasOddOutputs || operands->holdOutputs(firstOutputs.get()))
    return;
  hasOddOutputs = true;
  control.oddExecution = static_cast<uint32_t>(numExecutions);
  operands->copyOutputs(context.outputs);
}

/// Of a kernel that is called many times in a sample, no execution is alone
/// there.
void Child::probeShortKernel() {
  constexpr double shortNs = 100e3;
  if (control.executionNs > shortNs)
    return;
  while (isProbing()) {
    restore();
    execute(1);
  }
  restore();
}

/// Puts the operands where they are timed, if they aren't there.
void Child::prepareTiming() {
  if (std::exchange(areTimed, true))
    return;
  operands->protect(false);
  operands->use(context.checks[0].inputs, Addresses::Timed);
  operands->fill(false);
  restoreState();
  // Storing one element takes about a nanosecond.
  constexpr double leastShare = 500;
  variesEach = control.executionNs >=
               leastShare * static_cast<double>(operands->numVaried());
  sinceRestore = 0;
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
  // Another process may have the CPU for longer than a millisecond.
  constexpr int leastTries = 16;
  int64_t least = std::numeric_limits<int64_t>::max();
  int64_t begin = nowNs(), start = begin;
  for (int i = 0; i < leastTries || start < begin + durationNs; ++i) {
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
  const Check &check = context.checks[command.check];
  bool isAbsolute = command.kind == Command::RunAbsolute;
  // Before what the timed executions did to the inputs is overwritten.
  if (control.completed > 1) {
    operands->settle();
    inspect();
  }
  operands->protect(false);
  areTimed = false;
  // References are made in peace.
  bool isHostile = !context.isUntimed;
  std::optional<Pattern> stack;
  if (isHostile)
    stack = patternOf(check.call.stack);
  operands->use(check.inputs, isHostile && !isPlain ? check.call.addresses
                                                    : Addresses::Timed);
  operands->fill(isAbsolute);
  restoreState();
  operands->protect(isHostile);
  std::fesetenv(FE_DFL_ENV);
  poisonTeamStacks(stack);
  if (stack)
    poisonStack(*stack);
  if (isHostile && check.call.heap)
    poisonHeap(patternOf(*check.call.heap));
  // Threads that run at different times don't race.
  wakeTeam();
  if (kernel.isParallel)
    setTeamMode(teamModeOf(command, kernel.hasAtomics),
                command.check * passesOfParallel + command.pass,
                operands->writable());
  int64_t start = clockNs();
  for (int i = 0; i < check.executions; ++i)
    control.abiDamage |= callChecked(kernel.entry, operands->pointers(), stack);
  control.executionNs = clockNs() - start;
  setTeamMode(TeamMode::Free);
  // It may have left traps, another rounding, or subnormals flushed to zero.
  std::fesetenv(FE_DFL_ENV);
  poisonHeap(std::nullopt);
  poisonTeamStacks(std::nullopt);
  if (command.observesClock)
    control.conditions.referenceNs = timeReference();
  operands->copyOutputs(context.outputs);
  if (command.check == 0 && firstOutputs) {
    operands->copyOutputs(firstOutputs.get());
    numExecutions = std::max<int64_t>(numExecutions, 1);
  }
  operands->protect(false);
  if (isAbsolute)
    operands->fill(false);
  inspect();
}

void Child::time(const Command &command) {
  bool isFirst = timerState.executionNs == 0;
  if (isFirst)
    timerState.executionNs = control.executionNs;
  // One execution must not see what another one left in variables. It holds for
  // all candidates, whatever they keep there, as it has an effect on caches.
  if (!context.signature.variables.empty())
    timerState.maxExecutions = 1;
  control.oddExecution = 0;
  prepareTiming();
  if (isFirst)
    probeShortKernel();
  int64_t wallStart = nowNs(), cpuStart = threadCpuNs();
  control.numSamples =
      timeSlice({command.budgetNs, command.minSamples, command.precision,
                 command.hopelessNs, command.isFlushed, kernel.isParallel},
                control.samplesNs, timerState, *this);
  control.conditions.cpuNs = threadCpuNs() - cpuStart;
  control.conditions.wallNs = nowNs() - wallStart;
  // Now the CPU is awake.
  control.conditions.referenceNs = command.observesClock ? timeReference() : 0;
  probe();
  control.abiDamage |= findAbiDamage();
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
  Child child(context, !configuration, control, objectBlock);
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
