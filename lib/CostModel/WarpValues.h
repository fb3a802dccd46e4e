//===- WarpValues.h - Values of the threads of a block ---------- *- C++
//-*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates integers and addresses of a kernel for the threads of a few of its
// warps, where they follow from the threads' and the block's numbers: from
// these follow which sectors and banks a warp accesses, and which threads take
// a branch. Loops are in their first iteration.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_COSTMODEL_WARPVALUES_H
#define BACO_LIB_COSTMODEL_WARPVALUES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <array>
#include <memory>
#include <optional>

namespace baco::target {

/// Grid and block of a launch; x, y, z.
struct LaunchShape {
  std::array<int64_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};

  int64_t numBlocks() const { return grid[0] * grid[1] * grid[2]; }
  int64_t numThreads() const { return block[0] * block[1] * block[2]; }
};

/// A value of each thread; those of a warp follow each other. Integers are
/// sign-extended; an address is its distance from the underlying object.
using ThreadValues = llvm::SmallVector<int64_t, 0>;

class WarpValues {
public:
  /// The most warps that are looked at, evenly spaced in the block.
  static constexpr int64_t maxWarps = 4;

  /// All outlive the object.
  WarpValues(const llvm::Function &kernel, const LaunchShape &launch,
             const llvm::DominatorTree &dominators,
             const llvm::LoopInfo &loops);
  /// The same in the second iteration of `loop`.
  WarpValues(WarpValues &first, const llvm::Loop &loop);

  /// The threads that are looked at: a multiple of the size of a warp, whose
  /// last threads may be missing in the block (isThread).
  size_t numThreads() const { return threads.size(); }
  size_t numWarps() const;
  /// Whether the block has this thread.
  bool isThread(size_t index) const { return threads[index][0] >= 0; }

  /// Null if the values aren't known. Valid as long as this object.
  const ThreadValues *find(const llvm::Value *value);

private:
  std::optional<ThreadValues> evaluate(const llvm::Value *value);
  std::optional<ThreadValues> evaluatePhi(const llvm::PHINode &phi);
  /// The values of a phi behind branches that differ between threads.
  std::optional<ThreadValues> mergeWays(const llvm::PHINode &phi);
  /// The block from which a thread that is in `from` comes to `to`; null if
  /// that isn't known.
  const llvm::BasicBlock *findLastBlock(const llvm::BasicBlock *from,
                                        const llvm::BasicBlock *to,
                                        size_t thread);
  std::optional<ThreadValues> evaluateCall(const llvm::CallBase &call);
  std::optional<ThreadValues> evaluateAddress(const llvm::GEPOperator &address);
  ThreadValues splat(int64_t value) const {
    return ThreadValues(threads.size(), value);
  }

  const llvm::DominatorTree &dominators;
  const llvm::LoopInfo &loops;
  const llvm::DataLayout &layout;
  LaunchShape launch;
  /// The number of each thread along x, y and z; -1 if there is no such thread.
  llvm::SmallVector<std::array<int64_t, 3>, 0> threads;
  WarpValues *first = nullptr;
  const llvm::Loop *second = nullptr;
  llvm::DenseMap<const llvm::Value *, std::unique_ptr<ThreadValues>> known;
};

} // namespace baco::target

#endif // BACO_LIB_COSTMODEL_WARPVALUES_H
