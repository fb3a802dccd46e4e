//===- ConstrainParams.h - Read transform.smt.constrain_params --*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream states constraints on parameters as regions of SMT operations and
// leaves their evaluation to a solver. This file translates the integer and
// bool operations into baco's expressions.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SCHEDULE_CONSTRAINPARAMS_H
#define BACO_SCHEDULE_CONSTRAINPARAMS_H

#include "baco/Expression/Expression.h"
#include "baco/Schedule/Choices.h"

#include "mlir/Dialect/Transform/SMTExtension/SMTExtensionOps.h"
#include "llvm/ADT/DenseMap.h"

namespace baco::schedule {

/// The params of a schedule as expressions over the parameters of its space.
class ParamExpressions {
public:
  explicit ParamExpressions(const Choices &choices) : choices(choices) {}

  /// No expression is longer, in characters: a value that is used twice stands
  /// in it twice.
  static constexpr size_t maxLength = 1 << 16;

  /// Whether a param is a knob, a constant or the result of a constrain_params;
  /// any other is only known while the schedule runs.
  static bool isKnown(mlir::Value param);

  /// The expression of a param; `user` is the op for diagnostics. Fails with a
  /// diagnostic unless it `isKnown`.
  mlir::FailureOr<Expression> ofParam(mlir::Operation *user, mlir::Value param);

  /// One `smt.assert`, read.
  struct Assertion {
    Expression expression;
    mlir::Location location;
  };

  /// The assertions of `op`. Fails with a diagnostic at the operation that
  /// isn't understood; so do the others.
  mlir::FailureOr<llvm::SmallVector<Assertion>>
  assertions(mlir::transform::smt::ConstrainParamsOp op);

  /// The value of result `index` of `op`: what its region yields, which must be
  /// determined by the operands.
  mlir::FailureOr<Expression> result(mlir::transform::smt::ConstrainParamsOp op,
                                     unsigned index);

private:
  mlir::FailureOr<Expression> ofValue(mlir::Operation *user, mlir::Value value);
  mlir::FailureOr<Expression> ofOperation(mlir::Operation *op);
  mlir::FailureOr<Expression> ofVariable(mlir::Operation *declaration);
  mlir::FailureOr<llvm::SmallVector<Expression>>
  ofOperands(mlir::Operation *op);

  const Choices &choices;
  /// Expressions of SMT values that were read already; values of an operation
  /// that is being read have none yet, which finds circular definitions.
  llvm::DenseMap<mlir::Operation *, Expression> known;
  llvm::SmallPtrSet<mlir::Operation *, 8> active;
};

} // namespace baco::schedule

#endif // BACO_SCHEDULE_CONSTRAINPARAMS_H
