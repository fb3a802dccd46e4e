//===- PathConditions.h - When ops of a schedule run ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A knob in a region of alternatives matters only if that region is selected;
// so does a constraint. This file finds out when an op runs, as an expression
// over the parameters of the space.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_PATHCONDITIONS_H
#define BACO_LIB_SCHEDULE_PATHCONDITIONS_H

#include "baco/Schedule/ConstrainParams.h"

namespace baco::schedule {

class PathConditions {
public:
  /// Finds the conditions of all sequences that the schedule reaches. Fails
  /// with a diagnostic if sequences use each other in a circle, or a condition
  /// grows beyond all bounds.
  static mlir::FailureOr<PathConditions> compute(const Choices &choices,
                                                 ParamExpressions &params);

  /// The conditions under which `op` runs, each once.
  llvm::SmallVector<Expression> of(mlir::Operation *op) const;
  /// The conditions under which one of the choice's ops runs.
  llvm::SmallVector<Expression> of(const Choice &choice) const;

  /// The expression by which an open alternatives op selects its region;
  /// nullopt if it is only known while the schedule runs.
  std::optional<Expression> selector(mlir::Operation *op) const {
    auto it = selectors.find(op);
    return it == selectors.end() ? std::nullopt : std::optional(it->second);
  }

private:
  using NamedSequenceOp = mlir::transform::NamedSequenceOp;

  mlir::LogicalResult setSelectors(const Choices &choices,
                                   ParamExpressions &params);
  void collectUses(const Choices &choices);
  mlir::LogicalResult sortCallersFirst(NamedSequenceOp sequence,
                                       mlir::Operation *user);
  mlir::LogicalResult setSequences(const Choices &choices);

  /// The selectors of alternatives ops.
  llvm::DenseMap<mlir::Operation *, Expression> selectors;
  /// The conditions of named sequences.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Expression>> sequences;

  /// Uses of sequences that may run: which ones a sequence uses and in which
  /// op, and the ops that use a sequence, both in the order of the schedule.
  llvm::DenseMap<
      mlir::Operation *,
      llvm::SmallVector<std::pair<NamedSequenceOp, mlir::Operation *>>>
      usedIn;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>>
      usesOf;

  /// For sorting: the result, last first, and the sequences on the way.
  llvm::SmallVector<NamedSequenceOp> sorted;
  llvm::SmallPtrSet<mlir::Operation *, 8> visited, active;
};

/// Adds those of `more` to `conditions` that aren't among them.
void conjoin(llvm::SmallVectorImpl<Expression> &conditions,
             llvm::ArrayRef<Expression> more);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_PATHCONDITIONS_H
