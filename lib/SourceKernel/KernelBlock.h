//===- KernelBlock.h - Contents that processes share ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The initial contents of all buffers, and the right ones of outputs: made once
// by the tuner or by the first process that has the device, for all that
// follow.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SOURCEKERNEL_KERNELBLOCK_H
#define BACO_LIB_SOURCEKERNEL_KERNELBLOCK_H

#include "LaunchPlan.h"

#include "baco/Protocol/SharedBlock.h"
#include "baco/SourceKernel/KernelEvaluator.h"

namespace baco::kernels {

class KernelBlock {
public:
  /// Allocates memory, and fills in what needs no device. Errors are those of
  /// files and sizes.
  Result<void> fill(const KernelTask &task, const LaunchPlanner &planner,
                    const KernelOptions &options);

  /// Empty for what is no buffer.
  std::span<std::byte> initial(size_t argument) const {
    return spans[argument].first;
  }
  /// The right contents; empty for what isn't checked.
  std::span<std::byte> right(size_t argument) const {
    return spans[argument].second;
  }
  /// Whether the reference kernel is still to say what is right.
  bool needsReference() const { return state() != 0; }
  void setReferenceDone() { state() = 0; }
  bool hasRight() const;

private:
  uint32_t &state() const {
    return *reinterpret_cast<uint32_t *>(memory.data());
  }
  Result<void> fillRight(const KernelTask &task, const KernelOptions &options);

  runtime::SharedBlock memory;
  std::vector<std::pair<std::span<std::byte>, std::span<std::byte>>> spans;
};

} // namespace baco::kernels

#endif // BACO_LIB_SOURCEKERNEL_KERNELBLOCK_H
