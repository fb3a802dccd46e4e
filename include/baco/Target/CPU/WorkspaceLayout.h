//===- WorkspaceLayout.h - Offsets of buffers that share memory -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_WORKSPACELAYOUT_H
#define BACO_TARGET_CPU_WORKSPACELAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace baco::target {

/// A buffer of `bytes` bytes that is in use from the step `first` to the step
/// `last`, both included.
struct BufferLifetime {
  int64_t bytes = 0;
  int64_t first = 0, last = 0;
};

struct WorkspaceLayout {
  /// The first byte of each buffer.
  llvm::SmallVector<int64_t> offsets;
  /// The size of the whole.
  int64_t bytes = 0;
};

/// Places buffers, none of which overlaps another one that is in use at the
/// same time. Each begins at a multiple of `alignment`. Buffers are placed by
/// size, the largest first, each in the smallest gap that holds it (Pisarchyk
/// and Lee, "Efficient Memory Management for Deep Neural Net Inference", 2020,
/// greedy by size for offset calculation). The sum of the sizes must be less
/// than 2^62.
WorkspaceLayout layOutWorkspace(llvm::ArrayRef<BufferLifetime> buffers,
                                int64_t alignment);

} // namespace baco::target

#endif // BACO_TARGET_CPU_WORKSPACELAYOUT_H
