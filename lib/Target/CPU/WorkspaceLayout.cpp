//===- WorkspaceLayout.cpp - Offsets of buffers that share memory ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/WorkspaceLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <utility>

using namespace baco::target;

WorkspaceLayout
baco::target::layOutWorkspace(llvm::ArrayRef<BufferLifetime> buffers,
                              int64_t alignment) {
  WorkspaceLayout layout;
  layout.offsets.resize(buffers.size());
  auto bySize = llvm::to_vector(llvm::seq(buffers.size()));
  llvm::sort(bySize, [&](size_t a, size_t b) {
    return std::pair(-buffers[a].bytes, a) < std::pair(-buffers[b].bytes, b);
  });
  // The buffers that have a place, by their offsets.
  llvm::SmallVector<size_t> placed;
  for (size_t index : bySize) {
    const BufferLifetime &buffer = buffers[index];
    int64_t end = 0, best = -1;
    int64_t smallestGap = std::numeric_limits<int64_t>::max();
    for (size_t other : placed) {
      const BufferLifetime &around = buffers[other];
      if (around.last < buffer.first || buffer.last < around.first)
        continue;
      int64_t gap = layout.offsets[other] - end;
      if (gap >= buffer.bytes && gap < smallestGap) {
        smallestGap = gap;
        best = end;
      }
      end = std::max(end, static_cast<int64_t>(llvm::alignTo(
                              layout.offsets[other] + around.bytes,
                              static_cast<uint64_t>(alignment))));
    }
    int64_t offset = best < 0 ? end : best;
    layout.offsets[index] = offset;
    layout.bytes = std::max(layout.bytes, offset + buffer.bytes);
    placed.insert(llvm::upper_bound(placed, offset,
                                    [&](int64_t at, size_t other) {
                                      return at < layout.offsets[other];
                                    }),
                  index);
  }
  return layout;
}
