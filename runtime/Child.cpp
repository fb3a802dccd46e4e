//===- Child.cpp - A candidate's own process ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChildKernel.h"

#include "baco/Runtime/CodeSampler.h"

#include "baco/Runtime/SystemCalls.h"
#include "baco/Verification/Heap.h"

#include <algorithm>
#include <alloca.h>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

using namespace baco;
using namespace baco::runtime;

std::variant<CompiledKernel, CompileFailure> Child::compilePlain() {
  switch (context.plain) {
  case ChildContext::Plain::AsWritten:
    return context.compiler.compilePlain();
  case ChildContext::Plain::LocalOrder:
    return context.compiler.compileReference();
  case ChildContext::Plain::Majorant:
    return context.compiler.compileErrorBound();
  case ChildContext::Plain::Checked:
    return context.compiler.compileChecked();
  case ChildContext::Plain::Perturbed:
    return context.compiler.compilePerturbed();
  }
  std::abort();
}

/// Links the kernel again, if its code gets another placement.
static std::variant<CompiledKernel, CompileFailure>
place(const ChildContext &context,
      std::variant<CompiledKernel, CompileFailure> compiled) {
  const auto *kernel = std::get_if<CompiledKernel>(&compiled);
  const std::optional<size_t> &offset = context.placement.codeOffset;
  // The placement of code on a device is the driver's.
  if (!offset || !kernel || kernel->object.empty() || kernel->launches)
    return compiled;
  std::string object = kernel->object;
  auto placed = context.compiler.load(object, offset);
  if (auto *loaded = std::get_if<CompiledKernel>(&placed))
    loaded->object = std::move(object);
  return placed;
}

void Child::leaveMessage(const std::string &message) {
  size_t length = std::min(message.size(), sizeof control.message - 1);
  std::copy_n(message.data(), length, control.message);
  control.message[length] = '\0';
}

void Child::leaveUsage(const std::vector<double> &usage) {
  control.numLimits = std::min(usage.size(), maxLimits);
  std::copy_n(usage.data(), control.numLimits, control.usage);
}

