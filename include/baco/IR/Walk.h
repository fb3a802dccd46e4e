//===- Walk.h - Walks over operations that may end early -------*- C++ -*--===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_WALK_H
#define BACO_IR_WALK_H

#include "baco/IR/BacoDialect.h"

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

namespace baco {

/// Whether `holds` for `root` or an operation in it.
inline bool contains(mlir::Operation *root,
                     llvm::function_ref<bool(mlir::Operation *)> holds) {
  return root
      ->walk([&](mlir::Operation *op) {
        return holds(op) ? mlir::WalkResult::interrupt()
                         : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `root` or an operation in it has a `baco.recipe`.
inline bool hasRecipe(mlir::Operation *root) {
  return contains(root, [](mlir::Operation *op) {
    return op->hasAttr(BacoDialect::kRecipe);
  });
}

/// Calls `visit` for `root` and each operation in it that is an OpT, until that
/// fails.
template <typename OpT, mlir::WalkOrder order = mlir::WalkOrder::PostOrder,
          typename Visit>
llvm::LogicalResult visitAll(mlir::Operation *root, Visit visit) {
  return mlir::failure(
      root->walk<order>([&](OpT op) -> mlir::WalkResult { return visit(op); })
          .wasInterrupted());
}

/// The operations `first` ... `last` of one block.
inline auto opsFrom(mlir::Operation *first, mlir::Operation *last) {
  return llvm::make_range(first->getIterator(), std::next(last->getIterator()));
}

/// Whether `value` is computed of the induction variables of `loop`, and not of
/// those of loops in it alone.
bool dependsOn(mlir::Value value, mlir::LoopLikeOpInterface loop);

/// Erases those of `ops` that nobody uses and that have no effects, and what is
/// computed for them alone.
void eraseDead(llvm::SetVector<mlir::Operation *> ops);

/// Erases `op`, which nobody uses, and what is computed for it alone.
void eraseWithOperands(mlir::Operation *op);

} // namespace baco

#endif // BACO_IR_WALK_H
