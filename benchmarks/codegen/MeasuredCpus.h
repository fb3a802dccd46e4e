//===- MeasuredCpus.h - CPUs of our own for a while -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While something is timed, tuners on the same machine wait, and the thread
// stays where it is.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_MEASUREDCPUS_H
#define BACO_BENCHMARKS_CODEGEN_MEASUREDCPUS_H

#include "baco/Runtime/CpuLease.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <sched.h>
#include <vector>

namespace baco::benchmarks {

/// The last CPU that this process may use.
int lastCpu();

/// Starts the threads of parallel kernels of ours, so many in all, each on a
/// core of its own. Once per process; later calls do nothing. The calling
/// thread stays free to move. Errors: the machine has fewer cores.
llvm::Error startThreads(int count);

class MeasuredCpus {
public:
  /// Takes the lease of `cpu` and moves this thread there; -1: the leases of
  /// all CPUs of this process, and this thread goes where the first thread of a
  /// parallel kernel belongs. Waits for ten minutes at most. Errors name the
  /// CPU and its holder.
  static llvm::Expected<std::unique_ptr<MeasuredCpus>> take(int cpu);
  ~MeasuredCpus();

private:
  MeasuredCpus();

  cpu_set_t before;
  std::vector<std::unique_ptr<runtime::CpuLease>> leases;
};

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_MEASUREDCPUS_H
