//===- DividedDifferences.cpp - Divisors that are differences -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SignatureParts.h"
#include "ValueSources.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using baco::runtime::Signature;
using baco::target::ValueSources;

/// The operand of `op` that it isn't defined for if that is 0; null if there is
/// none.
static Value divisorOf(Operation *op) {
  if (isa<arith::DivFOp, arith::RemFOp>(op) ||
      baco::target::isIntegerDivision(op))
    return op->getOperand(1);
  if (isa<math::LogOp, math::Log2Op, math::Log10Op, math::RsqrtOp, math::SqrtOp,
          math::PowFOp>(op))
    return op->getOperand(0);
  return {};
}

/// Marks the memrefs that both `left` and `right` may be elements of.
static void markCommon(func::FuncOp kernel, Value left, Value right,
                       Signature &signature) {
  ValueSources minuends(/*isSame=*/true), subtrahends(/*isSame=*/true);
  minuends.add(left);
  subtrahends.add(right);
  for (auto [value, argument] :
       llvm::zip_equal(kernel.getArguments(), signature.arguments))
    argument.isDifferenced |= argument.isMemRef && argument.isRead &&
                              minuends.values.contains(value) &&
                              subtrahends.values.contains(value);
}

void baco::target::readDividedDifferences(func::FuncOp kernel,
                                          Signature &signature) {
  llvm::SetVector<Operation *> differences;
  kernel.walk([&](Operation *op) {
    Value divisor = divisorOf(op);
    if (!divisor)
      return;
    ValueSources sources(/*isSame=*/false);
    sources.add(divisor);
    for (Value source : sources.values)
      if (isa_and_nonnull<arith::SubFOp, arith::SubIOp>(source.getDefiningOp()))
        differences.insert(source.getDefiningOp());
  });
  for (Operation *op : differences)
    markCommon(kernel, op->getOperand(0), op->getOperand(1), signature);
}
