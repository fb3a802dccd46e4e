//===- CleanUp.h - Clean-up of whole functions ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules of recipes mostly end with patterns and passes that are applied to
// the whole function. If several recipes of a function end alike, they share
// one clean-up, which takes linear time instead of quadratic.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_CLEANUP_H
#define BACO_LIB_SCHEDULE_CLEANUP_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace baco::schedule {

/// The last ops of the schedule of a recipe: those that need no handle but that
/// of the function, and name neither knobs nor marks. There may be none.
class CleanUp {
public:
  /// Takes the clean-up from the ops behind `start` in its block, which has no
  /// terminator yet. `functions` are handles to the function.
  CleanUp(mlir::Operation *start, llvm::ArrayRef<mlir::Value> functions);

  bool isEmpty() const { return ops.empty(); }
  /// Whether both do the same.
  bool isLike(const CleanUp &other) const;
  /// Moves the ops to the insertion point of `builder`, where `function` is a
  /// handle to the function.
  void moveTo(mlir::OpBuilder &builder, mlir::Value function);
  void erase();

private:
  /// The clean-up's ops in their order.
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallPtrSet<mlir::Value, 2> functions;
};

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_CLEANUP_H
