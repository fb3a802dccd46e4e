//===- KernelEvaluator.h - Kernels from source texts ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost function of kernels in OpenCL C and CUDA C++. A process of its own
// has the device: it is killed when a candidate hangs, and another one follows
// it. Buffers are uploaded once for each such process, and downloaded to check
// results only.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SOURCEKERNEL_KERNELEVALUATOR_H
#define BACO_SOURCEKERNEL_KERNELEVALUATOR_H

#include "baco/Format/KernelTask.h"
#include "baco/Measure/Comparer.h"
#include "baco/Study/Evaluator.h"

#include <atomic>
#include <memory>
#include <span>

namespace baco::kernels {

enum class KernelApi { OpenCl, Cuda };

/// Computes the right outputs on the host: gets the contents of the buffers, in
/// their order, and changes those that are outputs.
using HostReference = std::function<void(std::span<std::span<std::byte>>)>;

struct KernelOptions {
  KernelApi api = KernelApi::OpenCl;
  /// The driver, for dlopen; empty: libOpenCL.so.1 or libcuda.so.1.
  std::string library = {};
  /// For CUDA: NVRTC; empty: see Nvrtc::load.
  std::string compilerLibrary = {};
  /// Of random contents and scalars.
  uint64_t seed = 0;
  /// Timed launches of a trial, whose median is the result; 0: from 10 on, so
  /// many as take 50 ms, but 1000 at most, and 3 of a kernel that takes longer.
  uint64_t repeat = 0;
  /// Limits for building, and for all launches of a trial, in ms.
  int64_t buildTimeoutMs = 120000, runTimeoutMs = 60000;
  /// The CPU whose lease runs take, so that one tuner measures at a time.
  int cpu = 0;
  /// The folder of energy counters (measure::EnergyCounter), or for CUDA the
  /// library NVML; if it isn't empty, outcomes have the metrics `time`, in
  /// nanoseconds, and `energy`, in joules: what the processors, or the GPU,
  /// take for a launch, among others that follow each other for 0.1 to 2 s.
  std::string energyCounters = {};
  /// In place of KernelTask::reference.
  HostReference reference = nullptr;
  /// Becomes true when the user wants to stop; may be null.
  const std::atomic<bool> *stop = nullptr;
};

/// Evaluates candidates one after another, where they are waited for. A
/// candidate's failures are outcomes: CompileFailed with the compiler's first
/// error, LaunchFailed for sizes that can't be launched, OutOfMemory for
/// resources that the device doesn't have, TimedOut, Crashed, DeviceFault, and
/// WrongResult. Times are medians of the device's own events, in nanoseconds.
/// The fingerprint covers all that changes results, the device included. Each
/// round of a comparison has a fresh process.
///
/// Not thread safe. The process dies with the thread that first used it.
class KernelEvaluator : public study::Evaluator, public measure::Comparer {
public:
  /// Starts the process, and runs the reference. InvalidArgument for a task
  /// that doesn't fit the space, NotFound or Unsupported if there is no such
  /// device, or no library for it, and IOError if it refuses, or the reference
  /// fails.
  static Result<std::unique_ptr<KernelEvaluator>>
  create(const Space &space, const KernelTask &task,
         const KernelOptions &options);

  /// Builds, checks and times a candidate now. An error is one of the
  /// environment.
  virtual Result<runtime::Samples>
  measure(const Configuration &configuration) = 0;

  /// The device's name, platform and driver.
  virtual const std::string &device() const = 0;
  /// The counters of energy and their resolution, in one line; empty if energy
  /// isn't measured.
  virtual const std::string &energyCounters() const = 0;
  /// Whether results are compared with right ones.
  virtual bool checksResults() const = 0;
  /// The process that has the device now; -1 if there is none.
  virtual int processId() const = 0;
};

} // namespace baco::kernels

#endif // BACO_SOURCEKERNEL_KERNELEVALUATOR_H
