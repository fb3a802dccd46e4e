//===- ControlBlock.h - Memory shared with a child --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory that a child shares with the zygote, and the commands that pass
// between them. Small results go through memory, so that they survive the death
// of the child; a socket signals when they are there.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_CONTROLBLOCK_H
#define BACO_RUNTIME_CONTROLBLOCK_H

#include "baco/Protocol/Candidate.h"
#include "baco/Protocol/Samples.h"
#include "baco/Support/Outcome.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace baco::runtime {

/// A command to a child.
struct Command {
  enum Kind : uint32_t {
    /// Answered by the compilation itself.
    Compile,
    /// Fill in the inputs of a check, run once, and leave the outputs in the
    /// shared block.
    Run,
    /// The same on the absolute values of the inputs.
    RunAbsolute,
    /// A slice of timed executions.
    Time,
  };
  Kind kind = Compile;
  /// Index of the check to Run.
  uint32_t check = 0;
  /// How often a parallel kernel has passed it. Each time the kernel's threads
  /// run in another way; see passesOfParallel.
  uint32_t pass = 0;
  /// Counts the commands of a child, beginning with 0 for Compile.
  uint32_t sequence = 0;
  /// For a slice; see SliceRequest.
  double budgetNs = 0;
  int32_t minSamples = 1;
  double precision = 0;
  double hopelessNs = 0;
  bool isFlushed = false;
  /// Whether the CPU's clock is looked at after the slice, which takes a
  /// millisecond.
  bool observesClock = false;
  /// Whether MachineRates are measured after the slice.
  bool measuresRates = false;
  /// Whether it is sampled where the kernel executes, after the slice.
  bool samplesCode = false;
};

/// Samples of one slice.
inline constexpr size_t maxSliceSamples = 1024;

/// The most samples of where a kernel executes.
inline constexpr size_t maxCodeSamples = 256;

/// Lives in shared memory; zero is its initial state. The child writes, the
/// zygote reads and trusts nothing: a kernel that writes anywhere may write
/// here.
struct ControlBlock {
  /// The completion marker: number of commands that were carried out to their
  /// end. A kernel that calls exit(0) does not get that far.
  std::atomic<uint32_t> completed;
  /// An allocation failed, and the process ended because of that.
  std::atomic<uint32_t> outOfMemory;
  /// 1 + the number of the system call that the sandbox refused.
  std::atomic<int64_t> forbiddenCall;
  /// 1 + the first argument around which the kernel wrote.
  std::atomic<int32_t> damagedArgument;
  /// 1 + the first argument that the kernel changed, but may only read.
  std::atomic<int32_t> changedArgument;
  /// The ABI state that the kernel damaged: see AbiState.
  std::atomic<uint32_t> abiDamage;
  /// For a slice: the number of the first execution on the inputs of the first
  /// check, from 2 on, whose outputs weren't those of the first; they are in
  /// the shared block then. 0: there was none, or it was in an earlier slice.
  uint32_t oddExecution;
  /// The last command ran nothing, because the format of a sparse argument
  /// can't hold the entries of that check, as it holds those of the first one.
  uint32_t isSkipped;
  /// The step of the child's set-up that the system refused, and the reason;
  /// this isn't a failure of the candidate. Empty if there was none.
  char setUpFailure[128];

  /// Threads that the compiler left behind.
  int32_t leftThreads;
  /// Result of Compile: the message is that of a failure, or the note on a
  /// static cost.
  uint32_t compileFailed;
  Status compileStatus;
  char message[4096];
  /// Whether the kernel runs in several threads.
  uint32_t isParallel;
  /// See CompiledKernel.
  double staticCost;
  /// The device has refused the last command: the message says why.
  uint32_t deviceFailed;
  Status deviceStatus;
  /// Whether the kernel runs on a device.
  uint32_t isOnDevice;
  uint32_t hasResources;
  KernelResources resources;
  /// See CompiledKernel; a failed compilation has them too.
  uint32_t numLimits;
  double usage[maxLimits];
  double costBeyondLimits;
  /// Wall time.
  double compileNs;
  /// CPU time of packing sparse arguments for the first check.
  double packNs;
  /// The size of the object code in the block for it; 0: there is none.
  uint32_t objectBytes;

  /// CPU time, or wall time if it is parallel, of the last execution, or of an
  /// execution in the last slice.
  double executionNs;
  uint32_t numSamples;
  double samplesNs[maxSliceSamples];
  /// The conditions of the last slice.
  Conditions conditions;
  MachineRates rates;
  /// See CandidateCompiler::list.
  uint32_t numPlaces;
  int64_t places[maxCodeSamples];
};

static_assert(std::is_trivially_destructible_v<ControlBlock>);
static_assert(std::atomic<int64_t>::is_always_lock_free);

} // namespace baco::runtime

#endif // BACO_RUNTIME_CONTROLBLOCK_H
