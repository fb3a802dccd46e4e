//===- IntegerOperand.h - Numbers of transform ops --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TRANSFORMOPS_INTEGEROPERAND_H
#define BACO_LIB_TRANSFORMOPS_INTEGEROPERAND_H

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

namespace baco {

/// The effects of an op whose first operand is its target, on the payload, and
/// on its operands and results.
void addTargetEffects(
    mlir::Operation *op, bool consumesTarget,
    llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects);

/// Sets `result` to the value of `attribute`, or of the parameter `param`,
/// called `name` in messages, if there is one of them. Fails if the parameter
/// isn't one integer.
mlir::DiagnosedSilenceableFailure
readInteger(mlir::transform::TransformOpInterface op, llvm::StringRef name,
            std::optional<int64_t> attribute, mlir::Value param,
            const mlir::transform::TransformState &state,
            std::optional<int64_t> &result);

/// The `numbers` of an op, whose dynamic ones are the values of `params`. Fails
/// if one of these isn't one integer.
mlir::DiagnosedSilenceableFailure
readIntegers(mlir::transform::TransformOpInterface op, mlir::ValueRange params,
             llvm::ArrayRef<int64_t> numbers,
             const mlir::transform::TransformState &state,
             llvm::SmallVectorImpl<int64_t> &result);

/// Checks that there are as many `numbers` as `meaning`, such as "two numbers:
/// a, b", says, and a parameter for each dynamic one.
mlir::LogicalResult verifyIntegers(mlir::Operation *op, mlir::ValueRange params,
                                   llvm::ArrayRef<int64_t> numbers,
                                   size_t count, llvm::StringRef meaning);

/// Checks that such an operand is not given by both, and, if it is needed, by
/// one of them. `keyword` is what the parameter follows in the op's text.
mlir::LogicalResult verifyInteger(mlir::Operation *op, llvm::StringRef name,
                                  std::optional<int64_t> attribute,
                                  mlir::Value param, llvm::StringRef keyword,
                                  bool isNeeded);

} // namespace baco

#endif // BACO_LIB_TRANSFORMOPS_INTEGEROPERAND_H
