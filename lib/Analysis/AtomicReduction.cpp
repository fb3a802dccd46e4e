//===- AtomicReduction.cpp - Reductions by atomic operations --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/AtomicReduction.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace baco;

/// The atomic operation that is equivalent to `combiner`, if there is one.
static std::optional<arith::AtomicRMWKind> findAtomic(Operation *combiner) {
  using Kind = arith::AtomicRMWKind;
  using Found = std::optional<Kind>;
  return TypeSwitch<Operation *, Found>(combiner)
      .Case([](arith::AddFOp) { return Found(Kind::addf); })
      .Case([](arith::AddIOp) { return Found(Kind::addi); })
      .Case([](arith::MaximumFOp) { return Found(Kind::maximumf); })
      .Case([](arith::MinimumFOp) { return Found(Kind::minimumf); })
      .Case([](arith::MaxSIOp) { return Found(Kind::maxs); })
      .Case([](arith::MinSIOp) { return Found(Kind::mins); })
      .Case([](arith::MaxUIOp) { return Found(Kind::maxu); })
      .Case([](arith::MinUIOp) { return Found(Kind::minu); })
      .Default([](Operation *) { return Found(); });
}

/// The operation that reduces in `op`; null if it isn't one iterator's
/// reduction to one element.
static Operation *findCombiner(linalg::LinalgOp op) {
  if (op.getNumLoops() != 1 || op.getNumReductionLoops() != 1 ||
      op.getNumDpsInits() != 1 || op.hasIndexSemantics() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isConstant())
    return nullptr;
  SmallVector<Operation *> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1)
    return nullptr;
  return combiners.front();
}

llvm::Expected<AtomicReduction>
baco::matchAtomicReduction(linalg::LinalgOp op) {
  Operation *combiner = findCombiner(op);
  std::optional<arith::AtomicRMWKind> kind;
  if (combiner)
    kind = findAtomic(combiner);
  if (!kind)
    return llvm::createStringError(
        "the op doesn't reduce one iterator to one element by an operation "
        "that is atomic on GPUs");
  Type type = combiner->getResult(0).getType();
  if (!type.isIntOrFloat() || (type.getIntOrFloatBitWidth() != 32 &&
                               type.getIntOrFloatBitWidth() != 64))
    return llvm::createStringError(
        llvm::formatv("there are no atomic operations on {0}", type));
  return AtomicReduction{combiner, *kind};
}