bool Child::compile(const std::optional<std::string> &configuration) {
  int64_t start = nowNs();
  // It stays mapped for the life of the process, so that it moves later
  // mappings.
  if (size_t gap = context.placement.gapBytes) {
    [[maybe_unused]] void *stays =
        mmap(nullptr, gap, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  std::variant<CompiledKernel, CompileFailure> result =
      context.object
          ? context.compiler.load(*context.object, context.placement.codeOffset)
      : configuration ? place(context, context.compiler.compile(*configuration))
                      : place(context, compilePlain());
  control.compileNs = nowNs() - start;
  std::visit([&](const auto &ended) { leaveUsage(ended.usage); }, result);
  if (const auto *failure = std::get_if<CompileFailure>(&result))
    return fail(*failure);
  kernel = std::move(std::get<CompiledKernel>(result));
  useHugePages(kernel.copies);
  control.staticCost = kernel.staticCost;
  control.hasResources = kernel.resources.has_value();
  control.resources = kernel.resources.value_or(KernelResources());
  leaveMessage(kernel.note);
  control.isOnDevice = kernel.launches != nullptr;
  for (std::span<const std::byte> variable : kernel.state)
    initialState.emplace_back(variable.begin(), variable.end());
  control.leftThreads = countThreads() - 1;
  control.isParallel = kernel.isParallel;
  if (kernel.object.size() <= maxObjectBytes) {
    std::memcpy(objectBlock, kernel.object.data(), kernel.object.size());
    control.objectBytes = kernel.object.size();
  }
  return pack();
}

bool Child::fail(const CompileFailure &failure) {
  control.compileFailed = 1;
  control.compileStatus = failure.status;
  control.costBeyondLimits = failure.costBeyondLimits;
  leaveMessage(failure.message);
  return false;
}

/// Packs sparse arguments for the first check while other candidates are
/// measured.
bool Child::pack() {
  // Nothing is run.
  if (context.checks.empty())
    return true;
  // A position takes two numbers while it is packed, and its value twice.
  constexpr uint64_t bytesPerPosition = 32;
  int64_t start = threadCpuNs();
  Result<CodeArguments> made =
      CodeArguments::create(context.signature, kernel.formats,
                            context.memoryLimit / bytesPerPosition);
  if (!made)
    return fail({Status::CompileFailed, made.error().message});
  if (kernel.launches && !kernel.formats.empty())
    return fail({Status::CompileFailed,
                 "sparse arguments are for kernels on the CPU only"});
  arguments = std::move(*made);
  takenCheck = context.firstCheck;
  Result<void> packed = arguments->take(context.checks[takenCheck].inputs);
  if (!packed)
    return fail({Status::TransformFailed, packed.error().message});
  if (!kernel.formats.empty())
    control.packNs = static_cast<double>(threadCpuNs() - start);
  return true;
}

bool Child::take(size_t check) {
  if (check == takenCheck)
    return true;
  if (!arguments->take(context.checks[check].inputs))
    return false;
  takenCheck = check;
  return true;
}

/// The outputs belong to the child that has the timing lease: others, which
/// compile meanwhile, can't access them.
static void protectOutputs(const ChildContext &context, int protection) {
  mprotect(context.outputs,
           std::max<size_t>(1, OutputLayout(context.signature).byteSize()),
           protection);
}

/// Moves blocks that are allocated from now on: large ones by `bytes`; small
/// ones by taking up free blocks of their size, which the compiler has left.
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

  // The arguments of all checks are the same except for their values, and for
  // the numbers of entries. Memory can't be protected later on.
  Signature largest = arguments->largest(context.checks);
  operands =
      Operands::create(largest, arguments->inputs(),
                       arguments->placeStaggers(context.placement.staggers),
                       arguments->owners(), context.placement.usesHugePages);
  if (!operands) {
    control.outOfMemory = 1;
    _exit(1);
  }
  std::vector<std::span<std::byte>> protectable = operands->protectable();
  operands->use(arguments->signature(), arguments->inputs(), Addresses::Timed);
  protectOutputs(context, PROT_READ | PROT_WRITE);
  if (kernel.launches)
    device = std::make_unique<DeviceClient>(
        context.signature, childDeviceSocket, context.deviceBlock);
  if (!context.isUntimed)
    startHeapAnew();
  shiftHeap(context.placement.heapBytes);
  if (kernel.isParallel)
    makeTeam();
  blameWritesTo(*operands);
  prepareToSample();
  // Comparing more than this would take as long as most kernels.
  constexpr size_t maxProbedBytes = 64 << 20;
  size_t bytes = OutputLayout(context.signature).byteSize();
  if (!context.isUntimed && bytes <= maxProbedBytes)
    firstOutputs = std::make_unique_for_overwrite<std::byte[]>(bytes);
  if (!confineKernel(control, protectable))
    _exit(1);
}

/// Starts the kernel's threads, because the sandbox doesn't allow that later.
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

void runtime::complete(ControlBlock &control, uint32_t sequence) {
  control.completed = sequence + 1;
  if (send(childSocket, &sequence, sizeof sequence, MSG_NOSIGNAL) !=
      sizeof sequence)
    _exit(1);
}

void Child::carryOut(const Command &command) {
  sequence = command.sequence;
  if (command.kind == Command::Time)
    time(command);
  else
    run(command);
}

/// Runs commands until the worker closes the connection.
[[noreturn]] __attribute__((noinline)) static void
serve(Child &child, ControlBlock &control) {
  bool prepared = false;
  for (;;) {
    Command command;
    // The zygote closes its end when it is done, or when it dies.
    if (recv(childSocket, &command, sizeof command, 0) != sizeof command)
      _exit(0);
    if (!std::exchange(prepared, true))
      child.prepare();
    child.carryOut(command);
    complete(control, command.sequence);
  }
}

void runtime::runChild(const ChildContext &context,
                       const std::optional<std::string> &configuration,
                       ControlBlock &control, std::byte *objectBlock) noexcept {
  installDeathHandlers(control, context.memoryLimit);
  protectOutputs(context, PROT_NONE);
  if (Result<void> entered = context.compiler.enterChild(); !entered) {
    refuseBecause(control, entered.error().message);
    _exit(1);
  }
  if (!confineCompiler(control))
    _exit(1);
  Child child(context, !configuration, control, objectBlock);
  bool compiled = child.compile(configuration);
  // The compiler may have changed signal handlers, and its timers must not end
  // the wait.
  resetSignals();
  installDeathHandlers(control, context.memoryLimit);
  complete(control, 0);
  if (!compiled)
    _exit(0);
  // All frames of the kernel are below it.
  if (size_t bytes = context.placement.stackBytes)
    asm volatile("" ::"r"(alloca(bytes)));
  serve(child, control);
}
