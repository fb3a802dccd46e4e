//===- KernelWork.h - Work of a GPU kernel ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts instructions, sectors and bank conflicts in optimized LLVM IR for the
// PTX back end: the input of GpuCost.h.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_COSTMODEL_KERNELWORK_H
#define BACO_COSTMODEL_KERNELWORK_H

#include "../../../lib/CostModel/WarpValues.h"

#include "baco/CostModel/GpuCost.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/Error.h"

namespace baco::target {

/// The cost of one access of a warp.
struct WarpAccess {
  /// Sectors of global memory.
  int64_t sectors = 0;
  /// Cycles of the unit that serves it: lines of 128 bytes in global memory,
  /// rounds without conflicting banks in shared memory.
  int64_t cycles = 0;
};

/// Threads of a warp access `bytes` bytes each at these addresses.
WarpAccess accessGlobal(llvm::ArrayRef<int64_t> addresses, int64_t bytes);
WarpAccess accessShared(llvm::ArrayRef<int64_t> addresses, int64_t bytes);

/// Counts the work of `kernel` in a launch with `dynamicShared` bytes of shared
/// memory beside its own. `bufferBytes` has the size of the buffer behind each
/// pointer argument; 0: unknown. `assembled` has the registers and spills;
/// null: they are estimated. Fails if a loop has no static number of
/// iterations, or an instruction isn't known.
llvm::Expected<KernelWork>
countWork(llvm::Function &kernel, const LaunchShape &launch,
          int64_t dynamicShared, llvm::ArrayRef<double> bufferBytes,
          const KernelResources *assembled = nullptr);

} // namespace baco::target

#endif // BACO_COSTMODEL_KERNELWORK_H
