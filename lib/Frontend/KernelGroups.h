//===- KernelGroups.h - Ops that are tuned together -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_KERNELGROUPS_H
#define BACO_LIB_FRONTEND_KERNELGROUPS_H

#include "KernelEligibility.h"

#include "llvm/ADT/SmallVector.h"

namespace baco::frontend {

/// Ops of one block that become a kernel, in their order in it: fills of a
/// border (findBorder) come first. Ops between them can
/// move before the first or behind the last one (gatherGroup).
using Group = llvm::SmallVector<mlir::Operation *>;

/// The groups to outline from a function.
struct Groups {
  llvm::SmallVector<Group> found;
  /// Structured ops that stay in place, and why.
  llvm::SmallVector<std::pair<mlir::Operation *, std::string>> staying;
};

/// The groups in `function`, which isn't changed. `withTensors`: also of ops on
/// tensors.
Groups findGroups(mlir::func::FuncOp function, KernelEligibility &alone,
                  bool withTensors);

/// Moves the ops between those of `group` out of the way.
/// \returns the op before which all that the group uses is defined
mlir::Operation *gatherGroup(const Group &group);

/// Whether an op can move up to where its operands are defined, and begins no
/// group: it has no effects, or only allocates, or is cheap.
bool isFree(mlir::Operation *op);

/// Whether `op` is a view of memory.
bool isMemoryView(mlir::Operation *op);

/// Emits a remark that `op` is not outlined.
void remarkItStays(mlir::Operation *op, const llvm::Twine &why);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_KERNELGROUPS_H
